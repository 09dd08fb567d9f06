package demomodel_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/demomodel"
	"github.com/vcpgo/vcp/internal/longtest"
	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// asked returns a message of the user.
func asked(text string) protocol.Message {
	return protocol.Message{Role: protocol.RoleUser, Content: text}
}

// told returns the message with which the engine sends results to the model.
func told(results ...protocol.ToolResult) protocol.Message {
	return protocol.Message{Role: protocol.RoleUser, Content: vcp.Protocol{}.FormatToolResults(results)}
}

// replied returns a reply of the model.
func replied(text string) protocol.Message {
	return protocol.Message{Role: protocol.RoleAssistant, Content: text}
}

func succeeded(name, text string) protocol.ToolResult {
	return protocol.ToolResult{ResultID: "1", ToolName: name, Status: protocol.StatusSuccess, Result: text}
}

func TestNewQuestionIgnoresOldResults(t *testing.T) {
	p := newPlanner(t)
	reckon, err := vcp.Protocol{}.FormatToolRequests([]protocol.ToolRequest{{
		ToolName: "abacus_reckon", Arguments: []protocol.Argument{{Name: "beads", Value: "6*7"}},
	}})
	require.NoError(t, err)
	system := promptOfUnknownTools(t)
	old := succeeded("abacus_reckon", "six sheep")
	canceled := protocol.ToolResult{
		ResultID: "1", ToolName: "abacus_reckon", Status: protocol.StatusError,
		ErrorType: "canceled", Result: "six sheep",
	}
	histories := map[string][]protocol.Message{
		"after a result":                   {asked("What is 6*7?"), replied(reckon), told(old)},
		"after a call that was canceled":   {asked("What is 6*7?"), replied(reckon), told(canceled)},
		"after a reply that was truncated": {asked("What is 6*7?"), replied(reckon), told(old), replied("six sh")},
		"after a whole answer":             {asked("What is 6*7?"), replied(reckon), told(old), replied("six sheep.")},
		"after two results": {
			asked("What is 6*7?"), replied(reckon), told(old), replied(reckon), told(old),
		},
		"after a question without a reply": {asked("What is 6*7?"), replied(reckon), told(old), asked("And 8*9?")},
	}
	for name, messages := range histories {
		t.Run(name, func(t *testing.T) {
			for _, tt := range []struct{ question, want string }{
				{"How humid is it in the greenhouse?", "greenhouse_humidity"},
				{"What is 6*7?", "abacus_reckon beads=6*7"},
			} {
				now := append(append([]protocol.Message{system}, messages...), asked(tt.question))
				reply := p.Reply(now)
				require.Equal(t, []string{tt.want}, requestsIn(t, reply), reply)
				require.NotContains(t, reply, "sheep")

				answer := p.Reply(append(now, replied(reply), told(succeeded(strings.Fields(tt.want)[0], "seven cows"))))
				require.Contains(t, answer, "seven cows")
				require.NotContains(t, answer, "sheep")
				require.Equal(t, 1, strings.Count(answer, "seven cows"))
			}
			nothing := p.Reply(append(append([]protocol.Message{system}, messages...), asked("Who painted the chapel?")))
			require.NotContains(t, nothing, "sheep")
		})
	}
}

// Messages before a question do not change the reply to it.
func TestLawReplyIgnoresEarlierMessages(t *testing.T) {
	p := newPlanner(t)
	system := promptOfUnknownTools(t)
	questions := []string{"What is 6*7?", "How humid is the greenhouse?", "weigh a.tex", "Hello!", "Who painted the chapel?"}
	maxTurns := longtest.Count(1, 6)
	rapid.Check(t, func(rt *rapid.T) {
		messages := []protocol.Message{system}
		for range rapid.IntRange(0, maxTurns).Draw(rt, "turns") {
			messages = append(messages, asked(rapid.SampledFrom(questions).Draw(rt, "question")))
			for range rapid.IntRange(0, 2).Draw(rt, "iterations") {
				messages = append(messages, replied(p.Reply(messages)))
				if rapid.Bool().Draw(rt, "ran") {
					messages = append(messages, told(succeeded("abacus_reckon", "six sheep")))
				}
			}
		}
		newQuestion := asked(rapid.SampledFrom(questions).Draw(rt, "new question"))
		if got, want := p.Reply(append(messages, newQuestion)), p.Reply([]protocol.Message{system, newQuestion}); got != want {
			rt.Fatalf("after other messages: %s\nalone: %s", got, want)
		}
	})
}

// Ctrl-C in a chat ends a turn before it is complete.
func TestACanceledTurnDoesNotChangeTheNextReply(t *testing.T) {
	registry := tool.NewRegistry()
	require.NoError(t, registry.Register(unknownTools(t)...))
	client, err := model.New(model.Options{BaseURL: startServer(t, demomodel.Options{}).URL()})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	e, err := engine.New(engine.Options{
		Registry: registry, Protocols: []protocol.Protocol{vcp.Protocol{}}, Model: client, Config: engine.DefaultConfig(),
		Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	for _, at := range []engine.EventKind{
		engine.EventText, engine.EventToolStarted, engine.EventToolDone, engine.EventIterationDone,
	} {
		conversation, err := chat.New(e, chat.Options{})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		for event, err := range conversation.Send(ctx, "What is 6*7?") {
			if err == nil && event.Kind == at {
				cancel()
			}
		}
		cancel()
		var called []string
		answer := ""
		for event, err := range conversation.Send(t.Context(), "How humid is it in the greenhouse?") {
			require.NoError(t, err)
			switch event.Kind {
			case engine.EventToolStarted:
				called = append(called, event.Method.FullName)
			case engine.EventIterationDone:
				answer = event.Iteration.Reply.Text.String()
			}
		}
		require.Equal(t, []string{"greenhouse_humidity"}, called, "canceled at %v", at)
		require.NotContains(t, answer, "6*7", "canceled at %v", at)
	}
}

// promptOfUnknownTools returns the system message that defines unknownTools.
func promptOfUnknownTools(t *testing.T) protocol.Message {
	t.Helper()
	registry := tool.NewRegistry()
	require.NoError(t, registry.Register(unknownTools(t)...))
	return promptOf(registry, "en")
}

// requestsIn returns the requests that a reply makes, as show writes them.
func requestsIn(t *testing.T, text string) []string {
	t.Helper()
	options := parser.Options{Finish: protocol.FinishStop, Tolerance: scan.Strict}
	reply, err := parser.ParseToolRequests(vcp.Protocol{}, text, options)
	require.NoError(t, err)
	var calls []string
	for _, q := range reply.Requests {
		require.Equal(t, parser.StatusReady, q.Status, text)
		calls = append(calls, show(q.ToolRequest))
	}
	return calls
}
