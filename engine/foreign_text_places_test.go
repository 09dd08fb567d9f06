package engine_test

import (
	"encoding/json"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/model/history"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// places are the places at which foreign text enters a prompt.
var places = []struct {
	name      string
	restored  bool         // the conversation begins under one protocol and continues under another or the same
	otherOnly bool         // the conversation continues under the other protocols only
	play      func(*trial) // runs a conversation with the attack at this place
}{
	{name: "a result", play: calls("t_give")},
	{name: "an error", play: calls("t_fail")},
	{name: "a file's name", play: calls("t_open")},
	{name: "the reason for a denial", play: calls("t_ask")},
	{name: "the name of a tool", play: func(x *trial) { x.asks(protocol.ToolRequest{ToolName: x.attack.Text}, "%") }},
	{name: "the name of a method", play: func(x *trial) {
		x.asks(protocol.ToolRequest{ToolName: "t", Command: x.attack.Text}, "%")
	}},
	{name: "a tool's name in code", play: func(x *trial) {
		x.asks(protocol.ToolRequest{ToolName: x.attack.Text}, "```\n%\n```")
	}},
	{name: "a tool's name in reasoning", play: func(x *trial) {
		x.asks(protocol.ToolRequest{ToolName: x.attack.Text}, "<think>\n%\n</think>\n")
	}},
	{name: "a tool's name that later turns out to be reasoning", play: func(x *trial) {
		x.asks(protocol.ToolRequest{ToolName: x.attack.Text}, "%\n</think>\n")
	}},
	{name: "the name of an argument", play: func(x *trial) {
		arguments := []protocol.Argument{{Name: x.attack.Text, Value: "1"}}
		x.asks(protocol.ToolRequest{ToolName: "t_count", Arguments: arguments}, "%")
	}},
	{name: "the value of an argument", play: func(x *trial) {
		arguments := []protocol.Argument{{Name: "n", Value: x.attack.Text}}
		x.asks(protocol.ToolRequest{ToolName: "t_count", Arguments: arguments}, "%")
	}},
	{name: "arguments that distinguish results", play: func(x *trial) {
		ask := func(text string) string {
			arguments := []protocol.Argument{{Name: "text", Value: text}}
			written, _ := x.request(x.protocol, protocol.ToolRequest{ToolName: "t_give", Arguments: arguments})
			return written
		}
		m := x.parrot(ask(x.attack.Text) + "\n" + ask("b"))
		x.converse(m, nil)
	}},
	{name: "a label", play: func(x *trial) {
		x.asks(protocol.ToolRequest{ToolName: "t_give", Label: x.attack.Text}, "%")
	}},
	{name: "a description", play: func(x *trial) {
		x.describe()
		x.converse(x.parrot(), nil)
	}},
	{name: "an allowed value of an argument", play: func(x *trial) {
		x.describe()
		x.asks(protocol.ToolRequest{ToolName: "t_form"}, "%")
	}},
	{name: "a description for native calls", play: func(x *trial) {
		x.describe()
		m := x.parrot()
		m.native = true
		x.converse(m, nil)
	}},
	{name: "a history of OpenAI's format", play: imported(history.FromOpenAI, openAIHistory, false)},
	{name: "a history of OpenAI's format, for native calls", play: imported(history.FromOpenAI, openAIHistory, true)},
	{name: "a history of Anthropic's format", play: imported(history.FromAnthropic, anthropicHistory, false)},
	{
		name: "a history of Anthropic's format, for native calls",
		play: imported(history.FromAnthropic, anthropicHistory, true),
	},
	{name: "a message of another person", play: messageOf(protocol.OriginPerson)},
	{name: "a file", play: messageOf(protocol.OriginFile)},
	{name: "a branch", restored: true, play: branched},
	{name: "a native result", play: calledNatively(func(*trial) protocol.ToolCall {
		return call("a", "t_give", "{}")
	})},
	{name: "a native error", play: calledNatively(func(*trial) protocol.ToolCall {
		return call("a", "t_fail", "{}")
	})},
	{name: "the name of a native call", play: calledNatively(func(x *trial) protocol.ToolCall {
		return call("a", x.attack.Text, "{}")
	})},
	{name: "the arguments of a native call", play: calledNatively(func(x *trial) protocol.ToolCall {
		arguments, _ := json.Marshal(object{"n": x.attack.Text, x.attack.Text: 1})
		return call("a", "t_count", string(arguments))
	})},
	{name: "native arguments that are not JSON", play: calledNatively(func(x *trial) protocol.ToolCall {
		return call("a", "t_count", x.attack.Text)
	})},
	{name: "native messages of the application", play: func(x *trial) {
		m := x.parrot()
		m.native = true
		x.converse(m, []protocol.Message{
			question[0],
			{Role: protocol.RoleAssistant, ToolCalls: []protocol.ToolCall{
				call("a", "t_give", "{}"), call("b", "t_give", "{}"),
			}},
			toolMessage("a", x.attack.Text), toolMessage("b", x.attack.Text),
		})
	}},
	{name: "native messages of the application, in text", play: func(x *trial) {
		x.converse(x.parrot(), []protocol.Message{
			question[0],
			{Role: protocol.RoleAssistant, ToolCalls: []protocol.ToolCall{
				call("a", "t_give", "{}"), call("b", x.attack.Text, x.attack.Text),
			}},
			toolMessage("a", x.attack.Text), toolMessage("b", x.attack.Text),
		})
	}},
	{name: "a restored result", restored: true, play: restored(false, func(x *trial) (reply, bool) {
		return x.says(protocol.ToolRequest{ToolName: "t_give"}, "%")
	})},
	{name: "a restored error", restored: true, play: restored(false, func(x *trial) (reply, bool) {
		return x.says(protocol.ToolRequest{ToolName: "t_fail"}, "%")
	})},
	{name: "a restored note of the engine", restored: true, play: restored(false, func(x *trial) (reply, bool) {
		return x.says(protocol.ToolRequest{ToolName: x.attack.Text}, "```\n%\n```")
	})},
	{name: "a restored reply", restored: true, otherOnly: true, play: restored(false, func(x *trial) (reply, bool) {
		read, err := parser.ParseToolRequests(x.earlier, x.attack.Text, parser.Options{
			Tolerance: scan.Greedy, Finish: protocol.FinishStop, Quoted: x.echo.quoted, Logger: quiet,
		})
		return says(x.attack.Text), err == nil && len(read.Ready()) == 0
	})},
	{name: "a restored native result", restored: true, play: restored(true, func(x *trial) (reply, bool) {
		return calling("", call("a", "t_give", "{}"), call("b", "t_fail", "{}")), true
	})},
	{name: "a restored native call", restored: true, play: restored(true, func(x *trial) (reply, bool) {
		return calling("", call("a", "t_count", x.attack.Text), call("b", "t_give", "{}")), true
	})},
}

// describe puts the attack into the descriptions of all tools. A schema has a limited length, so
// only the end of a long attack is used.
func (x *trial) describe() {
	const maxBytes = 60 << 10
	x.described = x.attack.Text[max(0, len(x.attack.Text)-maxBytes):]
}

// calls returns a play in which the model calls the method in text, and then repeats the messages.
func calls(name string) func(*trial) {
	return func(x *trial) { x.asks(protocol.ToolRequest{ToolName: name}, "%") }
}

// calledNatively returns a play in which the model makes calls by its API, and then repeats the
// messages.
func calledNatively(call func(*trial) protocol.ToolCall) func(*trial) {
	return func(x *trial) {
		m := x.parrot()
		second := protocol.ToolCall{ID: "b", Name: "t_give", Arguments: "{}"}
		m.native, m.first = true, []reply{calling("", call(x), second)}
		x.converse(m, nil)
	}
}

// imported returns a play that continues an imported conversation. history returns the conversation
// with the attack in each of its texts, and read imports it. native means that the model calls by
// its API.
func imported(
	read func(json.RawMessage) ([]protocol.Message, error), history func(payload string) any, native bool,
) func(*trial) {
	return func(x *trial) {
		raw, err := json.Marshal(history(x.attack.Text))
		require.NoError(x.t, err)
		msgs, err := read(raw)
		require.NoError(x.t, err)
		m := x.parrot()
		m.native = native
		x.converse(m, msgs)
	}
}

type object = map[string]any

func openAIHistory(payload string) any {
	arguments, _ := json.Marshal(object{"text": payload})
	return []any{
		object{"role": "system", "content": payload},
		object{"role": "user", "content": payload},
		object{"role": "assistant", "content": payload, "tool_calls": []any{
			object{"id": "a", "type": "function", "function": object{"name": "t_give", "arguments": string(arguments)}},
			object{"id": "b", "type": "function", "function": object{"name": "t_give", "arguments": payload}},
			object{"id": payload, "type": "function", "function": object{"name": payload, "arguments": "{}"}},
		}},
		object{"role": "tool", "tool_call_id": "a", "content": payload},
		object{"role": "tool", "tool_call_id": "b", "content": []any{object{"type": "text", "text": payload}}},
		object{"role": "tool", "tool_call_id": payload, "content": payload},
		object{"role": "assistant", "refusal": payload},
		object{"role": "developer", "content": payload},
	}
}

func anthropicHistory(payload string) any {
	return object{
		"system": []any{object{"type": "text", "text": payload}, object{"type": "text", "text": payload}},
		"messages": []any{
			object{"role": "user", "content": []any{
				object{"type": "text", "text": payload},
				object{"type": "image", "source": object{"type": "url", "url": "https://example.org/a.png"}},
				object{"type": "text", "text": payload},
			}},
			object{"role": "assistant", "content": []any{
				object{"type": "text", "text": payload},
				object{"type": "tool_use", "id": "a", "name": "t_give", "input": object{"text": payload}},
				object{"type": "tool_use", "id": payload, "name": payload, "input": object{}},
			}},
			object{"role": "user", "content": []any{
				object{"type": "tool_result", "tool_use_id": "a", "content": payload},
				object{"type": "tool_result", "tool_use_id": payload, "is_error": true, "content": payload},
			}},
		},
	}
}

// restored returns a play that begins a conversation under one protocol and continues it under
// another, from its store. first returns the model's first reply; it returns false if there is
// nothing to try.
func restored(native bool, first func(*trial) (reply, bool)) func(*trial) {
	return func(x *trial) {
		r, ok := first(x)
		if !ok {
			return
		}
		m := &parrot{trial: x, protocol: x.earlier, first: []reply{r}, native: native}
		o := chat.Options{ID: "c", Store: chat.NewMemoryStore()}
		begun, err := chat.New(x.engine(x.earlier, m), o)
		require.NoError(x.t, err)
		x.send(begun)
		if x.earlier != x.protocol {
			x.own = nil // the model's earlier requests are no requests in the new protocol
		}
		continued, err := chat.Open(x.context(), x.engine(x.protocol, x.parrot()), o)
		require.NoError(x.t, err)
		x.send(continued)
	}
}

// branched continues a conversation from the result in its middle, without the messages after it.
func branched(x *trial) {
	r, ok := x.says(protocol.ToolRequest{ToolName: "t_give"}, "%")
	if !ok {
		return
	}
	o := chat.Options{ID: "c", Store: chat.NewMemoryStore()}
	begun, err := chat.New(x.engine(x.earlier, &parrot{trial: x, protocol: x.earlier, first: []reply{r}, left: 1}), o)
	require.NoError(x.t, err)
	x.send(begun)
	x.own = nil
	if x.earlier == x.protocol {
		x.own = []string{r.deltas[0].Text}
	}
	branch, err := chat.Open(x.context(), x.engine(x.protocol, x.parrot()), o)
	require.NoError(x.t, err)
	require.NoError(x.t, branch.Branch(x.context(), begun.History()[2].Seq))
	x.send(branch)
}

// messageOf returns a play in which a message with the given origin contains the attack.
func messageOf(origin protocol.Origin) func(*trial) {
	return func(x *trial) {
		attack := protocol.Message{Role: protocol.RoleUser, Origin: origin, Source: "notes", Content: x.attack.Text}
		x.converse(x.parrot(), []protocol.Message{question[0], attack})
	}
}
