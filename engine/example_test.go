package engine_test

import (
	"context"
	"fmt"
	"iter"
	"log"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// Example runs a session over a tool made from a Go function. The model is a stand-in that calls
// the tool and then repeats its result. Package model has clients for servers.
func Example() {
	type in struct {
		City string `json:"city" jsonschema:"name of the city"`
	}
	now, err := tool.New("now", "Returns the weather of a city.", func(_ context.Context, in in) (string, error) {
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
		Registry: registry, Protocols: []protocol.Protocol{vcp.Protocol{}}, Model: standIn{},
		Config: engine.DefaultConfig(),
	})
	if err != nil {
		log.Fatal(err)
	}
	question := []protocol.Message{{Role: protocol.RoleUser, Content: "How is the weather in Rome?"}}
	for ev, err := range e.NewSession("demo").Run(context.Background(), question) {
		if err != nil {
			log.Fatal(err)
		}
		switch ev.Kind {
		case engine.EventText:
			fmt.Print(ev.Text)
		case engine.EventToolDone:
			fmt.Printf("[%s: %s, %s]\n", ev.Name, ev.Result.Status, ev.Result.ToolResult.Result)
		case engine.EventRunDone:
			fmt.Println("\nstop reason:", ev.Stop)
		}
	}
	// Output:
	// Let me look.
	// [weather_now: success, sunny in Rome]
	// It is sunny in Rome.
	// stop reason: done
}

// standIn is an engine.Model that always writes the same request, and then repeats the result.
type standIn struct{}

func (standIn) Stream(_ context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		text := "Let me look.\n<<<[TOOL_REQUEST]>>>\n" +
			"tool_name:「始」weather_now「末」,\ncity:「始」Rome「末」\n<<<[END_TOOL_REQUEST]>>>"
		last := req.Messages[len(req.Messages)-1].Content
		if results, err := (vcp.Protocol{}).ParseToolResults(last); err == nil && len(results) > 0 {
			text = "It is " + results[0].Result + "."
		}
		_ = yield(engine.Delta{Text: text}, nil) &&
			yield(engine.Delta{Finished: true, Finish: protocol.FinishStop}, nil)
	}
}
