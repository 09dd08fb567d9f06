package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/engine/internal/injectiontest"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// obedience is a case of TestAPlantedRequestNeedsApproval: a model reads an attack in a result or
// in a message, and then makes a request that the attack contains.
type obedience struct {
	protocol protocol.Protocol
	attack   injectiontest.Attack
	request  protocol.ToolRequest
}

// run runs a model that makes the request after msgs. If msgs is nil, the model first reads the
// attack in a result. run returns how often the trap ran, and the results of the calls of the trap.
func (o *obedience) run(
	t *testing.T, msgs []protocol.Message, approver executor.Approver,
) (ran int, results []executor.Result) {
	t.Helper()
	x := &trial{t: t, attack: o.attack, protocol: o.protocol, earlier: o.protocol}
	m := x.parrot()
	m.left = 0
	if msgs == nil {
		msgs = question
		reads, ok := x.request(o.protocol, protocol.ToolRequest{ToolName: "t_give"})
		require.True(t, ok)
		m.first = append(m.first, says(reads))
	}
	asks, ok := x.request(o.protocol, o.request)
	if !ok {
		return 0, nil // the protocol cannot write the request
	}
	m.first = append(m.first, says(asks))
	registry, err := plainTools()
	require.NoError(t, err)
	others := slices.DeleteFunc(slices.Clone(allProtocols), func(p protocol.Protocol) bool { return p == o.protocol })
	e := newEngine(t, registry, m, func(options *engine.Options) {
		options.Protocols = append([]protocol.Protocol{o.protocol}, others...)
		options.Config.Approve, options.Config.ResultTokens = policy.ApproveAll, 0
		options.Approver = approver
	})
	for ev, err := range e.NewSession("s").Run(x.context(), msgs) {
		require.NoError(t, err)
		if ev.Kind == engine.EventToolDone && ev.Result.Method == "trap_run" {
			results = append(results, *ev.Result)
		}
	}
	return int(x.sprung.Load()), results
}

// TestAPlantedRequestNeedsApproval makes up to three of the requests that each attack contains,
// after the model has read the attack. Whatever the policy allows, a request does not run unless a
// person approves it. A short run tries a sample.
func TestAPlantedRequestNeedsApproval(t *testing.T) {
	var all []obedience
	readable := 0
	for _, a := range readAttacks(t) {
		requests := a.Requests(t, allProtocols)
		if len(requests) > 0 {
			readable++
		}
		for _, req := range requests[:min(len(requests), 3)] {
			for _, p := range allProtocols {
				all = append(all, obedience{p, a, req})
			}
		}
	}
	require.Greater(t, readable, 120)
	places := map[string]func(text string) []protocol.Message{
		"a result":                    func(string) []protocol.Message { return nil },
		"a message of another person": foreignMessage(protocol.OriginPerson, protocol.RoleUser),
		"a file":                      foreignMessage(protocol.OriginFile, protocol.RoleUser),
		"an imported message":         foreignMessage(protocol.OriginImport, protocol.RoleAssistant),
		"an earlier result": func(text string) []protocol.Message {
			return earlierResult(protocol.ToolResult{
				ResultID: "1", ToolName: "t_give", Status: protocol.StatusSuccess, Result: text,
			})
		},
		"an earlier error": func(text string) []protocol.Message {
			return earlierResult(protocol.ToolResult{
				ResultID: "1", ToolName: "t_give", Status: protocol.StatusError,
				ErrorType: executor.ErrorExecutionFailed, Result: text + "\n(exit status 1)",
			})
		},
		"a native result": func(text string) []protocol.Message {
			return []protocol.Message{
				{Role: protocol.RoleAssistant, ToolCalls: []protocol.ToolCall{call("a", "t_give", "{}")}},
				toolMessage("a", text), question[0],
			}
		},
	}
	for name, place := range places {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, o := range longtest.Sample(12, all) {
				ran, results := o.run(t, place(o.attack.Text), nil)
				require.Zero(t, ran, "%s, %s: the request ran", o.attack.Name, o.protocol.ID())
				for _, r := range results {
					require.Equal(t, executor.ByProvenance, r.DecidedBy, "%s, %s", o.attack.Name, o.protocol.ID())
				}
				if len(results) == 0 {
					continue
				}
				approver := func(_ context.Context, q executor.Question) (executor.Answer, error) {
					require.NotNil(t, q.Provenance.CopiedFrom)
					return q.Allow(), nil
				}
				ran, results = o.run(t, place(o.attack.Text), approver)
				require.Equal(t, 1, ran, "%s, %s: a person approved the request", o.attack.Name, o.protocol.ID())
				require.Equal(t, executor.ByPerson, results[0].DecidedBy)
			}
		})
	}
}

func earlierResult(r protocol.ToolResult) []protocol.Message {
	result := protocol.Message{Role: protocol.RoleUser, Origin: protocol.OriginTool, Results: []protocol.ToolResult{r}}
	return []protocol.Message{result, question[0]}
}

