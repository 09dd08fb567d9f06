package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

func TestResultsReadIsVisibleOnlyIfNeeded(t *testing.T) {
	text := long(900)
	names := func(s *engine.Session) (list []string) {
		for _, m := range s.Methods() {
			list = append(list, m.FullName)
		}
		return list
	}
	t.Run("if results are excerpted", func(t *testing.T) {
		s := session(t, registry(t, returning(t, "long", &text)), nil)
		require.Equal(t, []string{"results_read", "t_echo", "t_long"}, names(s))
	})
	t.Run("not if results are not excerpted", func(t *testing.T) {
		reg := registry(t, returning(t, "long", &text))
		s := session(t, reg, nil, config(func(c *engine.Config) { c.ResultTokens = 0 }))
		require.Equal(t, []string{"t_echo", "t_long"}, names(s))
		require.Equal(t, text, execute(t, s, "1", "t_long").ToolResult.Result)
		_, found := reg.Lookup("results_read")
		require.False(t, found)
	})
	t.Run("not if results_read is switched off, and then no note names it", func(t *testing.T) {
		s := session(t, registry(t, returning(t, "long", &text)), nil,
			config(func(c *engine.Config) { c.ToolToggles = map[string]bool{"results": false} }))
		require.Equal(t, []string{"t_echo", "t_long"}, names(s))
		require.NotContains(t, execute(t, s, "1", "t_long").ToolResult.Result, "results_read")
		require.Equal(t, executor.ErrorToolDisabled, execute(t, s, "2", "results_read", "id", "1").ErrorType)
	})
	t.Run("not if there is nothing else to call", func(t *testing.T) {
		s := session(t, tool.NewRegistry(), nil)
		require.Empty(t, names(s))
		require.Empty(t, s.Prompt())
	})
	t.Run("not if a filter hides results_read", func(t *testing.T) {
		s := session(t, registry(t, returning(t, "long", &text)), nil, func(o *engine.Options) {
			o.Filter = func(e *tool.Entry) bool { return e.Tool.ID == "t" }
		})
		require.Equal(t, []string{"t_echo", "t_long"}, names(s))
	})
	t.Run("not while excerpts are switched off", func(t *testing.T) {
		e := newEngine(t, registry(t, returning(t, "long", &text)), nil)
		s := e.NewSession("one")
		set := func(tokens int) {
			c := e.Config()
			c.ResultTokens = tokens
			require.NoError(t, e.SetConfig(c))
		}
		promptWithExcerpts := s.Prompt()
		set(0)
		require.NotEqual(t, promptWithExcerpts, s.Prompt())
		require.Equal(t, []string{"t_echo", "t_long"}, names(s))
		set(500)
		require.Equal(t, promptWithExcerpts, s.Prompt())
		execute(t, s, "1", "t_long")
		set(200)
		r := execute(t, s, "2", "results_read", "id", "1", "page", "2")
		require.False(t, r.Excerpted, "a page is never shortened, even if the limit is lower now")
		require.Greater(t, r.Tokens, 200)
	})
}

func TestResultsReadIsRegisteredOnce(t *testing.T) {
	text := long(900)
	reg := registry(t, returning(t, "long", &text))
	one, two := newEngine(t, reg, nil).NewSession("one"), newEngine(t, reg, nil).NewSession("two")
	execute(t, one, "1", "t_long")
	require.Equal(t, protocol.StatusSuccess, execute(t, one, "2", "results_read", "id", "1").Status)
	require.Equal(t, executor.ErrorExecutionFailed, execute(t, two, "2", "results_read", "id", "1").ErrorType)
}

func TestAnotherMethodNamedResultsReadIsAnError(t *testing.T) {
	text := ""
	taken := tool.NewRegistry()
	require.NoError(t, taken.Register(tool.Tool{ID: "results", Methods: []tool.Method{returning(t, "read", &text)}}))
	options := engine.Options{
		Registry: taken, Protocols: []protocol.Protocol{vcp.Protocol{}}, Config: engine.DefaultConfig(), Logger: quiet,
	}
	_, err := engine.New(options)
	var conflict *tool.ConflictError
	require.ErrorAs(t, err, &conflict)
	require.ErrorContains(t, err, "set resultTokens to 0")
	options.Config.ResultTokens = 0
	_, err = engine.New(options)
	require.NoError(t, err)
}
