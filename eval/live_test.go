package eval_test

import (
	"context"
	"iter"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/eval"
	"github.com/vcpgo/vcp/internal/requesttest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// scriptedModel is a model that writes the replies of a list, one after the other, and then "done".
type scriptedModel struct {
	replies []string
	read    []string // the last message that each request to the model contains
}

func (s *scriptedModel) Stream(_ context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		s.read = append(s.read, req.Messages[len(req.Messages)-1].Content)
		text := "done"
		if len(s.replies) > 0 {
			text, s.replies = s.replies[0], s.replies[1:]
		}
		usage := &engine.Usage{PromptTokens: 10, CompletionTokens: 2}
		_ = yield(engine.Delta{Text: text}, nil) &&
			yield(engine.Delta{Finish: protocol.FinishStop, Finished: true, Usage: usage}, nil)
	}
}

// request returns a request in the VCP dialect. pairs are as in requesttest.Text.
func request(t *testing.T, name string, pairs ...string) string {
	t.Helper()
	return requesttest.Text(t, vcp.Protocol{}, name, pairs...)
}

func TestATryIsCheckedAgainstItsTask(t *testing.T) {
	s, err := suiteOf(t, smallSuite)
	if err != nil {
		t.Fatal(err)
	}
	save := func(title, text string) string { return request(t, "notes_save", "title", title, "text", text) }
	const (
		noteTask = iota // the tasks of smallSuite
		talkTask
	)
	const notCalled = `notes_save was not called as expected: {"name":"notes_save","arguments":{"title":"a","text":"x"}}`
	tests := []struct {
		name     string
		task     int
		replies  []string
		failures []string
		wrong    int
	}{
		{"solved", noteTask, []string{save("a", "x"), "All done."}, nil, 0},
		{"no call if one is expected", noteTask, []string{"done"}, []string{notCalled, "the file notes/a.txt does not exist"}, 0},
		{
			"another text", noteTask,
			[]string{save("a", "y"), "done"},
			[]string{
				notCalled, `notes_save ran with {"title":"a","text":"y"}, which is not expected`,
				`notes/a.txt has "y", not "x"`,
			},
			1,
		},
		{
			"a second call that is not expected", noteTask,
			[]string{save("a", "x") + "\n" + save("b", "x"), "done"},
			[]string{
				`notes_save ran with {"title":"b","text":"x"}, which is not expected`,
				"the file notes/b.txt exists, but should not",
			},
			1,
		},
		{
			"an additional call that only reads", noteTask,
			[]string{request(t, "files_list"), save("a", "x"), "done"},
			nil, 0,
		},
		{
			"a wrong answer", noteTask,
			[]string{save("a", "x"), "Sorry"},
			[]string{"the answer does not match done", "the answer matches sorry"},
			0,
		},
		{"no call if none is needed", talkTask, []string{"Hello!"}, nil, 0},
		{
			"a call that is not needed", talkTask,
			[]string{request(t, "clock_now"), "hello"},
			[]string{"a tool was called, but none is needed"},
			0,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			model := &scriptedModel{replies: tt.replies}
			variant := eval.Variant{Name: "vcp", Model: model, Protocol: vcp.Protocol{}}
			try, err := s.Tasks[tt.task].Run(t.Context(), variant)
			if err != nil || try.Err != nil {
				t.Fatal(err, try.Err)
			}
			if diff := cmp.Diff(tt.failures, try.Failures); diff != "" {
				t.Error(diff)
			}
			if try.Wrong != tt.wrong || try.Solved() != (tt.failures == nil) {
				t.Errorf("%d wrong calls, solved %t; want %d wrong calls, solved %t",
					try.Wrong, try.Solved(), tt.wrong, tt.failures == nil)
			}
		})
	}
}

