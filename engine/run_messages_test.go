package engine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// TestTheModelIsShownTheWholeConversation checks the messages that the model is shown for each of
// its two replies.
func TestTheModelIsShownTheWholeConversation(t *testing.T) {
	request := block(t, "t_echo", "text", "hi", "label", "mine")
	model := &script{replies: []reply{says("Let me see.\n", request), says("Done.")}}
	s := session(t, registry(t), model)
	msgs := []protocol.Message{{Role: protocol.RoleSystem, Content: "Be kind."}, question[0]}
	got := run(t, s, msgs)

	require.Equal(t, []protocol.Message{{Role: protocol.RoleSystem, Content: "Be kind."}, question[0]}, msgs,
		"the caller's messages stay as they are")
	first, second := model.asked[0].Messages, model.asked[1].Messages
	require.Equal(t,
		[]protocol.Message{{Role: protocol.RoleSystem, Content: "Be kind.\n\n" + s.Prompt()}, question[0]}, first)
	require.Equal(t, first, second[:2])
	require.Equal(t, protocol.Message{Role: protocol.RoleAssistant, Content: "Let me see.\n" + request}, second[2])
	require.Equal(t, protocol.RoleUser, second[3].Role)
	require.Equal(t, []protocol.ToolResult{
		{ResultID: "mine", ToolName: "t_echo", Status: protocol.StatusSuccess, Result: "hi"},
	}, results(t, second[3]))
	require.Len(t, second, 4)

	require.Equal(t, second[2:], s.Render(got.iterations[0].Messages()), "the iteration has the messages that it added")
	require.Equal(t, []protocol.Message{{
		Role: protocol.RoleAssistant, Origin: protocol.OriginModel, Protocol: "vcp", Content: "Done.",
	}}, got.iterations[1].Messages())
}

func TestThePromptIsTheModelsFirstMessage(t *testing.T) {
	t.Run("a history without a system message gets one", func(t *testing.T) {
		model := &script{replies: []reply{says("Hello.")}}
		s := session(t, registry(t), model)
		run(t, s, question)
		require.Equal(t, []protocol.Message{{Role: protocol.RoleSystem, Content: s.Prompt()}, question[0]},
			model.asked[0].Messages)
	})
	t.Run("nothing is added if no tool is enabled", func(t *testing.T) {
		model := &script{replies: []reply{says("Hello.")}}
		s := session(t, registry(t), model, config(func(c *engine.Config) { c.DefaultToolEnabled = false }))
		run(t, s, question)
		require.Empty(t, s.Prompt())
		require.Equal(t, question, model.asked[0].Messages)
	})
	t.Run("nothing is added if tool calling is disabled", func(t *testing.T) {
		model := &script{replies: []reply{says("Hello.")}}
		run(t, session(t, registry(t), model, config(func(c *engine.Config) { c.Enabled = false })), question)
		require.Equal(t, question, model.asked[0].Messages)
	})
	t.Run("a tool registered by a tool is shown with the next reply", func(t *testing.T) {
		var reg *tool.Registry
		reg = registry(t, method(t, "grow", func(context.Context, *tool.Call) (tool.Output, error) {
			return tool.Output{}, reg.Register(tool.Tool{ID: "new", Methods: []tool.Method{method(t, "born", nop)}})
		}))
		model := &script{replies: []reply{says(block(t, "t_grow")), says("Done.")}}
		run(t, session(t, reg, model), question)
		require.Equal(t, []string{"results_read", "t_echo", "t_grow"}, definitions(t, model.asked[0]))
		require.Equal(t, []string{"new_born", "results_read", "t_echo", "t_grow"}, definitions(t, model.asked[1]))
	})
}

// After the last reply that may use tools, the model has one reply to answer. If this reply
// requests something again, the model has one more.
func TestTheModelSeesNoToolsForItsLastReply(t *testing.T) {
	for _, tt := range []struct{ language, note string }{
		{"", "Tools are no longer available"}, {"zh", "工具已不可用"},
	} {
		model := &script{replies: []reply{
			says(block(t, "t_echo", "text", "kept")), says("The last. ", block(t, "t_echo")),
			says("The very last. ", block(t, "t_echo")),
		}}
		s := session(t, registry(t), model, config(func(c *engine.Config) { c.MaxIterations = 1 }),
			func(o *engine.Options) {
				o.Profile = &engine.Profile{Prompt: protocol.PromptOptions{Language: tt.language}}
			})
		got := run(t, s, []protocol.Message{{Role: protocol.RoleSystem, Content: "Be kind."}, question[0]})

		second := model.asked[1] // after the limit was reached
		require.Empty(t, definitions(t, second), "no tools are shown")
		require.Equal(t, "Be kind.", second.Messages[0].Content)
		end := second.Messages[len(second.Messages)-1]
		require.Contains(t, end.Content, tt.note, "the model is told that tools are not available")
		require.Equal(t, "kept", results(t, end)[0].Result, "the last results are there")

		require.NotContains(t, got.iterations[0].ResultMessage.Content, tt.note,
			"the note is not part of the conversation")
		final := got.iterations[2]
		require.Len(t, final.Requests, 1, "the iteration has the request that does not run")
		require.Nil(t, final.Results)
		require.Equal(t, []protocol.Message{{
			Role: protocol.RoleAssistant, Origin: protocol.OriginModel, Protocol: protocol.NoProtocol,
			Content: "The very last. ",
		}}, final.Messages(), "a request without a result does not stay in the conversation")
		require.Equal(t, "The last. ", got.iterations[1].Assistant.Content)
		require.Contains(t, model.asked[2].Messages[len(model.asked[2].Messages)-1].Content, tt.note,
			"the model is told again")
	}
}
