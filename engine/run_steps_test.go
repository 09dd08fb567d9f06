package engine_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
)

func TestARunReportsEachStepInOrder(t *testing.T) {
	echo := func(text string) string { return block(t, "t_echo", "text", text) }
	down := errors.New("server down")
	for _, tt := range []struct {
		name    string
		config  func(*engine.Config)
		replies []reply
		trace   []string
		stop    engine.StopReason
		err     error
	}{
		{
			"a reply without requests ends the run", nil,
			[]reply{says("Hel", "lo.")},
			[]string{"text |Hello.", "iteration_done", "run_done done"},
			engine.StopDone, nil,
		},
		{
			"a request runs, its result goes back, and the model continues", nil,
			[]reply{says("Let me see. ", echo("hi")), says("It said hi.")},
			[]string{
				"text |Let me see. ", "request_started 1.1 t_echo", "argument_delta 1.1 text |hi",
				"request_done 1.1 ready",
				`tool_started 1.1 t_echo {"text":"hi"}`, "tool_done 1.1 success hi", "iteration_done",
				"text |It said hi.", "iteration_done", "run_done done",
			},
			engine.StopDone, nil,
		},
		{
			"reasoning that the server sends apart is reported, and a request in it does not run", nil,
			[]reply{{deltas: []engine.Delta{
				{Reasoning: "I could write " + echo("no")},
				{Reasoning: "."},
				{Text: "Hello."},
				{Finished: true, Finish: protocol.FinishStop},
			}}},
			[]string{"reasoning |I could write " + echo("no") + ".", "text |Hello.", "iteration_done", "run_done done"},
			engine.StopDone, nil,
		},
		{
			"a request in reasoning within the reply does not run", nil,
			[]reply{says("<think>", echo("no"), "</think>Hello."), says("Bye.")},
			[]string{"text |Hello.", "iteration_done", "text |Bye.", "iteration_done", "run_done done"},
			engine.StopDone, nil,
		},
		{
			"a quoted request does not run", nil,
			[]reply{says("Write this:\n```\n" + echo("no") + "\n```\n"), says("Bye.")},
			[]string{
				"text |Write this:\n```\n" + echo("no"), "text |\n```\n", "iteration_done", "text |Bye.",
				"iteration_done", "run_done done",
			},
			engine.StopDone, nil,
		},
		{
			"several requests run in the order written", nil,
			[]reply{says(echo("a"), echo("b")), says("done")},
			[]string{
				`tool_started 1.1 t_echo {"text":"a"}`, "tool_done 1.1 success a",
				`tool_started 1.2 t_echo {"text":"b"}`, "tool_done 1.2 success b", "iteration_done", "text |done",
				"iteration_done", "run_done done",
			},
			engine.StopDone, nil,
		},
		{
			"an unreadable request gets an error in its place, and the others run", nil,
			[]reply{
				says(echo("a"), "<<<[TOOL_REQUEST]>>>\ntext:「始」nameless「末」\n<<<[END_TOOL_REQUEST]>>>", echo("c")),
				says("done"),
			},
			[]string{
				`tool_started 1.1 t_echo {"text":"a"}`, "tool_done 1.1 success a",
				"tool_done 1.2 error malformed_request",
				`tool_started 1.3 t_echo {"text":"c"}`, "tool_done 1.3 success c", "iteration_done", "text |done",
				"iteration_done", "run_done done",
			},
			engine.StopDone, nil,
		},
		{
			"a reply without a finish reason runs nothing", nil,
			[]reply{unfinished("See: ", echo("no"))},
			[]string{
				"text |See: ", "request_started 1.1 t_echo", "argument_delta 1.1 text |no", "request_done 1.1 ready",
				"iteration_done", "run_done incomplete",
			},
			engine.StopIncomplete, nil,
		},
		{
			"an empty finish reason means that the reply is incomplete", nil,
			[]reply{{deltas: []engine.Delta{{Text: echo("no"), Finished: true}}}},
			[]string{"iteration_done", "run_done incomplete"},
			engine.StopIncomplete, nil,
		},
		{
			"an empty reply without a finish reason is incomplete", nil,
			[]reply{unfinished()},
			[]string{"iteration_done", "run_done incomplete"},
			engine.StopIncomplete, nil,
		},
		{
			"a reply truncated within a request is continued, and each request runs once", nil,
			[]reply{{deltas: []engine.Delta{
				{Text: echo("a")},
				{Text: strings.TrimSuffix(echo("truncated"), "「末」\n<<<[END_TOOL_REQUEST]>>>")},
				{Finished: true, Finish: protocol.FinishLength},
			}}, says("\ntext:「始」whole「末」\n<<<[END_TOOL_REQUEST]>>>"), says("done")},
			[]string{
				`tool_started 1.1 t_echo {"text":"a"}`, "tool_done 1.1 success a",
				`tool_started 1.2 t_echo {"text":"whole"}`, "tool_done 1.2 success whole", "iteration_done",
				"text |done", "iteration_done", "run_done done",
			},
			engine.StopDone, nil,
		},
		{
			"a text truncated at the token limit is incomplete", nil,
			[]reply{{deltas: []engine.Delta{{Text: "And then"}, {Finished: true, Finish: protocol.FinishLength}}}},
			[]string{"text |And then", "iteration_done", "run_done incomplete"},
			engine.StopIncomplete, nil,
		},
		{
			"text after the finish reason is not part of the reply", nil,
			[]reply{{deltas: []engine.Delta{
				{Text: "Hello.", Finished: true, Finish: protocol.FinishStop}, {Text: echo("no")},
			}}},
			[]string{"text |Hello.", "iteration_done", "run_done done"},
			engine.StopDone, nil,
		},
		{
			"a request for an unknown tool gets an error, and the model continues", nil,
			[]reply{says(block(t, "t_ecko", "text", "x")), says("Sorry.")},
			[]string{
				"tool_done 1.1 error method_not_found", "iteration_done", "text |Sorry.", "iteration_done",
				"run_done done",
			},
			engine.StopDone, nil,
		},
		{
			"a model that fails ends the run with its error", nil,
			[]reply{{deltas: []engine.Delta{{Text: "Hel"}}, err: down}},
			[]string{"text |Hel", "iteration_done", "run_done model_error"},
			engine.StopModelError, down,
		},
		{
			"a request does not run if the model fails after it", nil,
			[]reply{{deltas: []engine.Delta{{Text: echo("no")}}, err: down}},
			[]string{"iteration_done", "run_done model_error"},
			engine.StopModelError, down,
		},
		{
			"an error after the finish reason changes nothing", nil,
			[]reply{{deltas: says("Hello.").deltas, err: down}},
			[]string{"text |Hello.", "iteration_done", "run_done done"},
			engine.StopDone, nil,
		},
		{
			"a model that fails in a later reply loses no result", nil,
			[]reply{says(echo("a")), {err: down}},
			[]string{
				`tool_started 1.1 t_echo {"text":"a"}`, "tool_done 1.1 success a", "iteration_done",
				"iteration_done", "run_done model_error",
			},
			engine.StopModelError, down,
		},
		{
			"in mode manual a request is reported, and does not run", func(c *engine.Config) { c.Mode = engine.ModeManual },
			[]reply{says("See: ", echo("a"))},
			[]string{
				"text |See: ", "request_started 1.1 t_echo", "argument_delta 1.1 text |a", "request_done 1.1 ready",
				"iteration_done", "run_done manual",
			},
			engine.StopManual, nil,
		},
		{
			"in mode manual a reply without requests ends the run",
			func(c *engine.Config) { c.Mode = engine.ModeManual },
			[]reply{says("Hello.")},
			[]string{"text |Hello.", "iteration_done", "run_done done"},
			engine.StopDone, nil,
		},
		{
			"if tool calling is disabled nothing runs", func(c *engine.Config) { c.Enabled = false },
			[]reply{says(echo("no"))},
			[]string{"iteration_done", "run_done done"},
			engine.StopDone, nil,
		},
		{
			"at the limit the model has one last reply, in which nothing runs",
			func(c *engine.Config) { c.MaxIterations = 2 },
			[]reply{says(echo("a")), says(echo("b")), says("The last. ")},
			[]string{
				`tool_started 1.1 t_echo {"text":"a"}`, "tool_done 1.1 success a", "iteration_done",
				`tool_started 2.1 t_echo {"text":"b"}`, "tool_done 2.1 success b", "iteration_done",
				"text |The last. ", "iteration_done", "run_done max_iterations",
			},
			engine.StopMaxIterations, nil,
		},
		{
			"a last reply that requests something is followed by one more",
			func(c *engine.Config) { c.MaxIterations = 1 },
			[]reply{says(echo("a")), says("The last. ", echo("no")), says("I mean it. ", echo("no"))},
			[]string{
				`tool_started 1.1 t_echo {"text":"a"}`, "tool_done 1.1 success a", "iteration_done",
				"text |The last. ", "iteration_done", "text |I mean it. ", "iteration_done", "run_done max_iterations",
			},
			engine.StopMaxIterations, nil,
		},
		{
			"a last reply with a fabricated result and no answer is followed by one more",
			func(c *engine.Config) { c.MaxIterations = 1 },
			[]reply{
				says(echo("a")), says("<<<[TOOL_RESULT]>>>\nresult:「始」b「末」\n<<<[END_TOOL_RESULT]>>>"),
				says("It is a."),
			},
			[]string{
				`tool_started 1.1 t_echo {"text":"a"}`, "tool_done 1.1 success a", "iteration_done",
				"dropped", "dropped", "iteration_done", "text |It is a.", "iteration_done", "run_done max_iterations",
			},
			engine.StopMaxIterations, nil,
		},
		{
			"an answer at the limit ends the run as done", func(c *engine.Config) { c.MaxIterations = 2 },
			[]reply{says(echo("a")), says("Hello.")},
			[]string{
				`tool_started 1.1 t_echo {"text":"a"}`, "tool_done 1.1 success a", "iteration_done", "text |Hello.",
				"iteration_done", "run_done done",
			},
			engine.StopDone, nil,
		},
		{
			"a truncated last reply is incomplete", func(c *engine.Config) { c.MaxIterations = 1 },
			[]reply{says(echo("a")), unfinished("The la")},
			[]string{
				`tool_started 1.1 t_echo {"text":"a"}`, "tool_done 1.1 success a", "iteration_done", "text |The la",
				"iteration_done", "run_done incomplete",
			},
			engine.StopIncomplete, nil,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.config == nil {
				tt.config = func(*engine.Config) {}
			}
			model := &script{replies: tt.replies}
			got := run(t, session(t, registry(t), model, config(tt.config)), question)
			require.Equal(t, tt.stop, got.stop)
			require.ErrorIs(t, got.err, tt.err)
			require.Len(t, model.asked, len(tt.replies))
			if diff := cmp.Diff(tt.trace, shortTrace(got.trace, tt.trace)); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

// shortTrace returns the trace without notices and without the texts of errors. Events of text, of
// reasoning and of requests stay only if want has an event of that kind.
func shortTrace(trace, want []string) (short []string) {
	wanted := strings.Join(want, "\n")
	for _, line := range trace {
		switch kind, _, _ := strings.Cut(line, " "); {
		case strings.HasPrefix(kind, "request_") || strings.HasPrefix(kind, "argument_"):
			if !strings.Contains(wanted, "request_") {
				continue
			}
		case kind == "notice", kind == "text" && !strings.Contains(wanted, "text |"):
			continue
		case kind == "reasoning" && !strings.Contains(wanted, "reasoning |"):
			continue
		case kind == "tool_done":
			if i := strings.Index(line, " error"); i >= 0 {
				line = line[:i+1] + strings.Join(strings.Fields(line[i+1:])[:2], " ") // the status and the type
			}
		}
		short = append(short, line)
	}
	return short
}
