package benchmarks

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"time"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	einotool "github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// The texts of all sides.
const (
	asked    = "Where is it sunny?"
	thinks   = "Let me see. "
	answer   = "It is sunny in all of them."
	toolName = "weather_now"
	toolDoc  = "Tells the weather of a city."
)

// cities are asked for one after the other: who calls the same again and again does not get on.
var cities = [...]string{"Turin", "Milan", "Genoa", "Padua", "Udine", "Siena", "Lucca", "Parma"}

// weathers are what the tool returns.
var weathers = func() map[string]string {
	m := map[string]string{}
	for _, city := range cities {
		m[city] = "sunny in " + city
	}
	return m
}()

type weatherInput struct {
	City string `json:"city"`
}

// weather is the tool of all sides.
func weather(_ context.Context, in weatherInput) (string, error) {
	text := weathers[in.City]
	if text == "" {
		return "", fmt.Errorf("no weather of %q", in.City)
	}
	return text, nil
}

// A side answers the question, with some calls of the tool on the way, one a reply, and returns the last reply.
type side struct {
	name string
	run  func(ctx context.Context) (string, error)
}

// sides returns all sides, each made ready as an application would at its start.
func sides(ctx context.Context, calls int) ([]side, error) {
	makers := []struct {
		name string
		make func(ctx context.Context, calls int) (func(context.Context) (string, error), error)
	}{{"floor", newFloor}, {"vcp", newVCP}, {"react", newReact}, {"adk", newADK}}
	list := make([]side, len(makers))
	for i, m := range makers {
		run, err := m.make(ctx, calls)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		list[i] = side{m.name, run}
	}
	return list, nil
}

// requests are the replies in our protocol that ask for the tool.
func requests(calls int) ([]string, error) {
	list := make([]string, calls)
	for i := range list {
		block, err := vcp.Protocol{}.FormatToolRequests([]protocol.ToolRequest{{
			ToolName: toolName, Arguments: []protocol.Argument{{Name: "city", Value: cities[i]}},
		}})
		if err != nil {
			return nil, err
		}
		list[i] = thinks + block
	}
	return list, nil
}

