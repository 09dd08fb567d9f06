package engine_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// truncatedReply returns a reply that was truncated at the token limit.
func truncatedReply(texts ...string) reply {
	r := unfinished(texts...)
	r.deltas = append(r.deltas, engine.Delta{Finished: true, Finish: protocol.FinishLength})
	return r
}

// recordingRegistry returns a registry with methods that record their calls in ran. The only
// required argument is "path" of t_write.
func recordingRegistry(t testing.TB, ran *[]string) *tool.Registry {
	handler := func(_ context.Context, c *tool.Call) (tool.Output, error) {
		*ran = append(*ran, c.Method.FullName+string(c.Arguments))
		return tool.Output{Text: "ok"}, nil
	}
	raw := func(name, properties, required string) tool.Method {
		schema := json.RawMessage(`{"type":"object","properties":` + properties + `,"required":` + required + `}`)
		m, err := tool.Raw(name, "does "+name, schema, handler, tool.AgentCallable())
		require.NoError(t, err)
		return m
	}
	return registry(t,
		raw("write", `{"path":{"type":"string"},"content":{"type":"string"}}`, `["path"]`),
		raw("run", `{"command":{"type":"string"},"cwd":{"type":"string"}}`, `[]`))
}

// withProtocol makes p the only protocol.
func withProtocol(p protocol.Protocol) func(*engine.Options) {
	return func(o *engine.Options) { o.Protocols = []protocol.Protocol{p} }
}

