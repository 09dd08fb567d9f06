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
	prompt, news, lastReply := m.read(messages)
	if m.slip == Truncated && m.whole != "" && !m.corrected && contains(news, "truncated|截断", "continue|继续") {
		if rest, ok := strings.CutPrefix(m.whole, lastReply); ok {
			m.corrected = true
			return rest, protocol.FinishStop
		}
	}
	if m.requested {
		if text, done := m.afterRequest(news); done {
			return text, protocol.FinishStop
		}
	}
	return m.act(prompt, news)
}

// read returns the prompt, the messages after the last reply (the news), and the last reply.
func (m *Model) read(messages []protocol.Message) (prompt, news, lastReply string) {
	var unread strings.Builder
	for _, message := range messages {
		switch message.Role {
		case protocol.RoleSystem:
			prompt += message.Content
		case protocol.RoleAssistant:
			lastReply = message.Content
			unread.Reset()
		default:
			if m.writesJSON() { // the unescaped text comes first, so that Step.Reads finds it
				unread.WriteString(unescaped.Replace(message.Content) + "\n")
			}
			unread.WriteString(message.Content + "\n")
		}
	}
	return prompt, unread.String(), lastReply
}

// writesJSON reports whether the protocol writes results as JSON. Models read and write the escapes
// of JSON as the characters that these mean.
func (m *Model) writesJSON() bool { return m.form.field == `"arguments"` }

var unescaped = strings.NewReplacer(`\n`, "\n", `\"`, `"`, `\\`, `\`, `\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

// afterRequest reads the messages that followed a request, and moves on to the next step if they
// contain the result. If done is true, text is a reply that ends the task.
func (m *Model) afterRequest(news string) (text string, done bool) {
	s := m.current()
	found := regexp.MustCompile(s.Reads).FindStringSubmatch(news)
	switch {
	case s.Shown: // the step only shows an example, and the engine took it for a request
		m.next()
		return "", false
	case s.Reads != "" && found != nil:
		if m.slip == Repeats && m.step == m.slipStep && !m.corrected {
			if m.corrected = m.slipped && m.isExplained(news); !m.corrected {
				m.slipped = true
				return "", false // act makes the same call again
			}
		}
		m.found = append(m.found, found[1:]...)
		m.restore(news)
		m.next()
		return "", false
	case toolsAreGone(news):
		return m.giveUp(), true
	case m.slipped && m.step == m.slipStep && !m.corrected:
		m.correct(news)
	case m.attempts >= 2: // two requests without a slip did not help
		return m.giveUp(), true
	default:
		m.altersMarks = m.altersMarks && m.alteredFirst(news)
	}
	return "", false
}

// alteredFirst reports whether a text shows an altered mark before a right request. The model
// copies the spelling that it sees first.
func (m *Model) alteredFirst(news string) bool {
	altered, right := strings.Index(news, "始_ESCAPE」"), strings.Index(news, m.form.start)
	return altered >= 0 && (right < 0 || altered < right)
}

// next moves on to the next step.
func (m *Model) next() {
	m.step++
	m.requested, m.attempts = false, 0
}

// correct corrects the slip if the feedback in news explains how.
func (m *Model) correct(news string) {
	if m.slip == CopiesExample {
		return // act copies what is shown
	}
	if !m.isExplained(news) {
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
		m.altersMarks = m.alteredFirst(news)
	}
}

// restore restores the original marks in m.found, if news says how the engine has altered marks.
func (m *Model) restore(news string) {
	if !contains(news, "original|原文", "_escape|&lt;") {
		return
	}
	for i, found := range m.found {
		m.found[i] = strings.NewReplacer("_ESCAPE", "", "&lt;", "<").Replace(found)
	}
}

// act returns a reply with the request or the answer of the current step.
func (m *Model) act(prompt, news string) (string, protocol.FinishReason) {
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
		return m.slipText(s, arguments, clean, prompt, news)
	}
	m.attempts++
	if m.altersMarks {
		clean = strings.NewReplacer("「始」", "「始_ESCAPE」").Replace(clean)
	}
	return m.preface() + clean, protocol.FinishStop
}
