package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/requesttest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var quiet = slog.New(slog.DiscardHandler)

// script is a model that writes its replies one after the other, and records what it was sent.
type script struct {
	replies []reply
	asked   []engine.ModelRequest
	before  func(i int) // called before each delta, with the index of the delta in its reply
	after   func()      // called after each delta
}

// reply is a list of deltas, and the error after them.
type reply struct {
	deltas []engine.Delta
	err    error
}

func (m *script) Stream(ctx context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		n := len(m.asked)
		m.asked = append(m.asked, req)
		if n >= len(m.replies) {
			yield(engine.Delta{}, fmt.Errorf("the script has no reply %d", n+1))
			return
		}
		for i, d := range m.replies[n].deltas {
			if m.before != nil {
				m.before(i)
			}
			if ctx.Err() != nil {
				yield(engine.Delta{}, ctx.Err())
				return
			}
			if !yield(d, nil) {
				return
			}
			if m.after != nil {
				m.after()
			}
		}
		if err := m.replies[n].err; err != nil {
			yield(engine.Delta{}, err)
		}
	}
}

// scriptOf returns a script whose replies are complete and have these texts.
func scriptOf(texts ...string) *script {
	m := &script{}
	for _, text := range texts {
		m.replies = append(m.replies, says(text))
	}
	return m
}

// says returns a complete reply.
func says(texts ...string) reply {
	r := unfinished(texts...)
	r.deltas = append(r.deltas, engine.Delta{Finished: true, Finish: protocol.FinishStop})
	return r
}

// unfinished returns a reply without a finish reason.
func unfinished(texts ...string) (r reply) {
	for _, text := range texts {
		r.deltas = append(r.deltas, engine.Delta{Text: text})
	}
	return r
}

// block returns a request in the VCP dialect. pairs are as in requesttest.Text.
func block(t testing.TB, name string, pairs ...string) string {
	t.Helper()
	return requesttest.Text(t, vcp.Protocol{}, name, pairs...)
}

// registry returns a registry with a tool "t", which has a method "echo" and the given methods.
func registry(t testing.TB, methods ...tool.Method) *tool.Registry {
	t.Helper()
	reg := tool.NewRegistry()
	methods = append(methods, method(t, "echo", func(_ context.Context, c *tool.Call) (tool.Output, error) {
		var in struct{ Text string }
		err := json.Unmarshal(c.Arguments, &in)
		return tool.Output{Text: in.Text}, err
	}))
	require.NoError(t, reg.Register(tool.Tool{ID: "t", Methods: methods}))
	return reg
}

