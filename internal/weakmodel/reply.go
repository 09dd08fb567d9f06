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
		_ = yield(engine.Delta{Text: text}, nil) && yield(engine.Delta{Finish: finish, Finished: true}, nil)
	}
}

// reply returns the next reply to a conversation.
func (m *Model) reply(messages []protocol.Message) (string, protocol.FinishReason) {
	prompt, read, shown := m.read(messages)
	if m.slip == Truncated && m.whole != "" && !m.corrected && contains(read, "truncated|截断", "continue|继续") {
		if rest, ok := strings.CutPrefix(m.whole, shown); ok {
			m.corrected = true
			return rest, protocol.FinishStop
		}
	}
	if m.requested {
		if text, done := m.afterRequest(read); done {
			return text, protocol.FinishStop
		}
	}
	return m.act(prompt, read)
}

// read returns the prompt, the messages after the last reply, and the last reply.
func (m *Model) read(messages []protocol.Message) (prompt, read, reply string) {
	var news strings.Builder
	for _, message := range messages {
		switch message.Role {
		case protocol.RoleSystem:
			prompt += message.Content
		case protocol.RoleAssistant:
			reply = message.Content
			news.Reset()
		default:
			if m.writesJSON() {
				news.WriteString(unescaped.Replace(message.Content) + "\n")
			}
			news.WriteString(message.Content + "\n")
		}
	}
	return prompt, news.String(), reply
}

// writesJSON reports whether the protocol writes results as JSON. Models read and write the escapes
// of JSON as the characters that these mean.
func (m *Model) writesJSON() bool { return m.form.field == `"arguments"` }

var unescaped = strings.NewReplacer(`\n`, "\n", `\"`, `"`, `\\`, `\`, `\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

// afterRequest reads the messages that followed a request, and moves on to the next step if they
// contain the result. If done is true, text is a reply that ends the task.
func (m *Model) afterRequest(read string) (text string, done bool) {
	s := m.current()
	found := regexp.MustCompile(s.Reads).FindStringSubmatch(read)
	switch {
	case s.Shown: // the step only shows an example, and the engine took it for a request
		m.next()
		return "", false
	case s.Reads != "" && found != nil:
		if m.slip == Repeats && m.step == m.slipStep && !m.corrected {
			if m.corrected = m.slipped && m.isExplained(read); !m.corrected {
				m.slipped = true
				return "", false // act makes the same call again
			}
		}
		m.found = append(m.found, found[1:]...)
		m.restore(read)
		m.next()
		return "", false
	case toolsAreGone(read):
		return m.giveUp(), true
	case m.slipped && m.step == m.slipStep && !m.corrected:
		m.correct(read)
	case m.attempts >= 2: // two requests without a slip did not help
		return m.giveUp(), true
	default:
		m.altersMarks = m.altersMarks && m.alteredFirst(read)
	}
	return "", false
}

// alteredFirst reports whether a text shows an altered mark before a right request. The model
// copies the spelling that it sees first.
func (m *Model) alteredFirst(read string) bool {
	altered, right := strings.Index(read, "始_ESCAPE」"), strings.Index(read, m.form.start)
	return altered >= 0 && (right < 0 || altered < right)
}

// next moves on to the next step.
func (m *Model) next() {
	m.step++
	m.requested, m.attempts = false, 0
}

// correct corrects the slip if the feedback in read explains how.
func (m *Model) correct(read string) {
	if m.slip == CopiesExample {
		return // act copies what is shown
	}
	if !m.isExplained(read) {
		return // the feedback does not say what to do, so act makes the same mistake again
	}
	if len(m.later) > 0 {
		m.slip, m.later = m.later[0], m.later[1:]
		return
	}
	m.corrected = true
	if m.current().Invented {
		m.next()
		return
	}
	switch m.slip {
	case UnknownTool, CloseName, ArgumentName, ExtraArgument, MissingArgument, WrongType, GroupedNumber, WrongZone, WrongPath,
		Truncated, Repeats:
		// The form of the request was right, so the model does not copy another.
	default:
		m.altersMarks = m.alteredFirst(read)
	}
}

// restore restores the original marks in m.found, if read says how the engine has altered marks.
func (m *Model) restore(read string) {
	if !contains(read, "original|原文", "_escape|&lt;") {
		return
	}
	for i, found := range m.found {
		m.found[i] = strings.NewReplacer("_ESCAPE", "", "&lt;", "<").Replace(found)
	}
}

// act returns a reply with the request or the answer of the current step.
func (m *Model) act(prompt, read string) (string, protocol.FinishReason) {
	for m.current().Invented && m.step != m.slipStep { // only the slip UnknownTool makes such a call
		m.step++
	}
	s := m.current()
	if s.Call == "" {
		return m.filled(s.Answer), protocol.FinishStop
	}
	if !strings.Contains(prompt, m.form.start) || !s.Invented && !strings.Contains(prompt, s.Call) {
		return m.giveUp(), protocol.FinishStop // the prompt lacks the tool, or the form of requests
	}
	m.requested = true
	arguments := m.arguments(s)
	clean := formatted(m.protocol, s.Call, arguments)
	if s.Shown {
		return m.say("You would write this:", "可以这样写：") + "```\n" + clean + "\n```", protocol.FinishStop
	}
	if !s.Invented {
		m.recordMeant(s.Call, arguments)
	}
	if m.step == m.slipStep && !m.corrected && m.slip != Repeats {
		return m.slipText(s, arguments, clean, prompt, read)
	}
	m.attempts++
	if m.altersMarks {
		clean = strings.NewReplacer("「始」", "「始_ESCAPE」").Replace(clean)
	}
	return m.preface() + clean, protocol.FinishStop
}
