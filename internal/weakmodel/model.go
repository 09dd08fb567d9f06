package weakmodel

import (
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/eval"
	"github.com/vcpgo/vcp/protocol"
)

// Model is a scripted model for one try at a task. It implements engine.Model, and must be used for
// one run only.
type Model struct {
	task     *eval.Task
	protocol protocol.Protocol
	slip     Slip   // the slip that the model makes now
	later    []Slip // the slips that the model makes after slip
	random   *rand.Rand

	form        form // of a request in the protocol
	step        int  // index of the current step of the solution
	slipStep    int  // index of the step with the slip; -1 if the slip can be made in no step
	requested   bool // the model has written a request for the step, and reads the result or feedback next
	slipped     bool // the slip has been made
	corrected   bool // feedback has corrected the slip, so the model does not make it again
	gaveUp      bool
	altersMarks bool               // the model writes altered marks, because feedback showed them first
	argument    string             // name of the argument that the slip changes; for WrongPath, the right path
	attempts    int                // requests without a slip in this step
	found       []string           // the texts that the groups of each Step.Reads have matched
	whole       string             // the whole reply of which a token limit left only the beginning
	meant       []eval.Expectation // the calls that the model meant
}

// New returns a model that makes the slip in the task. The seed determines the step with the slip,
// and whether a request has a sentence before it.
func New(task *eval.Task, p protocol.Protocol, slip Slip, seed uint64) *Model {
	h := fnv.New64a()
	for _, part := range []string{task.ID, p.ID(), string(slip)} {
		_, _ = h.Write([]byte(part + "\n")) // never fails
	}
	m := &Model{task: task, protocol: p, slip: slip, random: rand.New(rand.NewPCG(seed, h.Sum64())), slipStep: -1}
	m.form = formOf(formatted(p, "a_b", map[string]any{"c": "d"}))
	var fit []int // steps in which the slip can be made
	for i := range task.Solution {
		if m.applies(i) {
			fit = append(fit, i)
		}
	}
	if len(fit) > 0 {
		m.slipStep = fit[m.random.IntN(len(fit))]
	}
	if slip == ThreeMistakes {
		m.slip, m.later = Fenced, []Slip{UnknownTool, MissingArgument}
	}
	return m
}

// CanSlip reports whether the slip can be made in the task. In other tasks the model makes none.
func (m *Model) CanSlip() bool { return m.slipStep >= 0 }

// GaveUp reports whether the model has told the user that it could not do the task.
func (m *Model) GaveUp() bool { return m.gaveUp }

// Meant reports whether the model meant to make the call c.
func (m *Model) Meant(c eval.Call) bool {
	return slices.ContainsFunc(m.meant, func(e eval.Expectation) bool { return e.Matches(c.Method, c.Arguments) })
}

// applies reports whether the slip can be made in step i.
func (m *Model) applies(i int) bool {
	s := &m.task.Solution[i]
	switch {
	case s.Call == "" || s.Shown:
		return false
	case s.Invented:
		return m.slip == UnknownTool
	}
	switch m.slip {
	case None:
		return false
	case WrongType:
		return typedArguments[s.Call] != ""
	case EscapedBody:
		body := m.body(formatted(m.protocol, s.Call, s.Arguments))
		return m.protocol.Neutralize(body) != body
	case GroupedNumber:
		return largeArgument(s) != ""
	case WrongZone:
		return s.Arguments["to"] != nil && s.Arguments["time"] != nil
	case WrongPath:
		path, _ := s.Arguments["path"].(string)
		return path != "" && path != "."
	case Placeholder:
		return i+1 < len(m.task.Solution) && usesResult(&m.task.Solution[i+1])
	case Repeats: // unless the solution itself calls the method twice in a row
		return m.task.Solution[i+1].Call != s.Call
	default:
		return true
	}
}

// usesResult reports whether an argument of the step contains a value of a result, such as {1}.
func usesResult(s *eval.Step) bool {
	for _, value := range s.Arguments {
		if text, ok := value.(string); ok && strings.Contains(text, "{") {
			return true
		}
	}
	return false
}

// typedArguments names, for some methods, an argument whose type is not string.
var typedArguments = map[string]string{
	"weather_get": "days", "files_read": "startLine", "files_search": "ignoreCase", "orders_cancel": "notify",
	"rates_convert": "amount", "rooms_book": "hour",
}

// largeArgument names an argument that is a whole number of four digits or more; "" means none.
func largeArgument(s *eval.Step) string {
	for name, value := range s.Arguments {
		if n, ok := value.(json.Number); ok && len(n) >= 4 && strings.Trim(n.String(), "0123456789") == "" {
			return name
		}
	}
	return ""
}

// current returns the current step.
func (m *Model) current() *eval.Step { return &m.task.Solution[m.step] }

// preface returns a sentence to write before a request, or "" in half of the cases.
func (m *Model) preface() string {
	if m.random.IntN(2) == 0 {
		return ""
	}
	return m.say("Let me look that up.", "我来查一下。")
}

// say returns a sentence in the language of the task, and a line break.
func (m *Model) say(english, chinese string) string {
	if m.task.Language == "zh" {
		return chinese + "\n"
	}
	return english + "\n"
}

// giveUp returns an answer that says that the task is not done, and records that the model gave up.
func (m *Model) giveUp() string {
	m.gaveUp = true
	return m.say("I could not do this with the tools that I have.", "我没能用现有的工具完成这件事。")
}

// body returns the text between the marks of a request.
func (m *Model) body(clean string) string {
	return strings.TrimSuffix(strings.TrimPrefix(clean, m.form.start+"\n"), "\n"+m.form.end)
}
