package engine_test

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
)

// logged returns a logger and what it has written, without times.
func logged() (*slog.Logger, *bytes.Buffer) {
	var b bytes.Buffer
	return slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})), &b
}

func TestTogglesThatSwitchNothingAreWarnedOf(t *testing.T) {
	const warning = `level=WARN msg="toolToggles switches a name that no registered tool or method has" name=`
	for _, tt := range []struct {
		name    string
		toggles map[string]bool
		tokens  int
		want    string
	}{
		{"none", nil, 2000, ""},
		{"a tool and a method", map[string]bool{"t": true, "t_echo": false}, 2000, ""},
		{"the tool of the engine", map[string]bool{"results": true, "results_read": false}, 2000, ""},
		{"also where results are not cut", map[string]bool{"results": true, "results_read": false}, 0, ""},
		{"a misspelt name, with what comes nearest", map[string]bool{"t_ecko": false}, 2000, warning + "t_ecko nearest=t_echo\n"},
		{"a name that nothing comes near, switched on", map[string]bool{"elsewhere": true}, 2000, warning + "elsewhere\n"},
		{"several in order", map[string]bool{"two": false, "one": false}, 2000, warning + "one\n" + warning + "two\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			logger, log := logged()
			e := newEngine(t, registry(t), nil, func(o *engine.Options) {
				o.Logger, o.Config.ToolToggles, o.Config.ResultTokens = logger, tt.toggles, tt.tokens
			})
			require.Equal(t, tt.want, log.String())
			c := e.Config()
			c.MaxIterations++
			require.NoError(t, e.SetConfig(c))
			require.Equal(t, tt.want, log.String(), "each is warned of once")
		})
	}
}