func TestATaskHasFilesAndScriptedTools(t *testing.T) {
	s, err := suiteOf(t, smallSuite)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, request, want string }{
		{"a file", request(t, "files_read", "path", "keep.txt"), "kept"},
		{"a file that is a log", request(t, "files_read", "path", "long.txt"), "line 1\ntwo\nline 3"},
		{"no file outside of the directory is read", request(t, "files_read", "path", "../x"), "outside of the root"},
		{
			"the first result that fits", request(t, "notes_save", "title", "secret", "text", "x"),
			"secret is not allowed",
		},
		{"a result that is a log", request(t, "notes_save", "title", "long", "text", "x"), "1: x\ntwo: x\n3: x"},
		{"the last result fits every call", request(t, "notes_save", "title", "b", "text", "x"), "saved b"},
		{"no file outside of the directory is written", request(t, "notes_save", "title", "../../x", "text", "x"), "escapes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			model := &scriptedModel{replies: []string{tt.request}}
			if _, err := s.Tasks[0].Run(t.Context(), eval.Variant{Model: model, Protocol: vcp.Protocol{}}); err != nil {
				t.Fatal(err)
			}
			if len(model.read) < 2 || !strings.Contains(model.read[1], tt.want) {
				t.Errorf("the model reads %q, want %q in the second message", model.read, tt.want)
			}
		})
	}
	t.Run("a result that is given once", func(t *testing.T) {
		again := request(t, "notes_save", "title", "later", "text", "x")
		model := &scriptedModel{replies: []string{again, again}}
		if _, err := s.Tasks[0].Run(t.Context(), eval.Variant{Model: model, Protocol: vcp.Protocol{}}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(model.read[1], "busy") || !strings.Contains(model.read[2], "saved later") {
			t.Errorf("the model reads %q, want busy and then saved later", model.read)
		}
	})
	t.Run("a variant without tools", func(t *testing.T) {
		model := &scriptedModel{replies: []string{request(t, "notes_save", "title", "a", "text", "x")}}
		try, err := s.Tasks[0].Run(t.Context(), eval.Variant{Model: model, Protocol: vcp.Protocol{}, NoTools: true})
		if err != nil || len(try.Calls) > 0 || len(model.read) != 1 {
			t.Errorf("error %v, calls %v, %d replies; want no call and one reply", err, try.Calls, len(model.read))
		}
	})
}

func TestATaskLimitsItsIterations(t *testing.T) {
	s, err := suiteOf(t, smallSuite)
	if err != nil {
		t.Fatal(err)
	}
	model := &scriptedModel{}
	for i := range 20 {
		model.replies = append(model.replies, request(t, "notes_save", "title", "n"+strconv.Itoa(i), "text", "x"))
	}
	try, err := s.Tasks[0].Run(t.Context(), eval.Variant{Model: model, Protocol: vcp.Protocol{}})
	// smallSuite limits the first task to 11 iterations.
	if err != nil || len(try.Calls) != 11 || try.Stop != engine.StopMaxIterations {
		t.Errorf("error %v, %d calls, stopped as %s; want 11 calls, stopped as %s",
			err, len(try.Calls), try.Stop, engine.StopMaxIterations)
	}
}

func TestAVariantAddsTools(t *testing.T) {
	s, err := suiteOf(t, smallSuite)
	if err != nil {
		t.Fatal(err)
	}
	ping, err := tool.New("ping", "Answers.", func(context.Context, struct{}) (string, error) { return "pong", nil },
		tool.AgentCallable(), tool.OptIn(), tool.WithRisk(tool.RiskRead))
	if err != nil {
		t.Fatal(err)
	}
	model := &scriptedModel{replies: []string{request(t, "net_ping")}}
	try, err := s.Tasks[1].Run(t.Context(), eval.Variant{
		Model: model, Protocol: vcp.Protocol{}, Tools: []tool.Tool{{ID: "net", Methods: []tool.Method{ping}}},
	})
	if err != nil || len(try.Calls) != 1 || try.Calls[0].Method.FullName != "net_ping" ||
		!strings.Contains(model.read[1], "pong") {
		t.Errorf("error %v, calls %v, the model reads %q; want one call of net_ping, and pong", err, try.Calls, model.read)
	}
}

func TestATaskRemovesItsDirectory(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s, err := suiteOf(t, smallSuite)
	if err != nil {
		t.Fatal(err)
	}
	model := &scriptedModel{replies: []string{request(t, "notes_save", "title", "a", "text", "x")}}
	if _, err := s.Tasks[0].Run(t.Context(), eval.Variant{Model: model, Protocol: vcp.Protocol{}}); err != nil {
		t.Fatal(err)
	}
	remaining, err := os.ReadDir(os.TempDir())
	if err != nil || len(remaining) > 0 {
		t.Errorf("%v remain (error %v)", remaining, err)
	}
}
