package engine_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/memorytest"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/tool"
)

// TestAContinuationRunsOnlyCallsOfTheWholeReply truncates generated replies at every byte and makes
// a model continue them in many manners. Only calls of the whole reply, or of the variant of it
// that a manner allows, run: each at most once and with its own arguments. Each run tries a sample,
// and a short run a smaller one.
func TestAContinuationRunsOnlyCallsOfTheWholeReply(t *testing.T) {
	// Of all combinations, each stride-th is tried. A stride is coprime with the number of manners,
	// so that each manner is tried.
	replies, stride := 12, 2003
	if longtest.Enabled() {
		replies, stride = 24, 97
	}
	for _, tt := range []struct {
		form  form
		level scan.Tolerance
	}{
		{vcpForm{}, scan.Safe},
		{hermesForm{}, scan.Safe},
		{coderForm{}, scan.Safe},
		{vcpForm{}, scan.Greedy},
		{hermesForm{}, scan.Greedy},
		{coderForm{}, scan.Greedy},
	} {
		t.Run(tt.form.protocol().ID()+" "+tt.level.String(), func(t *testing.T) {
			test := newContinuationTest(t, tt.form.protocol(), tt.level)
			tried, continued, completed := 0, 0, 0
			failed := map[int]bool{}
			for seed := range replies {
				w := generate(tt.form, uint64(seed))
				all := test.run(t, scriptOf(w.text, "Done."))
				require.Len(t, all, w.calls, "seed %d: the generator writes calls that run:\n%s", seed, w.text)
				for at := range len(w.text) {
					for i := range manners {
						if tried++; tried%stride != 0 {
							continue
						}
						m := &manners[i]
						model := &continuer{reply: w, at: at, manner: m}
						ran := test.run(t, model)
						if model.asked == 0 {
							require.Empty(t, ran, "seed %d, byte %d: a reply that is not continued runs nothing:\n%s",
								seed, at, w.text[:at])
							continue
						}
						continued++
						allowed := all
						if m.variant != nil && model.variant != "" {
							allowed = test.run(t, scriptOf(model.variant, "Done."))
						}
						if call, ok := notAllowed(ran, allowed); ok && !failed[i] {
							failed[i] = true // one example of each manner is enough
							t.Errorf("seed %d, byte %d, %s: %s\nis none of %q\nfirst part:\n%s\nshown:\n%s\ncontinuations: %q",
								seed, at, m.name, call, allowed, w.text[:at], model.shown, model.written)
						}
						if m.right && w.inArgument(at) {
							require.Equal(t, all, ran, "seed %d, byte %d, %s: all calls of the reply run:\n%s",
								seed, at, m.name, w.text[:at])
							completed++
						}
					}
				}
			}
			require.Positive(t, completed)
			require.Greater(t, 4*continued, tried/stride, "too few replies are continued")
		})
	}
}

// notAllowed returns the first call that occurs more often in ran than in allowed.
func notAllowed(ran, allowed []string) (call string, ok bool) {
	left := slices.Clone(allowed)
	for _, call := range ran {
		i := slices.Index(left, call)
		if i < 0 {
			return call, true
		}
		left = slices.Delete(left, i, i+1)
	}
	return "", false
}

// continuationTest runs replies against real methods that record their arguments.
type continuationTest struct {
	engine  *engine.Engine
	speaker speaker
	ran     []string
}

func newContinuationTest(t *testing.T, p protocol.Protocol, level scan.Tolerance) *continuationTest {
	c := &continuationTest{}
	var methods []tool.Method
	for _, name := range []string{"a", "b", "write", "run"} {
		var properties []string
		for _, parameter := range parameters[name] {
			schema := cmp.Or(types[parameter], `{"type":"string"}`)
			properties = append(properties, fmt.Sprintf("%q:%s", parameter, schema))
		}
		schema := json.RawMessage(`{"type":"object","properties":{` + strings.Join(properties, ",") + `}}`)
		m, err := tool.Raw(name, "does "+name, schema,
			func(_ context.Context, call *tool.Call) (tool.Output, error) {
				var arguments map[string]any
				if err := json.Unmarshal(call.Arguments, &arguments); err != nil {
					return tool.Output{}, err
				}
				canonical, err := json.Marshal(arguments)
				c.ran = append(c.ran, call.Method.FullName+string(canonical))
				return tool.Output{Text: "ok"}, err
			}, tool.AgentCallable())
		require.NoError(t, err)
		methods = append(methods, m)
	}
	reg := tool.NewRegistry()
	require.NoError(t, reg.Register(tool.Tool{ID: "t", Methods: methods}))
	c.engine = newEngine(t, reg, &c.speaker, withProtocol(p), func(o *engine.Options) {
		o.Profile = &engine.Profile{Reading: parser.Options{Tolerance: level}}
	})
	return c
}

// run runs a turn of the model and returns the calls that ran.
func (c *continuationTest) run(t *testing.T, m engine.Model) []string {
	c.ran, c.speaker.Model = nil, m
	for _, err := range c.engine.NewSession("test").Run(t.Context(), question) {
		require.NoError(t, err)
	}
	return c.ran
}

func TestUnracedCheckingAContinuationTakesLittleMemory(t *testing.T) {
	longtest.SkipIfRaced(t)
	const begin = "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_write「末」\npath:「始」a「末」\n<<<[END_TO"
	end := "\n<<<[END_TOOL_REQUEST]>>>\n" + strings.Repeat("a b ", 1<<20)
	var ran []string
	s := session(t, recordingRegistry(t, &ran),
		&script{replies: []reply{truncatedReply(begin), says(end), says("done")}})
	require.Less(t, memorytest.Allocated(func() { run(t, s, question) }), 16*len(end))
	require.Len(t, ran, 1)
}
