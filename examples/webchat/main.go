// Command webchat is a chat with tools in a browser. docs/embedding.md explains it piece by piece.
package main

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/markdown"
	"github.com/vcpgo/vcp/chat/server"
	"github.com/vcpgo/vcp/chat/sqlitestore"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

func main() {
	client, err := model.New(model.Options{BaseURL: os.Getenv("OPENAI_BASE_URL"), Model: os.Getenv("OPENAI_MODEL")})
	if err != nil {
		log.Fatal(err)
	}
	store, err := sqlitestore.Open(context.Background(), "webchat.db", sqlitestore.Options{})
	if err != nil {
		log.Fatal(err)
	}
	handler, err := newHandler(client, store)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe(cmp.Or(os.Getenv("WEBCHAT_ADDRESS"), "127.0.0.1:8080"), handler))
}

type order struct {
	Item  string `json:"item" jsonschema:"what to buy"`
	Count int    `json:"count" minimum:"1"`
}

func buy(ctx context.Context, o order) (string, error) {
	tool.Progress(ctx, "paying")
	return fmt.Sprintf("%s bought %d %s", server.UserFrom(ctx), o.Count, o.Item), nil
}

func stock(context.Context, struct{}) (string, error) { return "apples and pears", nil }

// registerShop registers the tools. Dangerous methods need approval by default.
func registerShop(registry *tool.Registry) error {
	buy, err1 := tool.New("buy", "Buys something.", buy, tool.AgentCallable(), tool.WithRisk(tool.RiskDangerous))
	stock, err2 := tool.New("stock", "Lists what is in stock.", stock, tool.AgentCallable(), tool.WithRisk(tool.RiskRead))
	if err := cmp.Or(err1, err2); err != nil {
		return err
	}
	return registry.Register(tool.Tool{ID: "shop", Methods: []tool.Method{buy, stock}})
}

// user says who sends a request. If WEBCHAT_HOST is set, it is the host of a proxy that logs people
// in and says in the header X-User who they are. Then all requests must come through the proxy.
func user(r *http.Request) (server.User, error) {
	host, proxy, id := (&url.URL{Host: r.Host}).Hostname(), os.Getenv("WEBCHAT_HOST"), r.Header.Get("X-User")
	here := host == "localhost" || net.ParseIP(host).IsLoopback()
	switch {
	case proxy == "" && !here:
		message := fmt.Sprintf("the host is %q; open this page at localhost, or set WEBCHAT_HOST if that is the host of your proxy", host)
		return server.User{}, &server.Error{Status: http.StatusForbidden, Code: "foreign_host", Message: message}
	case proxy != "" && host != proxy:
		message := fmt.Sprintf("the host is %q, but WEBCHAT_HOST is %q; open this page there, and let the proxy pass on the header Host", host, proxy)
		return server.User{}, &server.Error{Status: http.StatusForbidden, Code: "foreign_host", Message: message}
	case proxy != "" && id == "":
		message := "the header X-User is missing; the proxy must set it to the name of the person who is logged in"
		return server.User{}, &server.Error{Status: http.StatusUnauthorized, Code: server.CodeUnauthenticated, Message: message}
	}
	id = cmp.Or(id, "you")
	return server.User{ID: id, Visibility: engine.Visibility{ToolToggles: map[string]bool{"shop_buy": id != "guest"}}}, nil
}

//go:embed page.html page.js
var page embed.FS

func newHandler(m engine.Model, store chat.Store) (http.Handler, error) {
	registry := tool.NewRegistry()
	if err := registerShop(registry); err != nil {
		return nil, err
	}
	protocols := []protocol.Protocol{vcp.Protocol{}}
	e, err1 := engine.New(engine.Options{
		Registry: registry, Protocols: protocols, Model: m, Config: engine.DefaultConfig(), Approver: executor.AwaitDecision,
	})
	renderer, err2 := markdown.New(markdown.Options{Protocols: protocols})
	if err := cmp.Or(err1, err2); err != nil {
		return nil, err
	}
	chats, err := server.New(server.Options{Engine: e, Store: store, User: user, Renderer: renderer})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/api/", http.StripPrefix("/api", chats))
	mux.HandleFunc("GET /style.css", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css")
		fmt.Fprint(w, markdown.Style)
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		markdown.Security(w.Header())
		http.ServeFileFS(w, r, page, "page.html")
	})
	mux.HandleFunc("GET /page.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, page, "page.js") })
	return mux, nil
}
