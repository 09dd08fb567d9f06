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
	asked    = "What is the weather in Turin?"
	city     = "Turin"
	thinks   = "Let me see. "
	answer   = "It is sunny in Turin."
	toolName = "weather_now"
	toolDoc  = "Tells the weather of a city."
)

type weatherInput struct {
	City string `json:"city"`
}

// weather is the tool of all sides.
func weather(_ context.Context, in weatherInput) (string, error) {
	if in.City != city {
		return "", fmt.Errorf("no weather of %q", in.City)
	}
	return "sunny", nil
}

// A side answers the question, with one call of the tool on the way, and returns the last reply.
type side struct {
	name string
	run  func(ctx context.Context) (string, error)
}

// sides returns all sides, each made ready as an application would at its start.
func sides(ctx context.Context) ([]side, error) {
	makers := []struct {
		name string
		make func(context.Context) (func(context.Context) (string, error), error)
	}{{"floor", newFloor}, {"vcp", newVCP}, {"react", newReact}, {"adk", newADK}}
	list := make([]side, len(makers))
	for i, m := range makers {
		run, err := m.make(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		list[i] = side{m.name, run}
	}
	return list, nil
}

// request is the first reply in our protocol.
func request() (string, error) {
	block, err := vcp.Protocol{}.FormatToolRequests([]protocol.ToolRequest{{
		ToolName: toolName, Arguments: []protocol.Argument{{Name: "city", Value: city}},
	}})
	return thinks + block, err
}

// newFloor is the least that can be done: read the request, and call the function on a goroutine with a deadline.
func newFloor(context.Context) (func(context.Context) (string, error), error) {
	text, err := request()
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (string, error) {
		reply, err := parser.ParseToolRequests(vcp.Protocol{}, text, parser.Options{Finish: protocol.FinishStop})
		if err != nil {
			return "", err
		}
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		done := make(chan error, 1)
		go func() {
			_, err := weather(ctx, weatherInput{City: reply.Requests[0].Arguments[0].Value})
			done <- err
		}()
		select {
		case err = <-done:
		case <-ctx.Done():
			err = ctx.Err()
		}
		return answer, err
	}, nil
}

// textModel writes requests as text.
type textModel struct{ request string }

func (m textModel) Stream(_ context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		text := m.request
		if last := req.Messages[len(req.Messages)-2]; last.Role == protocol.RoleAssistant {
			text = answer
		}
		yield(engine.Delta{Text: text, Finished: true, Finish: protocol.FinishStop}, nil)
	}
}

// newVCP is our engine with its default configuration, and a conversation of its own for each question.
func newVCP(context.Context) (func(context.Context) (string, error), error) {
	text, err := request()
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
		Registry: registry, Protocols: []protocol.Protocol{vcp.Protocol{}}, Model: textModel{text}, Config: engine.DefaultConfig(),
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
type nativeModel struct{}

func (m nativeModel) WithTools([]*schema.ToolInfo) (model.ToolCallingChatModel, error) { return m, nil }

func (nativeModel) Generate(_ context.Context, input []*schema.Message, _ ...model.Option) (*schema.Message, error) {
	if input[len(input)-1].Role == schema.Tool {
		return schema.AssistantMessage(answer, nil), nil
	}
	return schema.AssistantMessage(thinks, []schema.ToolCall{{
		ID: "1", Type: "function", Function: schema.FunctionCall{Name: toolName, Arguments: `{"city":"` + city + `"}`},
	}}), nil
}

func (m nativeModel) Stream(ctx context.Context, input []*schema.Message, o ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	message, err := m.Generate(ctx, input, o...)
	return schema.StreamReaderFromArray([]*schema.Message{message}), err
}

func einoTools() (compose.ToolsNodeConfig, error) {
	t, err := utils.InferTool(toolName, toolDoc, weather)
	return compose.ToolsNodeConfig{Tools: []einotool.BaseTool{t}}, err
}

// newReact is eino's ReAct agent, which is asked for whole replies: streams cost it more.
func newReact(ctx context.Context) (func(context.Context) (string, error), error) {
	tools, err := einoTools()
	if err != nil {
		return nil, err
	}
	agent, err := react.NewAgent(ctx, &react.AgentConfig{ToolCallingModel: nativeModel{}, ToolsConfig: tools})
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
func newADK(ctx context.Context) (func(context.Context) (string, error), error) {
	tools, err := einoTools()
	if err != nil {
		return nil, err
	}
	agent, err := adk.NewChatModelAgent(ctx, &adk.ChatModelAgentConfig{
		Name: "benchmark", Description: "answers", Model: nativeModel{}, ToolsConfig: adk.ToolsConfig{ToolsNodeConfig: tools},
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