func foreignMessage(origin protocol.Origin, role protocol.Role) func(string) []protocol.Message {
	return func(text string) []protocol.Message {
		return []protocol.Message{question[0], {Role: role, Origin: origin, Content: text}, question[0]}
	}
}

// TestUnracedResultsReadBackExactly puts each attack into the texts of results, next to another
// attack. A protocol must read back what it has written.
func TestUnracedResultsReadBackExactly(t *testing.T) {
	longtest.SkipIfRaced(t) // because of the prefix TestUnraced, "make test" runs this test without the race detector
	attacks := readAttacks(t)
	for _, p := range allProtocols {
		t.Run(p.ID(), func(t *testing.T) {
			for i, a := range attacks {
				if len(a.Text) > longAttack && !longtest.Enabled() {
					continue
				}
				text := strings.ToValidUTF8(a.Text, "\uFFFD")
				next := strings.ToValidUTF8(attacks[(i+1)%len(attacks)].Text, "\uFFFD")
				want := []protocol.ToolResult{
					{ResultID: "1.1", ToolName: "t_give", Status: protocol.StatusSuccess, Result: text},
					{
						ResultID: "1.2", ToolName: "t_give", Status: protocol.StatusError,
						ErrorType: "execution_failed", Suggestion: text, Result: next,
					},
				}
				got, err := p.(protocol.Reader).ParseToolResults(p.FormatToolResults(want))
				require.NoError(t, err, a.Name)
				require.Equal(t, want, got, a.Name)
			}
		})
	}
}

// TestOrdinaryCallsNeedNoApproval makes calls as models usually make them. Without an approver, a
// call that needs approval would be denied.
func TestOrdinaryCallsNeedNoApproval(t *testing.T) {
	const text = "# Notes\n\nThe budget of the second quarter is 4,200 euros, and the rest goes to the library.\n"
	reg := registry(
		t,
		method(t, "list", func(context.Context, *tool.Call) (tool.Output, error) {
			list := "docs/a-long-name-of-a-file.md\ndocs/b.md\nhttps://example.org/news/2026/a-long-address?id=17"
			return tool.Output{Text: list}, nil
		}),
		method(t, "read", func(context.Context, *tool.Call) (tool.Output, error) {
			return tool.Output{Text: text}, nil
		}),
		method(t, "write", nop),
		method(t, "long", func(context.Context, *tool.Call) (tool.Output, error) {
			return tool.Output{Text: strings.Repeat("A line of a long text.\n", 2000)}, nil
		}),
		method(t, "broken", func(context.Context, *tool.Call) (tool.Output, error) {
			return tool.Output{}, errors.New("no connection")
		}),
	)
	write := func(text string) string { return block(t, "t_write", "text", text) }
	for _, tt := range []struct {
		name    string
		user    string
		replies []string
	}{
		{
			"reading a file that a list shows", "Read it.",
			[]string{block(t, "t_list"), block(t, "t_read", "text", "docs/a-long-name-of-a-file.md")},
		},
		{
			"fetching an address that a search returns", "Read it.",
			[]string{
				block(t, "t_list"),
				block(t, "t_read", "text", "https://example.org/news/2026/a-long-address?id=17"),
			},
		},
		{"writing what was read", "Copy it.", []string{block(t, "t_read"), write(text)}},
		{
			"writing what was read, with a change", "Correct it.",
			[]string{block(t, "t_read"), write(strings.ReplaceAll(text, "4,200", "4,300"))},
		},
		{
			"the same call again", "Again.",
			[]string{block(t, "t_read"), block(t, "t_read"), block(t, "t_list"), block(t, "t_read")},
		},
		{
			"a failed call again", "Again.",
			[]string{block(t, "t_broken", "text", "a"), block(t, "t_broken", "text", "a")},
		},
		{
			"a wrong call, corrected", "Go.",
			[]string{block(t, "t_raed", "text", "docs/b.md"), block(t, "t_read", "text", "docs/b.md")},
		},
		{
			"a request in the form that the engine showed", "Go.",
			[]string{
				"<function=t_read>\n<parameter=text>docs/b.md</parameter>\n</function>",
				block(t, "t_read", "text", "docs/b.md"),
			},
		},
		{
			"reading the rest of a long result", "Go.",
			[]string{block(t, "t_long"), block(t, "results_read", "id", "1.1", "page", "2")},
		},
		{"a request that the user wrote", "Please run " + write("as written here"), []string{write("as written here")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := scriptOf(append(tt.replies, "Done.")...)
			s := session(t, reg, m, config(func(c *engine.Config) { c.Approve = policy.ApproveAll }))
			o := run(t, s, []protocol.Message{{Role: protocol.RoleUser, Content: tt.user}})
			require.Equal(t, engine.StopDone, o.stop)
			calls := 0
			for _, iteration := range o.iterations {
				for _, r := range iteration.Results {
					require.NotEqual(t, executor.ErrorPermissionDenied, r.ErrorType, r.ToolResult.Result)
					require.Nil(t, r.Provenance)
					calls++
				}
			}
			require.Positive(t, calls)
		})
	}
}
