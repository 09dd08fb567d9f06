package executor_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

func TestDigestIdentifiesTheCall(t *testing.T) {
	digest := func(t *testing.T, name string, args ...string) (d executor.Digest) {
		schema := json.RawMessage(`{"type":"object","additionalProperties":true}`)
		var methods []tool.Method
		for _, name := range []string{"one", "two"} {
			m, err := tool.Raw(name, name, schema, says(""), tool.AgentCallable())
			require.NoError(t, err)
			methods = append(methods, m)
		}
		req := request("1", name)
		for i := 0; i < len(args); i += 2 {
			req.Arguments = append(req.Arguments,
				protocol.Argument{Name: args[i], Value: args[i+1], Form: protocol.FormJSON})
		}
		r := execute(t, executor.New(registry(t, methods...),
			askOptions(func(_ context.Context, q executor.Question) (executor.Answer, error) {
				d = q.Digest
				return q.Allow(), nil
			})), req)
		require.Equal(t, protocol.StatusSuccess, r.Status, r.ToolResult.Result)
		return d
	}
	base := digest(t, "t_one", "x", "1", "y", `{"k":1,"l":[2]}`)
	require.Regexp(t, `^[a-z2-7]{26}$`, string(base))
	require.Equal(t, base, digest(t, "t_one", "y", `{ "l":[2], "k":1 }`, "x", "1"),
		"the order of members does not matter")
	for name, other := range map[string]executor.Digest{
		"another method": digest(t, "t_two", "x", "1", "y", `{"k":1,"l":[2]}`),
		"another value":  digest(t, "t_one", "x", "2", "y", `{"k":1,"l":[2]}`),
		"another type":   digest(t, "t_one", "x", `"1"`, "y", `{"k":1,"l":[2]}`),
		"a longer list":  digest(t, "t_one", "x", "1", "y", `{"k":1,"l":[2,2]}`),
		"more digits":    digest(t, "t_one", "x", "1.00000000000000000001", "y", `{"k":1,"l":[2]}`),
	} {
		require.NotEqual(t, base, other, name)
	}
	big := digest(t, "t_one", "x", "9007199254740993")
	require.NotEqual(t, big, digest(t, "t_one", "x", "9007199254740992"), "numbers keep all digits")
}

func TestRequestAndResultHaveTheSameDigest(t *testing.T) {
	x := executor.New(registry(t, method(t, "tool", says(""))), executor.Options{Logger: quiet})
	one, ok := x.Digest(allVisible(), request("1", "t_tool", "text", "a"))
	require.True(t, ok)
	r := execute(t, x, request("2", "t_tool", "text", "a"))
	same, _ := r.Digest()
	require.Equal(t, same, one)
	_, ok = x.Digest(allVisible(), request("1", "t_nothing"))
	require.False(t, ok)
}
