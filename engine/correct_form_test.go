package engine_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// TestTheCorrectFormKeepsTheCall makes a model write a request in a form that is not read. The
// model is shown the request in the correct form only if this form requests the same call.
func TestTheCorrectFormKeepsTheCall(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{
		"a":{"type":"integer"},"b":{"type":"integer"},"label":{"type":"string"}},"required":["a","b"]}`)
	add, err := tool.Raw("add", "adds", schema, func(context.Context, *tool.Call) (tool.Output, error) {
		t.Error("a request that is not read runs nothing")
		return tool.Output{}, nil
	}, tool.AgentCallable())
	require.NoError(t, err)
	shown := func(arguments ...protocol.Argument) []protocol.ToolRequest {
		return []protocol.ToolRequest{{ToolName: "t_add", Arguments: arguments}}
	}
	number := func(name, value string) protocol.Argument {
		return protocol.Argument{Name: name, Value: value, Form: protocol.FormJSON}
	}
	for _, tt := range []struct {
		name, arguments string
		want            []protocol.ToolRequest // what the model is shown
	}{
		{
			"a whole call", `<parameter name="a">1</parameter><parameter name="b">2</parameter>`,
			shown(number("a", "1"), number("b", "2")),
		},
		{
			"with an optional argument",
			`<parameter name="a">1</parameter><parameter name="label">x</parameter><parameter name="b">2</parameter>`,
			shown(number("a", "1"), number("b", "2"), protocol.Argument{Name: "label", Value: "x"}),
		},
		{
			"with the arguments as one object", `<parameter name="arguments">{"a":1,"b":2,"label":"x"}</parameter>`,
			shown(number("a", "1"), number("b", "2"), protocol.Argument{Name: "label", Value: "x"}),
		},
		{
			"with null in an object", `<parameter name="arguments">{"a":1,"b":2,"label":null}</parameter>`,
			shown(number("a", "1"), number("b", "2"), protocol.Argument{Name: "label", Value: "null", Form: protocol.FormJSON}),
		},
		{"without a required argument", `<parameter name="a">1</parameter>`, nil},
		{
			"with an argument that the method does not have",
			`<parameter name="a">1</parameter><parameter name="b">2</parameter><parameter name="round">no</parameter>`,
			nil,
		},
		{
			"with a misspelled optional argument",
			`<parameter name="a">1</parameter><parameter name="b">2</parameter><parameter name="lable">x</parameter>`,
			nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			written := `<function_calls><invoke name="t_add">` + tt.arguments + `</invoke></function_calls>`
			o := run(t, session(t, registry(t, add), scriptOf(written, "Done.")), question)
			message := o.iterations[0].ResultMessage
			require.NotNil(t, message, "the model is told that the request did not run")
			require.Empty(t, cmp.Diff(tt.want, message.Examples))
		})
	}
}
