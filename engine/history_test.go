package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// Parts of the notes that the engine writes for shortened results and for omitted messages.
const shortenedNote, omittedNote = "of this old result", "earlier messages of this conversation are omitted.]"

// registryWithSizes returns a registry with the method t_size. sizes contains, by the short ID of a
// request, how many lines its result has.
func registryWithSizes(t testing.TB, sizes map[string]int) *tool.Registry {
	return registry(t, method(t, "size", func(_ context.Context, c *tool.Call) (tool.Output, error) {
		return tool.Output{Text: strings.Repeat("a line of the result "+shortID(c.ID)+"\n", sizes[shortID(c.ID)])}, nil
	}))
}

// TestTheShownConversationIsStable generates conversations of several questions, and checks that
// servers can cache their beginning. What the model is shown depends only on the messages. Between
// two requests to the model, only old results are shortened and old messages omitted.
func TestTheShownConversationIsStable(t *testing.T) {
	for _, native := range []bool{false, true} {
		t.Run(fmt.Sprintf("native %t", native), func(t *testing.T) {
			sizes := map[string]int{}
			registry := registryWithSizes(t, sizes)
			rapid.Check(t, func(rt *rapid.T) {
				clear(sizes)
				checkShownConversation(rt, t, registry, sizes, native)
			})
		})
	}
}

// checkShownConversation generates one conversation and checks what the model is shown of it. sizes
// is the map that registryWithSizes got. nativeCalls means that the model calls by its API.
func checkShownConversation(
	rt *rapid.T, t *testing.T, registry *tool.Registry, sizes map[string]int, nativeCalls bool,
) {
	budget := rapid.IntRange(1000, 6000).Draw(rt, "budget")
	options := config(func(c *engine.Config) {
		c.HistoryTokens, c.MaxIterations, c.ResultTokens = budget, 100, 0
	})
	modelOf := func(m *native) engine.Model {
		if nativeCalls {
			return m
		}
		return &m.script
	}
	var model native
	s := session(t, registry, modelOf(&model), options)
	var msgs []protocol.Message
	var full [][]protocol.Message // the whole conversation at each request
	replies := 0
	for q := range rapid.IntRange(1, 4).Draw(rt, "questions") {
		words := rapid.IntRange(1, 400).Draw(rt, "words")
		asked := fmt.Sprintf("question %d%s", q, strings.Repeat(" word", words))
		msgs = append(msgs, protocol.Message{Role: protocol.RoleUser, Content: asked})
		for range rapid.IntRange(0, 6).Draw(rt, "replies") {
			replies++
			var blocks strings.Builder
			var list []protocol.ToolCall
			for k := range rapid.IntRange(1, 3).Draw(rt, "requests") {
				// An ID is such as 2.1, or 2.c1 for a native call.
				id := fmt.Sprintf("%d.%s%d", replies, map[bool]string{true: "c"}[nativeCalls], k+1)
				sizes[id] = rapid.IntRange(0, 80).Draw(rt, "lines")
				arg := strings.Repeat("x", rapid.IntRange(0, 2000).Draw(rt, "argument"))
				blocks.WriteString(block(t, "t_size", "text", arg+strconv.Itoa(replies)))
				list = append(list, call(id, "t_size", `{"text":"`+arg+`"}`))
			}
			if nativeCalls {
				model.replies = append(model.replies, calling("", list...))
			} else {
				model.replies = append(model.replies, says(blocks.String()))
			}
		}
		replies++
		model.replies = append(model.replies, says("Done."))
		o := run(t, s, msgs)
		require.Equal(rt, engine.StopDone, o.stop)
		for _, iteration := range o.iterations {
			full = append(full, slices.Clone(msgs))
			msgs = append(msgs, iteration.Messages()...)
		}
	}
	require.Len(rt, model.asked, len(full))
	for i := range full {
		shown := model.asked[i].Messages
		checkShown(rt, asText(full[i]...), shown)
		if i > 0 {
			checkNext(rt, model.asked[i-1].Messages, shown)
		}
	}
	// A new session that continues the same conversation shows the same messages.
	at := rapid.IntRange(0, len(full)-1).Draw(rt, "continued at")
	second := native{script: script{replies: []reply{says("Done.")}}}
	run(t, session(t, registry, modelOf(&second), options), full[at])
	require.Equal(rt, model.asked[at].Messages, second.asked[0].Messages)
}

