package vcp_test

import (
	"context"
	"fmt"
	"log"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// Example embeds the engine: a tool made from a Go function, a model on a server, and one question. The server is a scripted one.
func Example() {
	server := modelserver.New(
		modelserver.Text("Let me count.\n<<<[TOOL_REQUEST]>>>\ntool_name:「始」stock_bottles「末」,\ncity:「始」Oslo「末」\n<<<[END_TOOL_REQUEST]>>>"),
		modelserver.Text("There are 42."))
	err := ask(context.Background(), server.URL, "How many bottles are in stock in Oslo?")
	server.Close()
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// Let me count.
	// [stock_bottles: success, 42 bottles in Oslo]
	// There are 42.
}

// What follows stands in the README too.

type query struct {
	City string `json:"city" jsonschema:"the city of the warehouse"`
}

func bottles(_ context.Context, q query) (string, error) { return "42 bottles in " + q.City, nil }

func ask(ctx context.Context, baseURL, question string) error {
	method, err := tool.New("bottles", "Tells how many bottles are in stock.", bottles, tool.AgentCallable())
	if err != nil {
		return err
	}
	registry := tool.NewRegistry()
	if err := registry.Register(tool.Tool{ID: "stock", Methods: []tool.Method{method}}); err != nil {
		return err
	}
	client, err := model.New(model.Options{BaseURL: baseURL}) // and Model, where the server has several
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
