package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"
)

// answers is an approver that answers each question with the next word: allow, deny, or late. With
// late it allows the call only after the context has ended.
type answers struct{ list []string }

func (a *answers) next(ctx context.Context, q executor.Question) (executor.Answer, error) {
	answer := a.list[0]
	a.list = a.list[1:]
	switch answer {
	case "allow":
		return q.Allow(), nil
	case "deny":
		return q.Deny("not today"), nil
	}
	<-ctx.Done()
	return q.Allow(), nil
}

// scenarioTools returns the methods that the model of a scenario can call.
func scenarioTools(t *testing.T) *tool.Registry {
	count := 0
	raw := func(name, parameters string, h tool.Handler, opts ...tool.Option) tool.Method {
		m, err := tool.Raw(name, "does "+name, json.RawMessage(parameters), h, append(opts, tool.AgentCallable())...)
		require.NoError(t, err)
		return m
	}
	noParameters := `{"type":"object","properties":{}}`
	ask, err := tool.HostRun("ask", "does ask", json.RawMessage(noParameters), tool.AgentCallable())
	require.NoError(t, err)
	reg := tool.NewRegistry()
	require.NoError(t, reg.Register(tool.Tool{ID: "t", Methods: []tool.Method{
		method(t, "echo", func(_ context.Context, c *tool.Call) (tool.Output, error) {
			var in struct{ Text string }
			err := json.Unmarshal(c.Arguments, &in)
			return tool.Output{Text: in.Text, Details: map[string]int{"length": len(in.Text)}}, err
		}),
		raw("add", `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},`+
			`"required":["a","b"],"additionalProperties":false}`,
			func(_ context.Context, c *tool.Call) (tool.Output, error) {
				var in struct{ A, B int }
				err := json.Unmarshal(c.Arguments, &in)
				return tool.Output{Text: strconv.Itoa(in.A + in.B)}, err
			}, tool.Example(map[string]any{"a": 1, "b": 2})),
		raw("write", `{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path"]}`,
			func(_ context.Context, c *tool.Call) (tool.Output, error) {
				var in struct{ Path, Content string }
				err := json.Unmarshal(c.Arguments, &in)
				return tool.Output{Text: fmt.Sprintf("wrote %d bytes to %s", len(in.Content), in.Path)}, err
			}),
		raw("count", noParameters, func(context.Context, *tool.Call) (tool.Output, error) {
			count++
			return tool.Output{Text: strconv.Itoa(count)}, nil
		}),
		raw("fail", noParameters, func(context.Context, *tool.Call) (tool.Output, error) {
			return tool.Output{}, fmt.Errorf("the disk is full")
		}),
		raw("tell", noParameters, func(_ context.Context, c *tool.Call) (tool.Output, error) {
			c.Progress("half way")
			return tool.Output{Text: "there"}, nil
		}),
		raw("long", noParameters, func(context.Context, *tool.Call) (tool.Output, error) {
			count++
			lines := strings.Repeat(fmt.Sprintf("line of result %d\n", count), 60)
			return tool.Output{Text: strings.TrimSuffix(lines, "\n")}, nil
		}),
		raw("wait", noParameters, func(ctx context.Context, _ *tool.Call) (tool.Output, error) {
			<-ctx.Done()
			return tool.Output{}, ctx.Err()
		}),
		raw("erase", noParameters, func(context.Context, *tool.Call) (tool.Output, error) {
			return tool.Output{Text: "erased"}, nil
		}, tool.WithRisk(tool.RiskDangerous)),
		ask,
	}}))
	return reg
}