// method returns an agent-callable method with the optional argument "text".
func method(t testing.TB, name string, h tool.Handler, opts ...tool.Option) tool.Method {
	t.Helper()
	parameters := json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`)
	m, err := tool.Raw(name, "does "+name, parameters, h, append([]tool.Option{tool.AgentCallable()}, opts...)...)
	require.NoError(t, err)
	return m
}

// newEngine makes an engine with the model and the registry, and with the VCP dialect.
func newEngine(t testing.TB, reg *tool.Registry, model engine.Model, change ...func(*engine.Options)) *engine.Engine {
	t.Helper()
	o := engine.Options{
		Registry: reg, Protocols: []protocol.Protocol{vcp.Protocol{}}, Model: model,
		Config: engine.DefaultConfig(), Logger: quiet,
	}
	for _, c := range change {
		c(&o)
	}
	e, err := engine.New(o)
	require.NoError(t, err)
	return e
}

// session makes a session of an engine that newEngine makes.
func session(t testing.TB, reg *tool.Registry, model engine.Model, change ...func(*engine.Options)) *engine.Session {
	t.Helper()
	return newEngine(t, reg, model, change...).NewSession("test")
}

func config(change func(*engine.Config)) func(*engine.Options) {
	return func(o *engine.Options) { change(&o.Config) }
}

var question = []protocol.Message{{Role: protocol.RoleUser, Content: "question"}}

// outcome is everything that a run returned.
type outcome struct {
	trace      []string // one line per event, adjacent deltas joined
	iterations []*engine.Iteration
	stop       engine.StopReason
	limit      engine.Limit
	err        error
	line       func(engine.Event) string // writes the lines of trace; nil means traceLine
}

// run ranges over a run to its end.
func run(t testing.TB, s *engine.Session, msgs []protocol.Message) outcome {
	t.Helper()
	return collect(t, s.Run(t.Context(), msgs))
}

// collect ranges over the events of a run to its end.
func collect(t testing.TB, events iter.Seq2[engine.Event, error]) outcome {
	t.Helper()
	var o outcome
	for ev, err := range events {
		require.Empty(t, o.stop, "an item after the last")
		require.False(t, ev.Time.IsZero())
		o.add(ev)
		o.err = err
		if err != nil {
			require.Equal(t, engine.EventRunDone, ev.Kind, "an error comes with the last item")
		}
	}
	require.NotEmpty(t, o.stop, "a run ends with run_done")
	return o
}

// add records an event.
func (o *outcome) add(ev engine.Event) {
	if o.line == nil {
		o.line = traceLine
	}
	line := o.line(ev)
	if n := len(o.trace); n > 0 && ev.Text != "" {
		if head, _, _ := strings.Cut(line, "|"); strings.HasPrefix(o.trace[n-1], head+"|") {
			o.trace[n-1] += ev.Text
			return
		}
	}
	o.trace = append(o.trace, line)
	switch ev.Kind {
	case engine.EventIterationDone:
		o.iterations = append(o.iterations, ev.Iteration)
	case engine.EventRunDone:
		o.stop, o.limit = ev.Stop, ev.Limit
	}
}

// toldAfter returns the numbers of the replies, from 0, after which the engine tells the model
// something in addition to results.
func toldAfter(o outcome) (told []int) {
	for i, iteration := range o.iterations {
		if message := iteration.ResultMessage; message != nil && message.Content != "" {
			told = append(told, i)
		}
	}
	return told
}

// traceLine writes an event in short. After a bar comes text that outcome.add joins with the text
// of the next event.
func traceLine(ev engine.Event) string {
	switch ev.Kind {
	case engine.EventText, engine.EventReasoning:
		return fmt.Sprintf("%v |%s", ev.Kind, ev.Text)
	case engine.EventRequestStarted:
		return fmt.Sprintf("%v %s %s", ev.Kind, shortID(ev.RequestID), ev.Name)
	case engine.EventArgumentDelta:
		return fmt.Sprintf("%v %s %s |%s", ev.Kind, shortID(ev.RequestID), ev.Name, ev.Text)
	case engine.EventRequestDone:
		return fmt.Sprintf("%v %s %s", ev.Kind, shortID(ev.RequestID), ev.Request.Status)
	case engine.EventToolStarted:
		return fmt.Sprintf("%v %s %s %s", ev.Kind, shortID(ev.RequestID), ev.Method.FullName, ev.Arguments)
	case engine.EventToolProgress:
		return fmt.Sprintf("%v %s %s", ev.Kind, shortID(ev.RequestID), ev.Text)
	case engine.EventToolDone:
		ended := outcomeOf(ev.Result.Status, ev.Result.ErrorType)
		return fmt.Sprintf("%v %s %s %s", ev.Kind, shortID(ev.RequestID), ended, ev.Result.ToolResult.Result)
	case engine.EventRunDone:
		return fmt.Sprintf("%v %s", ev.Kind, ev.Stop)
	case engine.EventProtocolError:
		return fmt.Sprintf("%v %v", ev.Kind, ev.Err)
	}
	return ev.Kind.String()
}

// shortID returns a request ID such as 1.1 without its suffix, which differs in each session.
func shortID(id string) string {
	short, _, _ := strings.Cut(id, "-")
	return short
}

// definitions returns the names of the tools that a request to the model defines.
func definitions(t testing.TB, req engine.ModelRequest) (names []string) {
	t.Helper()
	for _, m := range req.Messages {
		names = append(names, definitionsIn(t, m.Content)...)
	}
	return names
}

// definitionsIn returns the names of the tools that a text defines.
func definitionsIn(t testing.TB, text string) (names []string) {
	t.Helper()
	list, err := vcp.Protocol{}.ParseToolDefinitions(text)
	require.NoError(t, err)
	for _, d := range list {
		names = append(names, d.ToolName)
	}
	return names
}

func nop(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, nil }

// panicky is the VCP protocol with a scanner that panics at the first request.
type panicky struct{ vcp.Protocol }

func (p panicky) NewScanner(o scan.Options) scan.Scanner {
	return panickyScanner{p.Protocol.NewScanner(o)}
}

type panickyScanner struct{ scan.Scanner }

func (panickyScanner) Requests([]scan.Field) []scan.Reading { panic("the scanner is broken") }
