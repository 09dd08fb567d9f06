package engine_test

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// A plan is the list of the calls that a call makes, each with its own plan.
type plan []plan

// calls counts the call that has the plan and all calls below it.
func (p plan) calls() int {
	n := 1
	for _, inner := range p {
		n += inner.calls()
	}
	return n
}

// drawPlan draws a plan in which calls are nested at most as deep as depth says.
func drawPlan(t *rapid.T, depth int) plan {
	p := plan{}
	if depth > 0 {
		for range rapid.IntRange(0, 4).Draw(t, "calls") {
			p = append(p, drawPlan(t, depth-1))
		}
	}
	return p
}

// nester returns the method t_nest, which makes the calls of a plan at once, and counts its runs.
func nester(t testing.TB, ran *atomic.Int64) tool.Method {
	return method(t, "nest", func(ctx context.Context, c *tool.Call) (tool.Output, error) {
		ran.Add(1)
		var in struct{ Text string }
		var list plan
		if err := json.Unmarshal(c.Arguments, &in); err != nil {
			return tool.Output{}, err
		}
		if err := json.Unmarshal([]byte(in.Text), &list); err != nil {
			return tool.Output{}, err
		}
		var running sync.WaitGroup
		var failures sync.Map
		for i, p := range list {
			arguments, _ := json.Marshal(map[string]string{"text": p.String()})
			running.Go(func() {
				if _, err := engine.SessionFrom(ctx).CallWithin(ctx, c, "t_nest", arguments); err != nil {
					failures.Store(i, err.Error())
				}
			})
		}
		running.Wait()
		var out strings.Builder
		failures.Range(func(_, err any) bool { out.WriteString(err.(string)); return true })
		return tool.Output{Text: out.String()}, nil
	}, tool.Composite(), tool.WithRisk(tool.RiskRead))
}

func (p plan) String() string {
	data, _ := json.Marshal([]plan(p))
	return string(data)
}

func TestLawNoRunMakesMoreCallsThanMaxCalls(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		limit := rapid.IntRange(0, 12).Draw(rt, "maxCalls")
		var ran atomic.Int64
		var texts []string
		wanted := 0
		for range rapid.IntRange(1, 3).Draw(rt, "replies") {
			var blocks []string
			for range rapid.IntRange(1, 3).Draw(rt, "requests") {
				p := drawPlan(rt, 3)
				wanted += p.calls()
				blocks = append(blocks, block(t, "t_nest", "text", p.String()))
			}
			texts = append(texts, strings.Join(blocks, "\n"))
		}
		texts = append(texts, "Done.", "Done.")
		e := newEngine(t, registry(t, nester(t, &ran)), scriptOf(texts...), func(o *engine.Options) {
			o.Config.MaxCalls = limit
		})
		for _, err := range e.NewSession("test").Run(t.Context(), question) {
			require.NoError(rt, err)
		}
		if limit == 0 {
			require.EqualValues(rt, wanted, ran.Load())
		} else {
			require.EqualValues(rt, min(wanted, limit), ran.Load())
		}
	})
}

func TestACallOverTheLimitSaysSo(t *testing.T) {
	var ran atomic.Int64
	m := scriptOf(block(t, "t_nest", "text", "[[],[]]"), "Done.")
	e := newEngine(t, registry(t, nester(t, &ran)), m, func(o *engine.Options) { o.Config.MaxCalls = 2 })
	o := run(t, e.NewSession("test"), question)
	require.Contains(t, o.iterations[0].Results[0].Result, "All 2 requests that one answer may make are used up.")
	require.Equal(t, engine.StopMaxIterations, o.stop)
}

func TestCallsWithoutARunHaveNoLimitOfARun(t *testing.T) {
	var ran atomic.Int64
	e := newEngine(t, registry(t, nester(t, &ran)), nil, func(o *engine.Options) { o.Config.MaxCalls = 1 })
	text := block(t, "t_nest", "text", "[[],[[]]]")
	_, err := e.NewSession("test").ProcessCycle(t.Context(), text, protocol.FinishStop)
	require.NoError(t, err)
	require.EqualValues(t, 4, ran.Load())
}

// A cyclingModel lets another session process a reply before it writes its own.
type cyclingModel struct {
	engine.Model
	cycle func(context.Context)
}

func (m cyclingModel) Stream(ctx context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	m.cycle(ctx)
	return m.Model.Stream(ctx, req)
}

// TestCallsOfAnotherSessionDoNotCount checks that calls of another session, which the model of a
// run uses, do not count against the MaxCalls of the run.
func TestCallsOfAnotherSessionDoNotCount(t *testing.T) {
	var ran atomic.Int64
	inner := newEngine(t, registry(t, nester(t, &ran)), nil).NewSession("inner")
	cycle := func(ctx context.Context) {
		_, err := inner.ProcessCycle(ctx, block(t, "t_nest", "text", "[[],[]]"), protocol.FinishStop)
		require.NoError(t, err)
	}
	m := cyclingModel{scriptOf(block(t, "t_nest", "text", "[[]]"), "Done."), cycle}
	e := newEngine(t, registry(t, nester(t, &ran)), m, func(o *engine.Options) { o.Config.MaxCalls = 2 })
	o := run(t, e.NewSession("test"), question)
	require.Equal(t, protocol.StatusSuccess, o.iterations[0].Results[0].Status)
	require.EqualValues(t, 2*3+2, ran.Load(), "3 calls of the inner session for each of 2 replies, and 2 of the run")
}

func TestAResumedRunCountsCallsBeforeTheInterruption(t *testing.T) {
	var ran atomic.Int64
	j := &memoryJournal{}
	open := func(m engine.Model) *engine.Session {
		e := newEngine(t, registry(t, nester(t, &ran)), m, func(o *engine.Options) { o.Config.MaxCalls = 5 })
		return e.OpenSession(engine.SessionOptions{ID: "test", Journal: j})
	}
	collect(t, open(scriptOf(block(t, "t_nest", "text", "[[],[]]"))).Run(t.Context(), question)) // the model then fails
	entries := slices.DeleteFunc(j.entries(t, -1), func(e engine.Entry) bool { return e.Kind == engine.EntryEnd })
	require.EqualValues(t, 3, ran.Load())
	resumed := open(scriptOf(block(t, "t_nest", "text", "[[],[]]"), "Done."))
	o := collect(t, resumed.Resume(t.Context(), question, entries))
	require.NoError(t, o.err)
	require.EqualValues(t, 5, ran.Load())
}
