package chat_test

import (
	"context"
	"fmt"
	"iter"
	"log"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// Example runs a conversation with a tool made from a Go function. The model is a fake that calls
// the tool and then repeats the result; package model has a client of real servers.
func Example() {
	type in struct {
		City string `json:"city" jsonschema:"name of the city"`
	}
	now, err := tool.New("now", "Returns the weather in a city now.", func(_ context.Context, in in) (string, error) {
		return "sunny in " + in.City, nil
	}, tool.AgentCallable())
	if err != nil {
		log.Fatal(err)
	}
	registry := tool.NewRegistry()
	if err := registry.Register(tool.Tool{ID: "weather", Methods: []tool.Method{now}}); err != nil {
		log.Fatal(err)
	}
	e, err := engine.New(engine.Options{
		Registry: registry, Protocols: []protocol.Protocol{vcp.Protocol{}}, Model: fakeModel{},
		Config: engine.DefaultConfig(),
	})
	if err != nil {
		log.Fatal(err)
	}
	c, err := chat.New(e, chat.Options{System: "You are brief."})
	if err != nil {
		log.Fatal(err)
	}
	for ev, err := range c.Send(context.Background(), "How is the weather in Rome?") {
		if err != nil {
			log.Fatal(err)
		}
		if ev.Kind == engine.EventText {
			fmt.Print(ev.Text)
		}
	}
	call := c.History()[2].Outcomes[0]
	fmt.Println("\n"+call.Method, string(call.Arguments), call.Status)
	// Output:
	// Let me look.
	// It is sunny in Rome.
	// weather_now {"city":"Rome"} success
}

// fakeModel is an engine.Model that repeats a result or, without one, calls the tool.
type fakeModel struct{}

func (fakeModel) Stream(_ context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		text := "Let me look.\n" +
			"<<<[TOOL_REQUEST]>>>\ntool_name:「始」weather_now「末」,\ncity:「始」Rome「末」\n<<<[END_TOOL_REQUEST]>>>"
		last := req.Messages[len(req.Messages)-1].Content
		if results, err := (vcp.Protocol{}).ParseToolResults(last); err == nil && len(results) > 0 {
			text = "It is " + results[0].Result + "."
		}
		if yield(engine.Delta{Text: text}, nil) {
			yield(engine.Delta{Finished: true, Finish: protocol.FinishStop}, nil)
		}
	}
}
