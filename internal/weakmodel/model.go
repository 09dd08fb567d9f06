package weakmodel

import (
	"context"
	"hash/fnv"
	"iter"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/eval"
	"github.com/vcpgo/vcp/protocol"
)

// Model is a scripted model for one try at a task. It implements engine.Model, and belongs to one
// run.
type Model struct {
	task     *eval.Task
	protocol protocol.Protocol
	slip     Slip
	random   *rand.Rand

	form     form
	step     int // index of the step that is under way
	at       int // the step at which the slip is made; -1 if it fits none
	asked    bool
	slipped  bool
	healed   bool
	gaveUp   bool
	copies   bool   // it writes marks as the feedback spells them
	argument string // the argument that the slip is about
	attempts int    // clean requests of the step
	found    []string
	whole    string // the reply of which the token limit took a part
	meant    []eval.Expectation
}

// New returns a model that makes that slip in the task. The seed chooses the step and the words.
func New(task *eval.Task, p protocol.Protocol, slip Slip, seed uint64) *Model {
	h := fnv.New64a()
	for _, part := range []string{task.ID, p.ID(), string(slip)} {
		_, _ = h.Write([]byte(part + "\n")) // never fails
	}
	m := &Model{task: task, protocol: p, slip: slip, random: rand.New(rand.NewPCG(seed, h.Sum64())), at: -1}
	m.form = formOf(m.clean("a_b", map[string]any{"c": "d"}))
	var fit []int
	for i := range task.Solution {
		if m.applies(i) {
			fit = append(fit, i)
		}
	}
	if len(fit) > 0 {
		m.at = fit[m.random.IntN(len(fit))]
	}
	return m
}

// CanSlip reports whether the slip can be made in the task. In other tasks the model makes none.
func (m *Model) CanSlip() bool { return m.at >= 0 }

// GaveUp reports whether the model has told the user that it could not do the task.
func (m *Model) GaveUp() bool { return m.gaveUp }

// Meant reports whether the model has meant to make a call.
func (m *Model) Meant(c eval.Ran) bool {
	return slices.ContainsFunc(m.meant, func(e eval.Expectation) bool { return e.Matches(c.Method, c.Arguments) })
}

// applies reports whether the slip can be made at a step.
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
		return typedArgument(s) != ""
	case Placeholder:
		return i+1 < len(m.task.Solution) && usesResult(&m.task.Solution[i+1])
	case Repeats: // not if the solution does so
		return m.task.Solution[i+1].Call != s.Call
	default:
		return true
	}
}

func usesResult(s *eval.Step) bool {
	for _, value := range s.Arguments {
		if text, ok := value.(string); ok && strings.Contains(text, "{") {
			return true
		}
	}
	return false
}

// typedArguments are arguments of other types than string, by the method.
var typedArguments = map[string]string{
	"weather_get": "days", "files_read": "startLine", "files_search": "ignoreCase", "orders_cancel": "notify",
	"rates_convert": "amount", "rooms_book": "hour",
}

func typedArgument(s *eval.Step) string { return typedArguments[s.Call] }

// current returns the step that is under way.
func (m *Model) current() *eval.Step { return &m.task.Solution[m.step] }

// Stream implements engine.Model.
func (m *Model) Stream(_ context.Context, req engine.ModelRequest) iter.Seq2[engine.Delta, error] {
	return func(yield func(engine.Delta, error) bool) {
		text, finish := m.reply(req.Messages)
		_ = text == "" || yield(engine.Delta{Text: text}, nil) && yield(engine.Delta{Finish: finish, Finished: true}, nil)
	}
}

// reply returns the next reply.
func (m *Model) reply(messages []protocol.Message) (string, protocol.FinishReason) {
	prompt, read, shown := m.read(messages)
	if m.slip == Truncated && m.whole != "" && !m.healed && contains(read, "truncated|截断", "continue|继续") {
		if rest, ok := strings.CutPrefix(m.whole, shown); ok {
			m.healed = true
			return rest, protocol.FinishStop
		}
	}
	if m.asked {
		if text, done := m.goOn(read); done {
			return text, protocol.FinishStop
		}
	}
	return m.act(prompt, read)
}

