// Command minimal asks a model one question. The model may call a Go function as a tool.
//
//	OPENAI_BASE_URL=http://127.0.0.1:11434/v1 OPENAI_MODEL=NAME \
//		go run ./examples/minimal "How is the weather in Rome?"
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

type place struct {
	City string `json:"city" jsonschema:"name of the city"`
}

func weather(_ context.Context, p place) (string, error) { return "sunny in " + p.City, nil }

func main() {
	if err := ask(strings.Join(os.Args[1:], " ")); err != nil {
		log.Fatal(err)
	}
}

func ask(question string) error {
	now, err := tool.New("now", "Returns the weather of a city.", weather, tool.AgentCallable())
	if err != nil {
		return err
	}
	registry := tool.NewRegistry()
	if err := registry.Register(tool.Tool{ID: "weather", Methods: []tool.Method{now}}); err != nil {
		return err
	}
	client, err := model.New(model.Options{BaseURL: os.Getenv("OPENAI_BASE_URL"), Model: os.Getenv("OPENAI_MODEL")})
	if err != nil {
		return err
	}
	e, err := engine.New(engine.Options{
		Registry: registry, Protocols: []protocol.Protocol{vcp.Protocol{}}, Model: client, Config: engine.DefaultConfig(),
	})
	if err != nil {
		return err
	}
	c, err := chat.New(e, chat.Options{})
	if err != nil {
		return err
	}
	for ev, err := range c.Send(context.Background(), question) {
		if err != nil {
			return err
		}
		if ev.Kind == engine.EventText {
			fmt.Print(ev.Text)
		}
	}
	fmt.Println()
	return nil
}
