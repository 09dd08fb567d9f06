// Command approval gives a model a tool, and asks on the terminal before each call of the tool.
//
//	OPENAI_BASE_URL=http://127.0.0.1:11434/v1 OPENAI_MODEL=NAME \
//		go run ./examples/approval "Write a poem to poem.txt."
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// notes writes files below one directory.
type notes struct{ dir *os.Root }

type note struct {
	Name string `json:"name" jsonschema:"name of the file"`
	Text string `json:"text"`
}

func (n notes) write(_ context.Context, in note) (string, error) {
	if err := n.dir.WriteFile(in.Name, []byte(in.Text), 0o600); err != nil {
		return "", err // the model reads the error and may correct its call
	}
	return fmt.Sprintf("wrote %d bytes", len(in.Text)), nil
}

// tool returns the tool of the model. Its method is dangerous, so each call needs approval.
func (n notes) tool() (tool.Tool, error) {
	write, err := tool.New("write", "Writes a note to a file.", n.write, tool.AgentCallable(), tool.WithRisk(tool.RiskDangerous))
	return tool.Tool{ID: "notes", Methods: []tool.Method{write}}, err
}

// approver returns an Approver that asks on the terminal. %q escapes control characters, which
// could hide a part of the arguments.
func approver(answers *bufio.Scanner) executor.Approver {
	return func(_ context.Context, q executor.Question) (executor.Answer, error) {
		fmt.Printf("\nRun %s %q? [y/N] ", q.Method.FullName, q.Method.MaskArguments(q.Arguments))
		if answers.Scan() && strings.TrimSpace(answers.Text()) == "y" {
			return q.Allow(), nil
		}
		return q.Deny("the user said no"), nil
	}
}

func main() {
	if err := run(strings.Join(os.Args[1:], " ")); err != nil {
		log.Fatal(err)
	}
}

func run(question string) error {
	dir, err := os.OpenRoot(".")
	if err != nil {
		return err
	}
	t, err := notes{dir}.tool()
	if err != nil {
		return err
	}
	registry := tool.NewRegistry()
	if err := registry.Register(t); err != nil {
		return err
	}
	client, err := model.New(model.Options{BaseURL: os.Getenv("OPENAI_BASE_URL"), Model: os.Getenv("OPENAI_MODEL")})
	if err != nil {
		return err
	}
	e, err := engine.New(engine.Options{
		Registry: registry, Protocols: []protocol.Protocol{vcp.Protocol{}}, Model: client, Config: engine.DefaultConfig(),
		Approver: approver(bufio.NewScanner(os.Stdin)),
	})
	if err != nil {
		return err
	}
	c, err := chat.New(e, chat.Options{})
	if err != nil {
		return err
	}
	for ev, err := range c.Send(context.Background(), question) {
		switch {
		case err != nil:
			return err
		case ev.Kind == engine.EventText:
			fmt.Print(ev.Text)
		case ev.Kind == engine.EventToolDone:
			fmt.Printf("[%s: %s]\n", ev.Name, ev.Result.ToolResult.Status)
		}
	}
	fmt.Println()
	return nil
}
