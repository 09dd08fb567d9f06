package vcp_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// Example embeds the engine: a tool made from a Go function, a model on a server, and one question.
// The server replaces a model: it has two fixed replies.
func Example() {
	replies := []string{
		"Let me count.\n<<<[TOOL_REQUEST]>>>\ntool_name:「始」stock_bottles「末」,\ncity:「始」Oslo「末」\n<<<[END_TOOL_REQUEST]>>>",
		"There are 42.",
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/chat/completions" {
			fmt.Fprint(w, `{"data":[{"id":"fixed"}]}`) // the list of models
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, `data: {"choices":[{"delta":{"content":%q},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n", replies[0])
		replies = replies[1:]
	}))
	err := ask(context.Background(), server.URL+"/v1", "How many bottles are in stock in Oslo?")
	server.Close()
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// Let me count.
	// [stock_bottles: success, 42 bottles in Oslo]
	// There are 42.
}

// The README shows the code below.

type query struct {
	City string `json:"city" jsonschema:"the city of the warehouse"`
}

func bottles(_ context.Context, q query) (string, error) { return "42 bottles in " + q.City, nil }

func ask(ctx context.Context, baseURL, question string) error {
	method, err := tool.New("bottles", "Returns how many bottles are in stock.", bottles, tool.AgentCallable())
	if err != nil {
		return err
	}
	registry := tool.NewRegistry()
	if err := registry.Register(tool.Tool{ID: "stock", Methods: []tool.Method{method}}); err != nil {
		return err
	}
	client, err := model.New(model.Options{BaseURL: baseURL}) // set Model, too, if the server has several
	if err != nil {
		return err
	}
	defer client.Close()
	e, err := engine.New(engine.Options{
		Registry: registry, Protocols: []protocol.Protocol{vcp.Protocol{}}, Model: client, Config: engine.DefaultConfig(),
	})
	if err != nil {
		return err
	}
	conversation, err := chat.New(e, chat.Options{System: "Answer in one sentence."})
	if err != nil {
		return err
	}
	for event, err := range conversation.Send(ctx, question) {
		if err != nil {
			return err
		}
		switch event.Kind {
		case engine.EventText:
			fmt.Print(event.Text)
		case engine.EventToolDone:
			fmt.Printf("[%s: %s, %s]\n", event.Name, event.Result.Status, event.Result.ToolResult.Result)
		}
	}
	return nil
}
