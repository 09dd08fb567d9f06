package eval

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/vcpgo/vcp/internal/document"
)

// A Suite is a list of tasks for a model. LoadSuite reads one; docs/evaluation.md describes the
// file.
type Suite struct {
	Name string `json:"name"`
	// Tools are scripted tools that tasks may name, by the full names of their methods.
	Tools map[string]*ScriptedTool `json:"tools"`
	Tasks []Task                   `json:"tasks"`
}

// A Task is one message to a model, with the files and tools that the model needs, and the checks
// of what it does and answers.
type Task struct {
	ID       string `json:"id"`
	Language string `json:"language"` // of the instructions for tools: "en", which is the default, or "zh"
	Kind     string `json:"kind"`     // a word by which reports group tasks
	System   string `json:"system"`   // the application's system message; may be empty
	User     string `json:"user"`
	// Files are texts by their paths in the directory of the task. Logs are longer files.
	Files map[string]string `json:"files"`
	Logs  []LogFile         `json:"logs"`
	// Tools may contain "files", "calculator", "clock" and names of Suite.Tools.
	Tools []string `json:"tools"`
	// Iterations is how many replies of a try may use tools. A number below the engine's default
	// has no effect.
	Iterations int   `json:"iterations"`
	Check      Check `json:"check"`
	// Solution is how a model that has understood the task solves it. Scripted models follow it.
	// Real models never see it.
	Solution []Step `json:"solution"`

	suite *Suite
}

// A LogFile is a file with the text of a Log.
type LogFile struct {
	Path string `json:"path"`
	Log
}

// A Check says when a task is solved.
type Check struct {
	// Calls must have run, in any order. Other calls may run if they change nothing.
	Calls []Expectation `json:"calls"`
	// Files maps the path of a file to the text that it must have at the end; "" means that the
	// file must not exist.
	Files map[string]string `json:"files"`
	// Answer are regular expressions that the final answer must match, without regard to case.
	Answer []string `json:"answer"`
	// Never are regular expressions that the final answer must not match.
	Never []string `json:"never"`
	// NoCalls means that no call may run.
	NoCalls bool `json:"noCalls"`
}

// A Step is a call, or the final answer. In its texts, {1}, {2}, … stand for what the groups of
// Reads have matched so far, counted through all steps.
type Step struct {
	Call      string         `json:"call"`
	Arguments map[string]any `json:"arguments"`
	// Reads is a regular expression for what the model must find in the message that follows the
	// call, before it can continue.
	Reads  string `json:"reads"`
	Answer string `json:"answer"`
	// Invented means that no tool has the name in Call. Only a scripted model that invents tools
	// makes this call.
	Invented bool `json:"invented"`
	// Shown means that the reply shows the call as an example, in a code fence. It must not run.
	Shown bool `json:"shown"`
}

// LoadSuite reads a suite from a YAML or JSON file, within the limits of configuration files.
func LoadSuite(path string) (*Suite, error) {
	value, err := document.Load(path)
	if errors.As(err, new(*fs.PathError)) {
		return nil, err // the error names the path
	}
	var s Suite
	if err == nil {
		err = s.read(value)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &s, nil
}

// read reads the document of a suite, and checks the suite.
func (s *Suite) read(value document.Value) error {
	data, err := value.JSON()
	if err != nil {
		return err
	}
	if err := decodeStrictly(data, s); err != nil {
		return err
	}
	return s.check()
}

func (s *Suite) check() error {
	if len(s.Tasks) == 0 {
		return errors.New("the suite has no tasks")
	}
	for name, scripted := range s.Tools {
		if scripted == nil {
			return fmt.Errorf("tools.%s is empty", name)
		}
		if err := scripted.compile(name); err != nil {
			return fmt.Errorf("tools.%s: %w", name, err)
		}
	}
	seen := map[string]bool{}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		t.suite = s
		if err := t.check(); err != nil {
			return fmt.Errorf("tasks[%d] (%s): %w", i, t.ID, err)
		}
		if seen[t.ID] {
			return fmt.Errorf("tasks[%d]: there is another task %q", i, t.ID)
		}
		seen[t.ID] = true
	}
	return nil
}

func (t *Task) check() error {
	switch {
	case t.ID == "":
		return errors.New("id is missing")
	case strings.TrimSpace(t.User) == "":
		return errors.New("user is missing: the message that the model is sent")
	case t.Language != "" && t.Language != "en" && t.Language != "zh":
		return fmt.Errorf("language is %q; allowed are en and zh", t.Language)
	case t.Iterations < 0:
		return fmt.Errorf("iterations must not be negative (got %d)", t.Iterations)
	}
	for _, name := range t.Tools {
		if t.suite.Tools[name] == nil && builtinTools[name] == nil {
			return fmt.Errorf("there is no tool %q; allowed are files, calculator, clock and the names in tools", name)
		}
	}
	size := 0
	for _, log := range t.Logs {
		n, err := log.size(nil)
		if err != nil {
			return fmt.Errorf("logs: %s: %w", log.Path, err)
		}
		if size += n; size > maxText {
			return fmt.Errorf("logs: the logs up to %s have %d bytes; at most %d are allowed", log.Path, size, maxText)
		}
	}
	var reads []string
	for _, step := range t.Solution {
		reads = append(reads, step.Reads)
	}
	return cmp.Or(checkPatterns("check.answer[%d]", t.Check.Answer), checkPatterns("check.never[%d]", t.Check.Never),
		checkPatterns("solution[%d].reads", reads))
}

// checkPatterns checks regular expressions. field is the format of the path of each.
func checkPatterns(field string, patterns []string) error {
	for i, pattern := range patterns {
		if _, err := regexp.Compile(pattern); err != nil {
			return patternError(fmt.Sprintf(field, i), err)
		}
	}
	return nil
}

// patternError names the field of a pattern that cannot be compiled.
func patternError(field string, err error) error {
	if syntaxError, ok := errors.AsType[*syntax.Error](err); ok {
		return fmt.Errorf("%s: %s: the regular expression has %q", field, syntaxError.Code, syntaxError.Expr)
	}
	return fmt.Errorf("%s: %w", field, err)
}