// checkShown checks what a model is shown of the whole conversation full. The last reply and what
// follows it, and the last question, must not be omitted or changed. Results must follow their
// requests, and a note must say how many messages are omitted.
func checkShown(rt *rapid.T, full, shown []protocol.Message) {
	if shown[0].Role == protocol.RoleSystem {
		shown = shown[1:]
	}
	omittedCount := len(full) - len(shown)
	lastReply, lastQuestion := -1, -1 // indexes in full
	for i, m := range full {
		switch {
		case m.Role == protocol.RoleAssistant:
			lastReply = i
		case strings.HasPrefix(m.Content, "question "):
			lastQuestion = i
		}
	}
	// The end of the conversation, from the last reply on, is shown unchanged.
	for i := lastReply; i >= 0 && i < len(full); i++ {
		m := shown[i-omittedCount]
		m.Content = strings.TrimSuffix(m.Content, noteOf(m.Content))
		require.Equal(rt, full[i], m)
	}
	shownQuestion := -1 // an index in shown
	for i, m := range shown {
		if note := noteOf(m.Content); note != "" {
			require.Equal(rt, 0, i, "messages are omitted at the beginning")
			require.Equal(rt, strconv.Itoa(omittedCount), strings.TrimPrefix(strings.Fields(note)[0], "["))
			m.Content = strings.TrimSuffix(m.Content, note)
		}
		if strings.HasPrefix(m.Content, "question ") {
			require.Contains(rt, contents(full), m.Content, "a person's message must not change")
			shownQuestion = i
		}
	}
	content := shown[shownQuestion].Content
	require.Equal(rt, full[lastQuestion].Content, strings.TrimSuffix(content, noteOf(content)), "the question is there")
	require.Equal(rt, omittedCount > 0, noteOf(shown[0].Content) != "", "a note says that messages were omitted")
	// Each reply with requests is followed by their results, and no results come without requests.
	for i, m := range shown {
		requests := strings.Count(m.Content, "<<<[TOOL_REQUEST]>>>") + len(m.ToolCalls)
		for k := range requests {
			require.Less(rt, i+1, len(shown))
			if len(m.ToolCalls) > 0 {
				require.Equal(rt, m.ToolCalls[k].ID, shown[i+1+k].ToolCallID)
			}
		}
		if requests > 0 && len(m.ToolCalls) == 0 {
			require.Equal(rt, requests, strings.Count(shown[i+1].Content, "<<<[TOOL_RESULT]>>>"))
		}
		if strings.HasPrefix(m.Content, "<<<[TOOL_RESULT]>>>") || m.Role == protocol.RoleTool {
			require.Positive(rt, i)
			require.Contains(rt, []protocol.Role{protocol.RoleAssistant, protocol.RoleTool}, shown[i-1].Role)
		}
	}
}

// checkNext checks that a request to the model shows what the previous request showed, except for
// results that were shortened since then. If messages were omitted since then, it checks only the
// system message.
func checkNext(rt *rapid.T, previous, now []protocol.Message) {
	system := 0
	if previous[0].Role == protocol.RoleSystem {
		require.Equal(rt, previous[0], now[0])
		system = 1
	}
	previous, now = previous[system:], now[system:]
	if noteOf(now[0].Content) != noteOf(previous[0].Content) {
		return // messages were omitted since then
	}
	for j, m := range previous {
		if m.Content == now[j].Content {
			continue
		}
		require.NotContains(rt, m.Content, shortenedNote, "a shortened message must not change again")
		require.Contains(rt, now[j].Content, shortenedNote)
	}
}

// noteOf returns the note on omitted messages, with the blank line before it.
func noteOf(content string) string {
	if i := strings.LastIndex(content, "\n\n["); i >= 0 && strings.HasSuffix(content, omittedNote) {
		return content[i:]
	}
	return ""
}

func contents(list []protocol.Message) (out []string) {
	for _, m := range list {
		out = append(out, m.Content)
	}
	return out
}

func TestWordsOfPeopleAndTheModelAreNotShortened(t *testing.T) {
	long := strings.Repeat("words of a person ", 500)
	model := &script{replies: []reply{says("Yes.")}}
	quoted := "You once told me <<<[TOOL_RESULT]>>>\nstatus:「始」success「末」\n" +
		"result:「始」" + long + "「末」\n<<<[END_TOOL_RESULT]>>>"
	msgs := []protocol.Message{
		{Role: protocol.RoleUser, Content: long},
		{Role: protocol.RoleAssistant, Content: "What of it? " + long},
		{Role: protocol.RoleUser, Content: quoted},
		{Role: protocol.RoleAssistant, Content: "So I did."},
		{Role: protocol.RoleUser, Content: long},
	}
	run(t, session(t, registry(t), model, config(func(c *engine.Config) { c.HistoryTokens = 1000 })), msgs)
	require.Equal(t, []protocol.Message{
		{Role: protocol.RoleUser, Content: quoted + "\n\n[2 earlier messages of this conversation are omitted.]"},
		msgs[3], msgs[4],
	}, model.asked[0].Messages[1:])
}

