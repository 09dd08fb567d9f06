package weakmodel

import (
	"context"
	"iter"
	"regexp"
	"strings"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
)

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
		m.restore(read)
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
	if len(m.later) > 0 {
		m.slip, m.later = m.later[0], m.later[1:]
		return
	}
	m.healed = true
	if m.current().Invented {
		m.next()
		return
	}
	switch m.slip {
	case UnknownTool, CloseName, ArgumentName, ExtraArgument, MissingArgument, WrongType, GroupedNumber, WrongZone, WrongPath, Truncated, Repeats:
		// The form was right, and the model keeps to it.
	default:
		m.copies = m.alteredFirst(read)
	}
}

// restore writes marks in what was found as they were, if the model is told how they were altered.
func (m *Model) restore(read string) {
	if !contains(read, "original|原文", "_escape|&lt;") {
		return
	}
	for i, found := range m.found {
		m.found[i] = strings.NewReplacer("_ESCAPE", "", "&lt;", "<").Replace(found)
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
