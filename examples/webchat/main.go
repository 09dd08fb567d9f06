// Command webchat is an HTTP chat with tools. docs/embedding.md explains it piece by piece.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/vcpgo/vcp/chat"
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
	handler, err := newServer(client)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe(cmp.Or(os.Getenv("WEBCHAT_ADDRESS"), "127.0.0.1:8080"), handler))
}

type order struct {
	Item  string `json:"item" jsonschema:"what to buy"`
	Count int    `json:"count" minimum:"1"`
}

type userKey struct{}

func buy(ctx context.Context, o order) (string, error) {
	tool.Progress(ctx, "paying")
	return fmt.Sprintf("%v bought %d %s", ctx.Value(userKey{}), o.Count, o.Item), nil
}

func stock(context.Context, struct{}) (string, error) { return "apples and pears", nil }

// registerShop registers the tools. Dangerous methods need approval by default.
func registerShop(registry *tool.Registry) error {
	buy, err1 := tool.New("buy", "Buys something.", buy, tool.AgentCallable(), tool.WithRisk(tool.RiskDangerous))
	stock, err2 := tool.New("stock", "Tells what there is.", stock, tool.AgentCallable(), tool.WithRisk(tool.RiskRead))
	if err := cmp.Or(err1, err2); err != nil {
		return err
	}
	return registry.Register(tool.Tool{ID: "shop", Methods: []tool.Method{buy, stock}})
}

// visibility says which tools a user has: guests buy nothing.
func visibility(user string) engine.Visibility {
	return engine.Visibility{ToolToggles: map[string]bool{"shop_buy": user != "guest"}}
}

// server has one engine for all users, and the chats that are open.
type server struct {
	engine *engine.Engine
	mu     sync.Mutex
	chats  map[string]*chat.Conversation // by id
}

func newServer(m engine.Model) (http.Handler, error) {
	registry := tool.NewRegistry()
	if err := registerShop(registry); err != nil {
		return nil, err
	}
	e, err := engine.New(engine.Options{
		Registry: registry, Protocols: []protocol.Protocol{vcp.Protocol{}}, Model: m, Config: engine.DefaultConfig(),
		Approver: executor.AwaitDecision, ApprovalTimeout: time.Hour,
	})
	s := &server{engine: e, chats: map[string]*chat.Conversation{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /chats/{id}", s.handle(show))
	mux.HandleFunc("POST /chats/{id}/turns", s.handle(turn))
	mux.HandleFunc("POST /chats/{id}/decisions", s.handle(decide))
	mux.HandleFunc("POST /chats/{id}/stop", s.handle(stop))
	return http.NewCrossOriginProtection().Handler(mux), err
}

// handle opens the chat of a request. A proxy that logs people in says who the user is.
func (s *server) handle(f func(http.ResponseWriter, *http.Request, *chat.Conversation) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		user := cmp.Or(r.Header.Get("X-User"), "guest")
		c, err := s.open(url.PathEscape(user)+"@"+url.PathEscape(r.PathValue("id")), visibility(user))
		if err == nil {
			if err = f(w, r.WithContext(context.WithValue(r.Context(), userKey{}, user)), c); err == nil {
				return
			}
		}
		http.Error(w, err.Error(), http.StatusConflict)
	}
}

// open returns the chat with that id: the open one, the stored one, or a new one.
func (s *server) open(id string, v engine.Visibility) (c *chat.Conversation, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.chats[id] != nil {
		return s.chats[id], nil
	}
	var stored chat.Snapshot
	data, err := os.ReadFile(id + ".json")
	if os.IsNotExist(err) {
		c, err = chat.New(s.engine, chat.Options{ID: id, Visibility: v})
	} else if err == nil {
		if err = json.Unmarshal(data, &stored); err == nil {
			c, err = chat.Restore(s.engine, stored, v)
		}
	}
	if err == nil {
		s.chats[id] = c
	}
	return c, err
}

func save(c *chat.Conversation) error {
	data, err1 := json.Marshal(c.Snapshot())
	err2 := os.WriteFile(c.ID()+".new", data, 0o600)
	if err := cmp.Or(err1, err2); err != nil {
		return err
	}
	return os.Rename(c.ID()+".new", c.ID()+".json")
}

// show writes the chat, and the calls that wait for a decision.
func show(w http.ResponseWriter, _ *http.Request, c *chat.Conversation) error {
	return json.NewEncoder(w).Encode(map[string]any{"messages": c.History(), "pending": c.Pending()})
}

// turn sends the user's text, or continues, and streams the events. A browser that leaves ends it.
func turn(w http.ResponseWriter, r *http.Request, c *chat.Conversation) error {
	events := c.Continue(r.Context())
	if text := r.FormValue("text"); text != "" {
		events = c.Send(r.Context(), text)
	}
	saved := false
	for event, err := range events {
		if event.Kind == 0 {
			return err // the turn cannot begin
		}
		if !saved || event.Kind == engine.EventTurnDone || event.Kind == engine.EventRunDone { // the history has grown
			if err := save(c); err != nil {
				return err
			}
			saved = true
		}
		_ = json.NewEncoder(w).Encode(event)
		_ = http.NewResponseController(w).Flush()
	}
	return nil
}

// decide takes the decision on a call, from whichever tab.
func decide(_ http.ResponseWriter, r *http.Request, c *chat.Conversation) error {
	var d struct {
		RequestID string
		Digest    executor.Digest
		Decision  executor.Decision
	}
	if err := json.NewDecoder(r.Body).Decode(&d); err != nil {
		return err
	}
	return c.Decide(d.RequestID, d.Digest, d.Decision)
}

func stop(_ http.ResponseWriter, _ *http.Request, c *chat.Conversation) error {
	c.Stop()
	return nil
}
