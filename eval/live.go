package eval

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"time"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// A Variant is one way to give a model the tasks.
type Variant struct {
	Name  string
	Model engine.Model
	// Protocol is the text protocol of the model's calls.
	Protocol protocol.Protocol
	// NoTools means that the model has no tools. It shows what the model can do without them.
	NoTools bool
	// Tools are tools in addition to those of the task.
	Tools []tool.Tool
	// Reading says how the parser reads replies.
	Reading parser.Options
}

// A Try is one run of a task.
type Try struct {
	Task    *Task
	Variant string
	// Failures describe the checks that failed, each in at most 1 KiB. If there are none and Err is
	// nil, the task is solved.
	Failures []string
	// Wrong counts the calls that ran, may change something, and are not expected by the task.
	Wrong int
	Calls []Call // all calls that ran, including calls that a script of the model made
	// Answer is the text of the last reply without its requests, shortened to 4 KiB.
	Answer string
	Stop   engine.StopReason
	// Err is the error with which the run failed, such as an error of the model's server.
	Err error

	Iterations          int
	Prompt, Reply       int // tokens, as the server reports them
	Mistakes, Corrected int // mistakes in requests, and how many of them the next reply corrected
	Duration            time.Duration
}

// Solved reports whether all checks passed.
func (t *Try) Solved() bool { return t.Err == nil && len(t.Failures) == 0 }

// maxTime is how long one try may take.
const maxTime = engine.Duration(10 * time.Minute)

// Run gives the task to a model, in a new directory that is removed at the end. The error comes
// from the directory, the tools or the engine. An error of the model is in Try.Err.
func (t *Task) Run(ctx context.Context, v Variant) (Try, error) {
	box, err := t.newSandbox(v.Tools)
	if err != nil {
		return Try{}, err
	}
	defer box.close()
	e, err := engine.New(engine.Options{
		Registry: box.registry, Protocols: []protocol.Protocol{v.Protocol}, Model: v.Model, Config: t.config(v),
		Middlewares: []tool.Middleware{box.record},
		Profile:     &engine.Profile{Reading: v.Reading, Prompt: protocol.PromptOptions{Language: t.Language}},
		Logger:      slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return Try{}, err
	}
	messages := []protocol.Message{{Role: protocol.RoleUser, Content: t.User}}
	if t.System != "" {
		messages = slices.Insert(messages, 0, protocol.Message{Role: protocol.RoleSystem, Content: t.System})
	}
	try := Try{Task: t, Variant: v.Name}
	session := e.NewSession(t.ID)
	start := time.Now()
	for event, err := range session.Run(ctx, messages) {
		if err != nil {
			try.Err = err
		}
		switch event.Kind {
		case engine.EventIterationDone:
			try.add(event.Iteration)
		case engine.EventRunDone:
			try.Stop = event.Stop
		}
	}
	try.Duration = time.Since(start)
	try.Calls = box.calls()
	stats := session.Stats()
	try.Mistakes, try.Corrected = stats.Mistakes, stats.Corrected
	err = try.check(box)
	try.Answer = text.TruncateBytes(try.Answer, 4<<10)
	return try, err
}

// config returns the engine's configuration for one try.
func (t *Task) config(v Variant) engine.Config {
	config := engine.DefaultConfig()
	config.Enabled, config.Approve, config.MaxTime = !v.NoTools, policy.ApproveAll, maxTime
	config.MaxIterations = max(config.MaxIterations, t.Iterations)
	config.ToolToggles = map[string]bool{}
	for _, extra := range v.Tools {
		config.ToolToggles[extra.ID] = true // some tools are hidden unless a configuration names them
	}
	return config
}

// add adds an iteration to the counts of the try. Its text is the answer until the next iteration.
func (t *Try) add(iteration *engine.Iteration) {
	t.Iterations = iteration.Number
	t.Answer = iteration.Reply.Text.String()
	if iteration.Usage != nil {
		t.Prompt += iteration.Usage.PromptTokens
		t.Reply += iteration.Usage.CompletionTokens
	}
}

// check compares the calls, the files and the answer with what the task asks for.
func (t *Try) check(box *sandbox) error {
	check := &t.Task.Check
	failed := func(format string, args ...any) {
		t.Failures = append(t.Failures, text.TruncateBytes(fmt.Sprintf(format, args...), 1<<10))
	}
	met := make([][]int, len(t.Calls))
	made := make([]bool, len(check.Calls))
	for i, c := range t.Calls {
		met[i] = c.meets(check.Calls)
		for _, expected := range met[i] {
			made[expected] = true
		}
	}
	for i, e := range check.Calls {
		if !made[i] {
			failed("%s was not called as expected: %s", e.Name, text.TruncateBytes(e.text, 200))
		}
	}
	for i, c := range t.Calls {
		if c.Method.Risk() != tool.RiskRead && len(met[i]) == 0 {
			t.Wrong++
			failed("%s ran with %s, which is not expected", c.Method.FullName, c.Arguments)
		}
	}
	if check.NoCalls && len(t.Calls) > 0 {
		failed("a tool was called, but none is needed")
	}
	for name, want := range check.Files {
		content, there, err := box.read(name)
		if err != nil {
			return err
		}
		switch {
		case want == "" && there:
			failed("the file %s exists, but should not", name)
		case want != "" && !there:
			failed("the file %s does not exist", name)
		case content != want:
			failed("%s has %q, not %q", name, content, want)
		}
	}
	// A run that reaches the limit of iterations, or makes no progress, may have solved its task.
	if t.Stop != engine.StopDone && t.Stop != engine.StopMaxIterations && t.Stop != engine.StopNoProgress {
		failed("the run ended as %s", t.Stop)
	}
	for _, pattern := range check.Answer {
		if !matches(pattern, t.Answer) {
			failed("the answer does not match %s", pattern)
		}
	}
	for _, pattern := range check.Never {
		if matches(pattern, t.Answer) {
			failed("the answer matches %s", pattern)
		}
	}
	return nil
}

// matches reports whether a text matches a regular expression, without regard to case. LoadSuite
// has checked the expression.
func matches(pattern, s string) bool {
	compiled, err := regexp.Compile("(?is)" + pattern)
	return err == nil && compiled.MatchString(s)
}
