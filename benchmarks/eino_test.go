package benchmarks

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"
)

// nativeModel makes native calls, as eino needs them.
type nativeModel struct{ calls int }

func (m nativeModel) WithTools([]*schema.ToolInfo) (model.ToolCallingChatModel, error) { return m, nil }

func (m nativeModel) Generate(_ context.Context, input []*schema.Message, _ ...model.Option) (*schema.Message, error) {
	// The question comes first, and each call adds two messages.
	done := (len(input) - 1) / 2
	if done >= m.calls {
		return schema.AssistantMessage(answer, nil), nil
	}
	return schema.AssistantMessage(preamble, []schema.ToolCall{{
		ID: ids[done], Type: "function", Function: schema.FunctionCall{Name: toolName, Arguments: arguments[done]},
	}}), nil
}

// ids and arguments are those of the native calls.
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
	return compose.ToolsNodeConfig{Tools: []tool.BaseTool{t}}, err
}

func reactAgent(ctx context.Context, calls int) (*react.Agent, error) {
	tools, err := einoTools()
	if err != nil {
		return nil, err
	}
	const maxStep = 2*len(cities) + 2 // a reply and the run of its call are a step each; 2 more suffice for the last reply
	return react.NewAgent(ctx, &react.AgentConfig{ToolCallingModel: nativeModel{calls}, ToolsConfig: tools, MaxStep: maxStep})
}

// newReact is eino's ReAct agent with whole replies.
func newReact(ctx context.Context, calls int) (func(context.Context) (string, error), error) {
	agent, err := reactAgent(ctx, calls)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (string, error) {
		message, err := agent.Generate(ctx, []*schema.Message{schema.UserMessage(question)})
		if err != nil {
			return "", err
		}
		return message.Content, nil
	}, nil
}

// newReactStream is the same agent with streamed replies, which the engine always has.
func newReactStream(ctx context.Context, calls int) (func(context.Context) (string, error), error) {
	agent, err := reactAgent(ctx, calls)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (string, error) {
		stream, err := agent.Stream(ctx, []*schema.Message{schema.UserMessage(question)})
		if err != nil {
			return "", err
		}
		defer stream.Close()
		text := ""
		for {
			message, err := stream.Recv()
			if errors.Is(err, io.EOF) {
				return text, nil
			}
			if err != nil {
				return "", err
			}
			text += message.Content
		}
	}, nil
}

// newADK is the agent of eino's agent development kit in its runner, which emits events as the
// engine does.
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
		lastReply := ""
		events := runner.Query(ctx, question)
		for {
			ev, ok := events.Next()
			if !ok {
				return lastReply, nil
			}
			if ev.Err != nil {
				return "", ev.Err
			}
			if ev.Output == nil || ev.Output.MessageOutput == nil {
				return "", errors.New("an event without a message")
			}
			lastReply = ev.Output.MessageOutput.Message.Content
		}
	}, nil
}
