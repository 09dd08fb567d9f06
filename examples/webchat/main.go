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

// user says who sends a request. A proxy that logs people in sets the header X-User.
func user(r *http.Request) (server.User, error) {
	if host, _, err := net.SplitHostPort(r.Host); err != nil || host != "127.0.0.1" && host != "localhost" {
		message := "open this page at 127.0.0.1 or localhost; requests for other host names are refused"
		return server.User{}, &server.Error{Status: http.StatusForbidden, Code: "foreign_host", Message: message}
	}
	id := cmp.Or(r.Header.Get("X-User"), "you")
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
