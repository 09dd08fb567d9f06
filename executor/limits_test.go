package executor_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// checkLimited checks that no list and no text in v is long, except the texts at the paths in data.
func checkLimited(t *testing.T, v reflect.Value, path string, data map[string]bool) {
	t.Helper()
	const maxBytes, maxElements = 10_000, 200
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			checkLimited(t, v.Elem(), path, data)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				checkLimited(t, v.Field(i), path+"."+f.Name, data)
			}
		}
	case reflect.String:
		require.LessOrEqual(t, v.Len(), maxBytes, "bytes of %s", path)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			if !data[path] {
				require.LessOrEqual(t, v.Len(), maxBytes, "bytes of %s", path)
			}
			return
		}
		require.LessOrEqual(t, v.Len(), maxElements, "elements of %s", path)
		for i := range v.Len() {
			checkLimited(t, v.Index(i), fmt.Sprintf("%s[%d]", path, i), data)
		}
	}
}

// Whatever a model or a tool writes, no text in a Result or an AuditRecord is long, except the
// arguments and the output of the tool.
func TestUnracedReportsAreLimited(t *testing.T) {
	longtest.SkipIfRaced(t)
	many := longtest.Count(3_000, 30_000)
	long := strings.Repeat("long ", longtest.Count(20_000, 100_000))
	list := func(element string) string { return "[" + strings.Repeat(element+",", many-1) + element + "]" }
	arguments := func(n int, name, value string) (args []protocol.Argument) {
		for i := range n {
			args = append(args, protocol.Argument{Name: fmt.Sprint(name, i), Value: value})
		}
		return args
	}
	members := make([]string, many)
	for i := range members {
		members[i] = fmt.Sprintf(`"x%d":1`, i)
	}
	requestFor := func(name string, args ...protocol.Argument) executor.Request {
		return executor.Request{ID: "1", ToolRequest: protocol.ToolRequest{ToolName: name, Arguments: args}}
	}
	bad := &schema.ArgumentsError{}
	for i := range many {
		bad.Problems = append(bad.Problems, schema.Problem{Path: fmt.Sprint("p", i), Expected: "good", Received: "bad"})
	}
	parameters := json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{
		"list":{"type":"array","items":{"type":"integer"}},"text":{"type":"string"},
		"open":{"type":"object","additionalProperties":false}}}`)
	var methods []tool.Method
	for name, h := range map[string]tool.Handler{
		"works":       says("fine"),
		"fails":       func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, errors.New(long) },
		"refusesMany": func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, bad },
		"refusesLong": func(context.Context, *tool.Call) (tool.Output, error) {
			problem := schema.Problem{Path: long, Expected: long, Received: long, Nearest: long}
			return tool.Output{}, &schema.ArgumentsError{Problems: []schema.Problem{problem}}
		},
		"panics": func(context.Context, *tool.Call) (tool.Output, error) { panic(long) },
	} {
		m, err := tool.Raw(name, "", parameters, h, tool.AgentCallable(), tool.SecretParameters("open"))
		require.NoError(t, err)
		methods = append(methods, m)
	}
	for _, tt := range []struct {
		name   string
		req    executor.Request
		answer func(executor.Question) executor.Answer
	}{
		{"a list with many repairs", requestFor("t_works", protocol.Argument{Name: "list", Value: list(`"1"`)}), nil},
		{"a list with many mistakes", requestFor("t_works", protocol.Argument{Name: "list", Value: list(`"x"`)}), nil},
		{"many unknown arguments", requestFor("t_works", arguments(many, "a", "x")...), nil},
		{"unknown arguments with long names", requestFor("t_works", arguments(10, long, "x")...), nil},
		{
			"one argument many times",
			requestFor("t_works", slices.Repeat([]protocol.Argument{{Name: "text", Value: long[:40]}}, many)...), nil,
		},
		{
			"many unknown members",
			requestFor("t_works", protocol.Argument{Name: "open", Value: "{" + strings.Join(members, ",") + "}"}), nil,
		},
		{"a long name of a tool", requestFor(long), nil},
		{
			"a long command",
			executor.Request{ID: "1", ToolRequest: protocol.ToolRequest{ToolName: "t", Command: long}},
			nil,
		},
		{
			"a long command that is an argument", executor.Request{
				ID:          "1",
				ToolRequest: protocol.ToolRequest{ToolName: "t_works", Command: long},
			}, nil,
		},
		{
			"a long label",
			executor.Request{ID: "1", ToolRequest: protocol.ToolRequest{ToolName: "t_works", Label: long}},
			nil,
		},
		{"a request that cannot be read", executor.Request{ID: "1", Err: &scan.RequestError{Message: long}}, nil},
		{"a long error", requestFor("t_fails"), nil},
		{"a long panic", requestFor("t_panics"), nil},
		{"many problems of a handler", requestFor("t_refusesMany"), nil},
		{"a long problem of a handler", requestFor("t_refusesLong"), nil},
		{
			"a denial with a long reason", requestFor("t_works"),
			func(q executor.Question) executor.Answer { return q.Deny(long) },
		},
		{"an edit with many mistakes", requestFor("t_works"), func(q executor.Question) executor.Answer {
			return q.Edit(json.RawMessage(`{"list":` + list(`"x"`) + `}`))
		}},
		{"an edit with a long mistake", requestFor("t_works"), func(q executor.Question) executor.Answer {
			// orderedjson.MaxDepth allows 100 nested lists.
			lists := strings.Repeat("[", 90) + strings.Repeat("]", 90)
			return q.Edit(json.RawMessage(`{"` + long + `":1,"list":` + lists + `}`))
		}},
		{"a valid edit with a long list", requestFor("t_works"), func(q executor.Question) executor.Answer {
			return q.Edit(json.RawMessage(`{"list":` + list(`1`) + `}`))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var log logBuffer
			var kept records
			o := executor.Options{Logger: logTo(&log), Audit: kept.take}
			if tt.answer != nil {
				o.Policy, o.Approver = askAll, func(_ context.Context, q executor.Question) (executor.Answer, error) {
					require.LessOrEqual(t, len(q.Problem), 5000)
					return tt.answer(q), nil
				}
			}
			r := execute(t, executor.New(registry(t, methods...), o), tt.req)
			checkLimited(t, reflect.ValueOf(r), "result",
				map[string]bool{"result.Arguments": true, "result.Details.Received": true})
			checkLimited(t, reflect.ValueOf(kept.list), "audit", map[string]bool{"audit[0].Arguments": true})
			require.Less(t, len(log.String()), 50_000, "the log")
		})
	}
}