// read returns the prompt, what came after the last reply, and the last reply as it is shown.
func (m *Model) read(messages []protocol.Message) (prompt, read, shown string) {
	var news strings.Builder
	for _, message := range messages {
		switch message.Role {
		case protocol.RoleSystem:
			prompt += message.Content
		case protocol.RoleAssistant:
			shown = message.Content
			news.Reset()
		default:
			if m.writesJSON() {
				news.WriteString(unescaped.Replace(message.Content) + "\n")
			}
			news.WriteString(message.Content + "\n")
		}
	}
	return prompt, news.String(), shown
}

// writesJSON reports whether the protocol writes results as JSON, whose escapes a model reads and
// writes without a thought.
func (m *Model) writesJSON() bool { return m.form.field == `"arguments"` }

var unescaped = strings.NewReplacer(`\n`, "\n", `\"`, `"`, `\\`, `\`, `\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

// goOn reads what followed a request. done means that text is the reply, and nothing is asked for.
func (m *Model) goOn(read string) (text string, done bool) {
	s := m.current()
	switch {
	case s.Shown: // the example was taken for a request
		m.next()
		return "", false
	case s.Reads != "" && m.finds(s.Reads, read):
		if m.slip == Repeats && m.step == m.at && !m.healed {
			if m.healed = m.slipped && m.heeds(read); !m.healed {
				m.slipped = true
				return "", false // the same call again
			}
		}
		m.remember(s.Reads, read)
		m.next()
		return "", false
	case toolsAreGone(read):
		return m.giveUp(), true
	case m.slipped && m.step == m.at && !m.healed:
		m.heed(read)
	case m.attempts >= 2:
		return m.giveUp(), true
	default:
		m.copies = m.copies && m.alteredFirst(read)
	}
	return "", false
}

// alteredFirst reports whether a text shows an altered mark before it shows a right request: of two
// spellings the first one is copied.
func (m *Model) alteredFirst(read string) bool {
	altered, right := strings.Index(read, "始_ESCAPE」"), strings.Index(read, m.form.start)
	return altered >= 0 && (right < 0 || altered < right)
}

func (m *Model) next() {
	m.step++
	m.asked, m.attempts = false, 0
}

// heed reads feedback on the slip.
func (m *Model) heed(read string) {
	if m.slip == CopiesExample {
		return // act copies what is shown
	}
	if !m.heeds(read) {
		return // nothing says what to do: the same mistake again
	}
	m.healed = true
	if m.current().Invented {
		m.next()
		return
	}
	switch m.slip {
	case UnknownTool, ArgumentName, ExtraArgument, MissingArgument, WrongType, Truncated, Repeats:
		// The form was right, and the model keeps to it.
	default:
		m.copies = m.alteredFirst(read)
	}
}

func (m *Model) finds(pattern, read string) bool {
	return regexp.MustCompile(pattern).MatchString(read)
}

func (m *Model) remember(pattern, read string) {
	m.found = append(m.found, regexp.MustCompile(pattern).FindStringSubmatch(read)[1:]...)
}

// act makes the next step.
func (m *Model) act(prompt, read string) (string, protocol.FinishReason) {
	for m.current().Invented && m.step != m.at {
		m.step++
	}
	s := m.current()
	if s.Call == "" {
		return m.filled(s.Answer), protocol.FinishStop
	}
	if !strings.Contains(prompt, m.form.start) || !s.Invented && !strings.Contains(prompt, s.Call) {
		return m.giveUp(), protocol.FinishStop // it knows neither the tool nor how to call it
	}
	m.asked = true
	arguments := m.arguments(s)
	clean := m.clean(s.Call, arguments)
	if s.Shown {
		return m.say("You would write this:", "可以这样写：") + "```\n" + clean + "\n```", protocol.FinishStop
	}
	if !s.Invented {
		m.mean(s.Call, arguments)
	}
	if m.step == m.at && !m.healed && m.slip != Repeats {
		return m.err(s, arguments, clean, prompt, read)
	}
	m.attempts++
	if m.copies {
		clean = strings.NewReplacer("「始」", "「始_ESCAPE」").Replace(clean)
	}
	return m.preface() + clean, protocol.FinishStop
}

// preface returns a sentence before a request, or nothing.
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

// giveUp returns an answer that says that the task is not done.
func (m *Model) giveUp() string {
	m.gaveUp = true
	return m.say("I could not do this with the tools that I have.", "我没能用现有的工具完成这件事。")
}
