package executor_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/tool"
)

func TestArgumentsDistinguishCalls(t *testing.T) {
	parameters := json.RawMessage(`{"type":"object","properties":{
		"path":{"type":"string"},"line":{"type":"integer"},"key":{"type":"string"}}}`)
	read, err := tool.Raw("read", "reads", parameters, nop, tool.AgentCallable())
	require.NoError(t, err)
	read.SecretParameters = []string{"key"}
	x := executor.New(registry(t, read, method(t, "echo", nop)), executor.Options{Logger: quiet})
	for _, tt := range []struct {
		name     string
		requests []executor.Request
		want     []string
	}{
		{"a single result needs no arguments", []executor.Request{request("1", "t_read", "path", "a")}, []string{""}},
		{
			"results of different methods need no arguments",
			[]executor.Request{request("1", "t_read", "path", "a"), request("2", "t_echo", "text", "a")},
			[]string{"", ""},
		},
		{
			"an argument that all calls share is not shown",
			[]executor.Request{
				request("1", "t_read", "path", "a", "line", "1"),
				request("2", "t_read", "path", "b", "line", "1"),
			},
			[]string{"path=a", "path=b"},
		},
		{
			"an argument of only one call is shown",
			[]executor.Request{request("1", "t_read", "path", "a"), request("2", "t_read", "path", "a", "line", "2")},
			[]string{"", "line=2"},
		},
		{
			"equal calls have no such argument",
			[]executor.Request{request("1", "t_read", "path", "a"), request("2", "t_read", "path", "a")},
			[]string{"", ""},
		},
		{
			"an ambiguous value has quotation marks",
			[]executor.Request{request("1", "t_read", "path", "a, line=3"), request("2", "t_read", "path", "")},
			[]string{`path="a, line=3"`, `path=""`},
		},
		{
			"a secret argument is not shown",
			[]executor.Request{
				request("1", "t_read", "path", "a", "key", "sesame"),
				request("2", "t_read", "path", "b", "key", "open"),
			},
			[]string{"path=a", "path=b"},
		},
		{
			"a request that was refused gets no arguments",
			[]executor.Request{
				request("1", "t_read", "path", "a"), request("2", "t_read", "line", "x"),
				request("3", "t_read", "path", "b"),
			},
			[]string{"path=a", "", "path=b"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, executor.DistinguishingArguments(executeAll(t, x, tt.requests...)))
		})
	}
	t.Run("long values are shortened", func(t *testing.T) {
		long := strings.Repeat("字", 1000)
		results := executeAll(t, x, request("1", "t_read", "path", long), request("2", "t_read", "path", long+"!"))
		for _, shown := range executor.DistinguishingArguments(results) {
			require.Less(t, len(shown), 300)
			require.Contains(t, shown, "path=字")
		}
	})
}