// newFloor is the least that can be done: read each request, and call the function on a goroutine with a deadline.
func newFloor(_ context.Context, calls int) (func(context.Context) (string, error), error) {
	texts, err := requests(calls)
	if err != nil {
		return nil, err
	}
	call := func(ctx context.Context, city string) error {
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		done := make(chan error, 1)
		go func() {
			_, err := weather(ctx, weatherInput{City: city})
			done <- err
		}()
		select {
		case err := <-done:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return func(ctx context.Context) (string, error) {
		for _, text := range texts {
			reply, err := parser.ParseToolRequests(vcp.Protocol{}, text, parser.Options{Finish: protocol.FinishStop})
			if err != nil {
				return "", err
			}
			if err := call(ctx, reply.Requests[0].Arguments[0].Value); err != nil {
				return "", err
			}
		}
		reply, err := parser.ParseToolRequests(vcp.Protocol{}, answer, parser.Options{Finish: protocol.FinishStop})
		return reply.Text, err
	}, nil
}

// textModel writes requests as text.
type textModel struct{ requests []string }

func (m textModel) Stream(_ context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		text := answer
		// The prompt and the question come first, and each call adds two messages.
		if done := (len(req.Messages) - 2) / 2; done < len(m.requests) {
			text = m.requests[done]
		}
		yield(engine.Delta{Text: text, Finished: true, Finish: protocol.FinishStop}, nil)
	}
}

// newVCP is our engine with its default configuration, and a conversation of its own for each question.
func newVCP(_ context.Context, calls int) (func(context.Context) (string, error), error) {
	texts, err := requests(calls)
	if err != nil {
		return nil, err
	}
	method, err := tool.New("now", toolDoc, weather, tool.AgentCallable(), tool.WithRisk(tool.RiskRead))
	if err != nil {
		return nil, err
	}
	registry := tool.NewRegistry()
	if err := registry.Register(tool.Tool{ID: "weather", Methods: []tool.Method{method}}); err != nil {
		return nil, err
	}
	e, err := engine.New(engine.Options{
		Registry: registry, Protocols: []protocol.Protocol{vcp.Protocol{}}, Model: textModel{texts}, Config: engine.DefaultConfig(),
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (string, error) {
		last := ""
		question := []protocol.Message{{Role: protocol.RoleUser, Content: asked}}
		for ev, err := range e.NewSession("benchmark").Run(ctx, question) {
			if err != nil {
				return "", err
			}
			if ev.Kind == engine.EventTurnDone {
				last = ev.Turn.Reply.Text
			}
		}
		return last, nil
	}, nil
}

// nativeModel makes calls natively, as eino takes them.
type nativeModel struct{ calls int }

func (m nativeModel) WithTools([]*schema.ToolInfo) (model.ToolCallingChatModel, error) { return m, nil }

func (m nativeModel) Generate(_ context.Context, input []*schema.Message, _ ...model.Option) (*schema.Message, error) {
	// The question comes first, and each call adds two messages.
	done := (len(input) - 1) / 2
	if done >= m.calls {
		return schema.AssistantMessage(answer, nil), nil
	}
	return schema.AssistantMessage(thinks, []schema.ToolCall{{
		ID: ids[done], Type: "function", Function: schema.FunctionCall{Name: toolName, Arguments: arguments[done]},
	}}), nil
}

// What the model that makes calls natively writes.
var ids, arguments = func() (ids, arguments []string) {
	for i, city := range cities {
		ids, arguments = append(ids, fmt.Sprint("call_", i)), append(arguments, fmt.Sprintf(`{"city":%q}`, city))
	}
	return ids, arguments
}()

func (m nativeModel) Stream(ctx context.Context, input []*schema.Message, o ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	message, err := m.Generate(ctx, input, o...)
	return schema.StreamReaderFromArray([]*schema.Message{message}), err
}

func einoTools() (compose.ToolsNodeConfig, error) {
	t, err := utils.InferTool(toolName, toolDoc, weather)
	return compose.ToolsNodeConfig{Tools: []einotool.BaseTool{t}}, err
}

// newReact is eino's ReAct agent, which is asked for whole replies: streams cost it more.
func newReact(ctx context.Context, calls int) (func(context.Context) (string, error), error) {
	tools, err := einoTools()
	if err != nil {
		return nil, err
	}
	agent, err := react.NewAgent(ctx, &react.AgentConfig{ToolCallingModel: nativeModel{calls}, ToolsConfig: tools, MaxStep: 2*len(cities) + 2})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (string, error) {
		message, err := agent.Generate(ctx, []*schema.Message{schema.UserMessage(asked)})
		if err != nil {
			return "", err
		}
		return message.Content, nil
	}, nil
}

// newADK is the agent of eino's agent development kit in its runner, which tells of events as our engine does.
func newADK(ctx context.Context, calls int) (func(context.Context) (string, error), error) {
	tools, err := einoTools()
	if err != nil {
		return nil, err
	}
	agent, err := adk.NewChatModelAgent(ctx, &adk.ChatModelAgentConfig{
		Name: "benchmark", Description: "answers", Model: nativeModel{calls}, ToolsConfig: adk.ToolsConfig{ToolsNodeConfig: tools},
	})
	if err != nil {
		return nil, err
	}
	runner := adk.NewRunner(ctx, adk.RunnerConfig{Agent: agent})
	return func(ctx context.Context) (string, error) {
		last := ""
		events := runner.Query(ctx, asked)
		for {
			ev, ok := events.Next()
			if !ok {
				return last, nil
			}
			if ev.Err != nil {
				return "", ev.Err
			}
			if ev.Output == nil || ev.Output.MessageOutput == nil {
				return "", errors.New("an event without a message")
			}
			last = strings.TrimSpace(ev.Output.MessageOutput.Message.Content)
		}
	}, nil
}
