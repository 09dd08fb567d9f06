package script_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/requesttest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/script"
)

// scriptedModel is a model that writes its replies one after the other.
type scriptedModel struct {
	replies  []string
	requests []engine.ModelRequest
}

func (m *scriptedModel) Stream(_ context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		m.requests = append(m.requests, req)
		if !yield(engine.Delta{Text: m.replies[len(m.requests)-1]}, nil) {
			return
		}
		yield(engine.Delta{Finished: true, Finish: protocol.FinishStop}, nil)
	}
}

// requestScript returns a request to run a script.
func requestScript(t testing.TB, code string) string {
	t.Helper()
	return requesttest.Text(t, hermes.Protocol{}, "script_run", "code", code)
}

// newSession returns a session with three methods: script_run, t_page, which returns a long text,
// and t_wipe, which is dangerous and counts its calls in wiped. change, if not nil, changes the
// options.
func newSession(t testing.TB, model engine.Model, wiped *atomic.Int32, change func(*engine.Options)) *engine.Session {
	t.Helper()
	scripts, err := script.New(script.Options{
		Worker: workerOf(t),
		Methods: func(ctx context.Context) (names []string) {
			for _, e := range engine.SessionFrom(ctx).Methods() {
				names = append(names, e.FullName)
			}
			return names
		},
		Call: func(ctx context.Context, outer *tool.Call, method string, arguments json.RawMessage) (string, error) {
			return engine.SessionFrom(ctx).CallWithin(ctx, outer, method, arguments)
		},
	})
	require.NoError(t, err)
	page, err := tool.New("page", "Returns the rows of a page.", func(_ context.Context, in struct {
		Number int `json:"number"`
	},
	) (string, error) {
		if in.Number < 1 {
			return "", errors.New("pages begin with 1")
		}
		return strings.Repeat(fmt.Sprintf("row of page %d, 1\n", in.Number), 500), nil
	}, tool.AgentCallable(), tool.WithRisk(tool.RiskRead))
	require.NoError(t, err)
	wipe, err := tool.New("wipe", "Deletes all.", func(context.Context, struct{}) (string, error) {
		wiped.Add(1)
		return "gone", nil
	}, tool.AgentCallable(), tool.WithRisk(tool.RiskDangerous))
	require.NoError(t, err)
	registry := tool.NewRegistry()
	require.NoError(t, registry.Register(scripts, tool.Tool{ID: "t", Methods: []tool.Method{page, wipe}}))
	o := engine.Options{
		Registry: registry, Protocols: []protocol.Protocol{hermes.Protocol{}}, Model: model,
		Config: engine.DefaultConfig(),
		Logger: slog.New(slog.DiscardHandler),
	}
	o.Config.ToolToggles = map[string]bool{"script": true}
	if change != nil {
		change(&o)
	}
	e, err := engine.New(o)
	require.NoError(t, err)
	return e.NewSession("test")
}

// runTurn runs a turn. It returns the first result and the stop reason.
func runTurn(t testing.TB, s *engine.Session) (first executor.Result, stop engine.StopReason) {
	t.Helper()
	messages := []protocol.Message{{Role: protocol.RoleUser, Origin: protocol.OriginUser, Content: "Count the rows, please."}}
	for ev, err := range s.Run(t.Context(), messages) {
		require.NoError(t, err)
		if ev.Kind == engine.EventIterationDone && len(ev.Iteration.Results) > 0 && first.ID == "" {
			first = ev.Iteration.Results[0]
		}
		stop = ev.Stop
	}
	return first, stop
}

func TestAScriptReadsWholeResults(t *testing.T) {
	model := &scriptedModel{replies: []string{
		requestScript(t, `let n = 0
			for (let i = 1; i <= 20; i++) n += (await t_page({number: i})).trim().split("\n").length
			return n`),
		"There are 10000 rows.",
	}}
	// script_run does not count against MaxConcurrent, so a call can run meanwhile.
	oneAtOnce := func(o *engine.Options) { o.MaxConcurrent = 1 }
	result, stop := runTurn(t, newSession(t, model, nil, oneAtOnce))
	assert.Equal(t, engine.StopDone, stop)
	assert.Equal(t, "10000\n", result.Result)
	assert.Equal(t, script.Details{Calls: 20}, result.Details)
	for _, m := range model.requests[1].Messages {
		assert.NotContains(t, m.Content, "row of page", "what a script reads does not reach the model")
	}
}

func TestCallsOfAScriptNeedApproval(t *testing.T) {
	const code = `try { return await t_wipe({}) } catch (e) { return "refused: " + e.message }`
	for _, c := range []struct {
		name   string
		change func(*engine.Options)
		wiped  int32
	}{
		{"there is no approver", nil, 0},
		{"a person denies", func(o *engine.Options) {
			o.Approver = func(_ context.Context, q executor.Question) (executor.Answer, error) { return q.Deny("no"), nil }
		}, 0},
		{"a person approves", func(o *engine.Options) {
			o.Approver = func(_ context.Context, q executor.Question) (executor.Answer, error) { return q.Allow(), nil }
		}, 1},
		{"a rule denies", func(o *engine.Options) {
			o.Config.ApproveRules = []policy.Rule{{Method: "t_wipe", Decision: policy.Deny}}
		}, 0},
		{"the method is switched off", func(o *engine.Options) { o.Config.ToolToggles["t_wipe"] = false }, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var wiped atomic.Int32
			model := &scriptedModel{replies: []string{requestScript(t, code), "Done."}}
			result, _ := runTurn(t, newSession(t, model, &wiped, c.change))
			assert.Equal(t, c.wiped, wiped.Load())
			if c.wiped == 0 {
				assert.NotContains(t, result.Result, "gone")
			}
		})
	}
}

func TestScriptRunIsHiddenUntilItIsEnabled(t *testing.T) {
	s := newSession(t, nil, nil, func(o *engine.Options) { o.Config.ToolToggles = nil })
	for _, e := range s.Methods() {
		assert.NotEqual(t, "script_run", e.FullName)
	}
}
