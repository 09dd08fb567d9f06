package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/tool"
)

const unknownMethods = "in fences, for unknown methods"

// missedForms are requests that do not run, each with a number in it.
var missedForms = map[string]string{
	"in fences":                       "```\n{\"name\":\"t_echo\",\"arguments\":{\"text\":\"%d\"}}\n```\n",
	unknownMethods:                    "```\n{\"name\":\"t_%d\",\"arguments\":{\"text\":\"a\"}}\n```\n",
	"in fences, with wrong arguments": "```\n{\"name\":\"t_echo\",\"arguments\":{\"text%d\":\"a\"}}\n```\n",
	"in marks":                        "<invoke name=\"t_echo\"><parameter name=\"text\">%d</parameter></invoke>\n",
	"in marks and in fences":          "```\n<tool_call>\n{\"name\":\"t_echo\",\"arguments\":{\"text\":\"%d\"}}\n</tool_call>\n```\n",
	"as code":                         "t_echo(text=\"%d\")\n",
	"quoted": "```\n<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_echo「末」,\n" +
		"text:「始」%d「末」\n<<<[END_TOOL_REQUEST]>>>\n```\n",
	"malformed": "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_echo「末」,\n" +
		"text:「始」%d「末」,\ntext:「始」a「末」\n<<<[END_TOOL_REQUEST]>>>\n",
}

// missedReply returns a reply of n requests in a form of missedForms.
func missedReply(form string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, form, i)
	}
	return b.String()
}

// TestUnracedFeedbackOnManyRequestsIsLimited examines replies with many requests that do not run.
// The work grows about in proportion to the length of the reply. A longer reply needs hardly more
// lookups of methods, and the note on it is short. "make test" runs tests with the prefix
// TestUnraced without the race detector.
func TestUnracedFeedbackOnManyRequestsIsLimited(t *testing.T) {
	longtest.SkipIfRaced(t)
	for name, form := range missedForms {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			cost := func(n int) (examined, lookups, note int) {
				text := missedReply(form, n)
				m := scriptOf(text, text, "Done.", "Done.")
				s := newEngine(t, registry(t), m).OpenSession(engine.SessionOptions{Visibility: engine.Visibility{
					Filter: func(*tool.Entry) bool { lookups++; return true }, FilterKey: "all",
				}})
				examined = work.Count(func() {
					for ev, err := range s.Run(t.Context(), question) {
						require.NoError(t, err)
						if ev.Kind == engine.EventIterationDone && ev.Iteration.ResultMessage != nil {
							note = max(note, len(ev.Iteration.ResultMessage.Content))
						}
					}
				})
				return examined, lookups, note
			}
			const requests = 1200 // more than maxMissed and maxExamined allow
			small, few, _ := cost(requests)
			large, many, note := cost(4 * requests)
			require.LessOrEqual(t, large, 5*small)
			require.LessOrEqual(t, many, few+few/10)
			require.LessOrEqual(t, note, 16<<10)
		})
	}
}

// TestFeedbackExaminesTheMethodsOnceForAllRequests counts how often feedback asks whether a method
// is visible. Ten times as many requests in a reply must not take ten times as many questions.
func TestFeedbackExaminesTheMethodsOnceForAllRequests(t *testing.T) {
	var methods []tool.Method
	for i := range 100 {
		methods = append(methods, method(t, fmt.Sprint("m", i), nop))
	}
	for name, form := range missedForms {
		if name == unknownMethods {
			continue // the search for a method of a similar name asks about all methods
		}
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			lookups := func(requests int) (n int) {
				m := scriptOf(missedReply(form, requests), "Done.", "Done.")
				s := newEngine(t, registry(t, methods...), m).OpenSession(engine.SessionOptions{Visibility: engine.Visibility{
					Filter: func(*tool.Entry) bool { n++; return true }, FilterKey: "all",
				}})
				run(t, s, question)
				return n
			}
			require.LessOrEqual(t, lookups(50), 2*lookups(5))
		})
	}
}

// TestFeedbackEndsWithTheContext checks that feedback on a reply ends soon after the context of its
// run, whatever the reply contains.
func TestFeedbackEndsWithTheContext(t *testing.T) {
	for name, form := range missedForms {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			written, lookups := false, 0 // lookups after the end of the reply
			const requests = 500
			m := scriptOf(missedReply(form, requests), "Done.", "Done.")
			m.after = func() { written = true }
			s := newEngine(t, registry(t), m).OpenSession(engine.SessionOptions{Visibility: engine.Visibility{
				Filter: func(*tool.Entry) bool {
					if written {
						lookups++
						cancel()
					}
					return true
				}, FilterKey: "all",
			}})
			o := collect(t, s.Run(ctx, question))
			require.Less(t, lookups, requests/2)
			if lookups > 0 {
				require.Equal(t, engine.StopCanceled, o.stop)
			}
		})
	}
}