func TestATruncatedRequestRunsOnlyIfItIsCompleted(t *testing.T) {
	const begin = "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_write「末」\npath:「始」a「末」\n"
	const batch = "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t「末」\ncommand1:「始」write「末」 path1:「始」a「末」\n" +
		"command2:「始」write「末」 path2:「始」b「末」 "
	const end = "\n<<<[END_TOOL_REQUEST]>>>"
	one, two := block(t, "t_write", "path", "1"), block(t, "t_write", "path", "2", "content", "xy")
	const open = "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t「末」,\ncommand1:「始」write「末」,\npath1:「始」a「末」,\n"
	const second = "command2:「始」write「末」,\npath2:「始」b「末」,\ncontent2:「始」long「末」"
	const coder = "<tool_call>\n<function=t_write>\n<parameter=path>\na\n</parameter>\n"
	const list = "<tool_call>\n[{\"name\": \"t_write\", \"arguments\": {\"path\": \"a\""
	const nextInList = `}}, {"name": "t_write", "arguments": {"path": "b", "content": "long"}}]` + "\n</tool_call>"
	const call = "<tool_call>\n{\"name\": \"t_write\", \"arguments\": {\"path\": \"a\", \"content\": \"x"
	for _, tt := range []struct {
		name         string
		protocol     protocol.Protocol
		truncated    string
		continuation string
		want         []string // the calls that run
	}{
		{"a request truncated in a name does not run without that field", vcp.Protocol{}, begin + "conte", end, nil},
		{
			"a request truncated before a value does not run without that field",
			vcp.Protocol{},
			begin + "**content**: 「", end, nil,
		},
		{
			"a request truncated in a name runs with that field",
			vcp.Protocol{},
			begin + "conte", "content:「始」xy「末」" + end,
			[]string{`t_write{"path":"a","content":"xy"}`},
		},
		{
			"a request that lacked only its end runs",
			vcp.Protocol{},
			begin + "<<<[END_TO", end,
			[]string{`t_write{"path":"a"}`},
		},
		{
			"a request truncated in its command runs with the command",
			vcp.Protocol{},
			"<<<[TOOL_REQUEST]>>>\ntool_name:「始」t「末」\npath:「始」a「末」\ncommand:「始」wr", "command:「始」write「末」" + end,
			[]string{`t_write{"path":"a"}`},
		},
		{
			"an argument with the name command is completed like any other",
			vcp.Protocol{},
			"<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_run「末」\ncwd:「始」/「末」\ncommand:「始」ls", "command:「始」ls -l「末」" + end,
			[]string{`t_run{"command":"ls -l","cwd":"/"}`},
		},
		{
			"a request truncated in the argument command does not run without it",
			vcp.Protocol{},
			"<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_run「末」\ncwd:「始」/「末」\ncommand:「始」ls", end, nil,
		},
		{
			"a request truncated in its label runs",
			vcp.Protocol{},
			begin + "request_id:「始」min", "request_id:「始」mine「末」" + end,
			[]string{`t_write{"path":"a"}`},
		},
		{
			"a label is not the truncated argument",
			vcp.Protocol{},
			begin + "content:「始」x", "request_id:「始」mine「末」" + end, nil,
		},
		{
			"a batch runs as a whole",
			vcp.Protocol{},
			batch + "content2:「始」x", "content2:「始」xy「末」" + end,
			[]string{`t_write{"path":"a"}`, `t_write{"path":"b","content":"xy"}`},
		},
		{
			"no request of a batch runs if one of them stays truncated",
			vcp.Protocol{},
			batch + "content2:「始」x",
			end, nil,
		},
		{
			"each request of a reply written again in the same words runs once",
			vcp.Protocol{},
			one + "\nand " + strings.TrimSuffix(two, "y「末」"+end), one + "\nand " + two,
			[]string{`t_write{"path":"1"}`, `t_write{"path":"2","content":"xy"}`},
		},
		{
			"each request of a reply written again in other words runs once",
			vcp.Protocol{},
			one + "\nand " + strings.TrimSuffix(two, "y「末」"+end), "Once more: " + one + "\nthen " + two,
			[]string{`t_write{"path":"1"}`, `t_write{"path":"2","content":"xy"}`},
		},
		{
			"a request written again runs once if the truncated one is not written again",
			vcp.Protocol{},
			one + "\nand " + strings.TrimSuffix(two, "y「末」"+end), "Once more: " + one,
			[]string{`t_write{"path":"1"}`},
		},
		{
			"a request that the reply contains twice runs twice",
			vcp.Protocol{},
			one + one + strings.TrimSuffix(two, "y「末」"+end), "content:「始」xy「末」" + end,
			[]string{`t_write{"path":"1"}`, `t_write{"path":"1"}`, `t_write{"path":"2","content":"xy"}`},
		},
		{
			"JSON is continued at the comma",
			hermes.Protocol{},
			call, `, "content": "xy"}}` + "\n</tool_call>",
			[]string{`t_write{"path":"a","content":"xy"}`},
		},
		{
			"JSON is continued after the comma",
			hermes.Protocol{},
			call, `"content": "xy"}}` + "\n</tool_call>",
			[]string{`t_write{"path":"a","content":"xy"}`},
		},
		{
			"JSON is continued from the start of a call within its line",
			hermes.Protocol{},
			"See " + call,
			call + "y\"}}\n</tool_call>",
			[]string{`t_write{"path":"a","content":"xy"}`},
		},
		{
			"a call in JSON does not run without the truncated argument",
			hermes.Protocol{},
			call,
			"}}\n</tool_call>", nil,
		},
		{
			"raw text is continued with its parameter",
			qwencoder.Protocol{},
			coder + "<parameter=content>\nonly the be",
			"<parameter=content>\nxy\n</parameter>\n</function>\n</tool_call>",
			[]string{`t_write{"path":"a","content":"xy"}`},
		},
		{
			"raw text is continued at its end tags",
			qwencoder.Protocol{},
			coder + "<parameter=content>\nxy\n</parameter>\n</func", "</function>\n</tool_call>",
			[]string{`t_write{"path":"a","content":"xy"}`},
		},
		{
			"a call that is written before the truncated one is refused",
			qwencoder.Protocol{},
			coder + "<parameter=content>\nonly the be",
			"<tool_call>\n<function=t_write>\n<parameter=path>\nb\n</parameter>\n</function>\n</tool_call>\n" +
				coder + "<parameter=content>\nxy\n</parameter>\n</function>\n</tool_call>", nil,
		},
		{
			"raw text does not run without the parameter that was truncated",
			qwencoder.Protocol{},
			coder + "<parameter=content>\nonly the be", "</function>\n</tool_call>", nil,
		},
		{
			"an argument of another call of the batch is not the truncated argument",
			vcp.Protocol{},
			open + "content1:「始」only the old fi", second + end, nil,
		},
		{
			"an argument of a second call does not complete a name that was truncated before its number",
			vcp.Protocol{},
			begin + "conte", "command2:「始」write「末」,\npath2:「始」b「末」,\ncontent2:「始」long「末」" + end, nil,
		},
		{
			"an argument of another call in the list is not the truncated argument",
			hermes.Protocol{},
			list + `, "content": "on`, nextInList, nil,
		},
		{
			"an argument of another call in the list does not complete a truncated name",
			hermes.Protocol{},
			list + `, "conte`, nextInList, nil,
		},
		{
			"a name that was truncated in JSON is completed",
			hermes.Protocol{},
			list + `, "conte`, `, "content": "xy"}}]` + "\n</tool_call>",
			[]string{`t_write{"path":"a","content":"xy"}`},
		},
		{
			"another argument is not the truncated argument",
			vcp.Protocol{},
			begin + "content:「始」x", "mode:「始」0600「末」" + end, nil,
		},
		{
			"another argument before the truncated one is refused",
			vcp.Protocol{},
			begin + "content:「始」x", "mode:「始」0600「末」\ncontent:「始」xy「末」" + end, nil,
		},
		{
			"a request that was truncated in its end takes no further field",
			vcp.Protocol{},
			begin + "<<<[END_TO", "content:「始」xy「末」" + end, nil,
		},
		{
			"a command that begins otherwise is not the truncated command",
			vcp.Protocol{},
			"<<<[TOOL_REQUEST]>>>\ntool_name:「始」t「末」\npath:「始」a「末」\ncommand:「始」wr", "command:「始」echo「末」" + end, nil,
		},
		{
			"a call that is written instead does not run",
			vcp.Protocol{},
			begin + "content:「始」x", "\n" + block(t, "t_run", "cwd", "/"), nil,
		},
		{
			"a call that follows an end without the argument does not run",
			vcp.Protocol{},
			one + begin + "content:「始」x", end + "\n" + block(t, "t_run", "cwd", "/"),
			[]string{`t_write{"path":"1"}`},
		},
		{
			"a call written again without the argument does not run",
			vcp.Protocol{},
			begin + "content:「始」x", "\nAgain:\n" + one, nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var ran []string
			m := &script{replies: []reply{truncatedReply(tt.truncated), says(tt.continuation), says("Done.")}}
			o := run(t, session(t, recordingRegistry(t, &ran), m, withProtocol(tt.protocol)), question)
			require.Equal(t, engine.StopDone, o.stop)
			require.Equal(t, 1, o.iterations[0].Continued)
			require.Equal(t, tt.want, ran)
			require.Len(t, o.iterations[0].Results, len(o.iterations[0].Requests))
			require.Empty(t, reportedTwice(o.trace),
				"a part of an argument is reported again only after argument_voided")
		})
	}
}

// reportedTwice returns the arguments whose pieces were reported twice without argument_voided
// between the two.
func reportedTwice(trace []string) (list []string) {
	seen := map[string]bool{}
	for _, line := range trace {
		if head, _, ok := strings.Cut(line, " |"); ok && strings.HasPrefix(head, "argument_delta") {
			if seen[head] {
				list = append(list, head)
			}
			seen[head] = true
		}
		if line == "argument_voided" {
			clear(seen)
		}
	}
	return list
}
