package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"
)

func TestEditedArgumentsAreChecked(t *testing.T) {
	type in struct {
		Path  string `json:"path"`
		Depth int    `json:"depth,omitempty" default:"3"`
		Key   string `json:"key,omitempty"`
	}
	for _, tt := range []struct {
		name    string
		edits   []string // the answers to the questions, one after the other
		ran     string   // the arguments with which the call ran; "" if it did not run
		text    string   // the beginning of what the model reads
		problem string   // a part of the Problem of the last question
	}{
		{
			"arguments that fit run, and the model is told",
			[]string{`{"path":"b","depth":1}`},
			`{"path":"b","depth":1}`,
			"[The user changed the arguments of this call to {\"path\":\"b\",\"depth\":1}]\nread b", "",
		},
		{
			"another spelling of a name, and an omitted default",
			[]string{`{"Path":"b"}`},
			`{"path":"b","depth":3}`,
			"[The user changed the arguments of this call to {\"path\":\"b\",\"depth\":3}]\nread b", "",
		},
		{
			"arguments that the schema refuses",
			[]string{`{"depth":1}`, `{"path":"c"}`},
			`{"path":"c","depth":3}`,
			"[The user changed", "path",
		},
		{
			"arguments that are not an object",
			[]string{`["b"]`, `{"path":"c"}`},
			`{"path":"c","depth":3}`, "[The user changed",
			"not a JSON object",
		},
		{
			"arguments that are two objects",
			[]string{`{"path":"b"}{}`, `{"path":"c"}`},
			`{"path":"c","depth":3}`,
			"[The user changed", "not a JSON object",
		},
		{
			"arguments that are never valid",
			[]string{`{}`, `{}`, `{}`, `{}`, `{}`},
			"",
			"This call needs the user's approval, which is unavailable.", "path",
		},
		{
			"arguments with a secret",
			[]string{`{"path":"b","key":"hush"}`},
			`{"path":"b","depth":3,"key":"hush"}`,
			"[The user changed the arguments of this call to {\"path\":\"b\",\"depth\":3,\"key\":\"[secret]\"}]\nread b", "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ran := ""
			m, err := tool.New("read", "Reads.", func(_ context.Context, in in) (string, error) {
				text, err := json.Marshal(in)
				ran = string(text)
				return "read " + in.Path, err
			}, tool.AgentCallable(), tool.SecretParameters("key"))
			require.NoError(t, err)
			edits, problem := tt.edits, ""
			o := askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
				edit := edits[0]
				edits, problem = edits[1:], q.Problem
				return q.Edit(json.RawMessage(edit)), nil
			})
			r := execute(t, executor.New(registry(t, m), o), request("1", "t_read", "path", "a"))
			require.Equal(t, tt.ran, ran)
			require.Truef(t, strings.HasPrefix(r.ToolResult.Result, tt.text), "the model reads %q", r.ToolResult.Result)
			require.Contains(t, problem, tt.problem)
			require.Empty(t, edits)
			require.Equal(t, tt.ran != "", r.Edited)
			if tt.ran != "" {
				require.JSONEq(t, tt.ran, string(r.Arguments))
			}
		})
	}
	t.Run("arguments with the same meaning are not a change", func(t *testing.T) {
		x := executor.New(registry(t, method(t, "tool", says("ran"))),
			askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
				return q.Edit(json.RawMessage(`{ "text" : "\u0061" }`)), nil
			}))
		r := execute(t, x, request("1", "t_tool", "text", "a"))
		require.Equal(t, "ran", r.ToolResult.Result)
		require.False(t, r.Edited)
	})
	t.Run("arguments of a call that fails", func(t *testing.T) {
		x := executor.New(registry(t, method(t, "tool", func(context.Context, *tool.Call) (tool.Output, error) {
			return tool.Output{}, errors.New("no such text")
		})), askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
			return q.Edit(json.RawMessage(`{"text":"b"}`)), nil
		}))
		r := execute(t, x, request("1", "t_tool", "text", "a"))
		require.Equal(t, "[The user changed the arguments of this call to {\"text\":\"b\"}]\nno such text",
			r.ToolResult.Result)
	})
}