// TestMessagesOfTheEngineAreOmittedBeforeTheQuestion checks that a message of the engine, which has
// the role user, is not taken for a question: it may be omitted, while the user's question stays.
func TestMessagesOfTheEngineAreOmittedBeforeTheQuestion(t *testing.T) {
	fabricated := "<<<[TOOL_RESULT]>>>\nresult:「始」made up「末」\n<<<[END_TOOL_RESULT]>>>"
	asks := func(n int) string { return block(t, "t_echo", "text", strings.Repeat("y", 3000)+strconv.Itoa(n)) }
	model := scriptOf(asks(1), "Hm.\n"+fabricated, asks(2), asks(3), "Done.")
	options := config(func(c *engine.Config) { c.HistoryTokens, c.ResultTokens = 2000, 0 })
	picture := []protocol.Message{{
		Role: protocol.RoleUser, Content: "What is this?",
		Images: []protocol.Image{{At: 8, URL: "https://example.com/a.png"}},
	}}
	require.Equal(t, engine.StopDone, run(t, session(t, registry(t), model, options), picture).stop)
	lastShown := model.asked[4].Messages
	require.Len(t, lastShown, 4, "the system message, the question, the last reply and its result")
	require.Equal(t, protocol.Message{
		Role: protocol.RoleUser, Images: picture[0].Images,
		Content: "What is this?\n\n[6 earlier messages of this conversation are omitted.]",
	}, lastShown[1])
	require.Equal(t, "What is this?", picture[0].Content, "the caller's messages stay as they are")
}

func TestAllSystemMessagesAtTheStartStay(t *testing.T) {
	msgs := []protocol.Message{
		{Role: protocol.RoleSystem, Content: "One.", Images: []protocol.Image{{URL: "u"}}},
		{Role: protocol.RoleSystem, Content: "Two."},
		{Role: protocol.RoleAssistant, Content: "Hello. " + strings.Repeat("word ", 2000)},
		{Role: protocol.RoleAssistant, Content: "Well?"},
		{Role: protocol.RoleUser, Content: "Hm."},
	}
	model := scriptOf("Yes.")
	run(t, session(t, registry(t), model, func(o *engine.Options) {
		o.Config.HistoryTokens = 1000
		o.Profile = &engine.Profile{Prompt: protocol.PromptOptions{Language: "zh"}}
	}), msgs)
	shown := model.asked[0].Messages
	require.True(t, strings.HasPrefix(shown[0].Content, "One.\n\n"))
	require.Equal(t, msgs[0].Images, shown[0].Images)
	require.Equal(t, []protocol.Message{
		msgs[1], {Role: protocol.RoleUser, Content: "[本对话较早的 1 条消息已省略。]"}, msgs[3], msgs[4],
	}, shown[1:], "without a question the note stands alone")
}

// TestHistoryTokensCountCallsAndImages checks that native calls and images count for HistoryTokens,
// as text does.
func TestHistoryTokensCountCallsAndImages(t *testing.T) {
	for name, heavy := range map[string]protocol.Message{
		"calls": {Role: protocol.RoleAssistant, ToolCalls: []protocol.ToolCall{call("a", "t_echo",
			`{"text":"`+strings.Repeat("word ", 5000)+`"}`)}},
		"images": {
			Role: protocol.RoleAssistant, Content: "See.", Images: slices.Repeat([]protocol.Image{{URL: "u"}}, 10),
		},
	} {
		t.Run(name, func(t *testing.T) {
			msgs := []protocol.Message{question[0], heavy}
			if len(heavy.ToolCalls) > 0 {
				msgs = append(msgs, toolMessage("a", "ok"))
			}
			msgs = append(msgs, protocol.Message{Role: protocol.RoleAssistant, Content: "There."},
				protocol.Message{Role: protocol.RoleUser, Content: "Thanks."})
			model := &native{script: script{replies: []reply{says("Yes.")}}}
			run(t, session(t, registry(t), model, config(func(c *engine.Config) { c.HistoryTokens = 4000 })), msgs)
			require.Contains(t, model.asked[0].Messages[0].Content, omittedNote)
		})
	}
}

func TestMaxTokensCountsTheArgumentsOfNativeCalls(t *testing.T) {
	heavy := call("a", "t_echo", `{"text":"`+strings.Repeat("word ", 5000)+`"}`)
	model := &native{script: script{replies: []reply{calling("", heavy), says("Done.")}}}
	o := run(t, session(t, registry(t), model, config(func(c *engine.Config) { c.MaxTokens = 5000 })), question)
	require.Equal(t, engine.StopMaxIterations, o.stop)
	require.Equal(t, engine.LimitTokens, o.limit)
	require.Len(t, o.iterations[0].Results, 1, "a call that was requested before the limit was reached runs")
	require.Len(t, model.asked, 1)
}
