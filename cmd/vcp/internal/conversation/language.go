package conversation

import (
	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message"

	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

// phrases writes the texts of this package in one language.
type phrases struct {
	message.Printer
	language string
}

func phrasesIn(language string) phrases {
	return phrases{chinese.Conversation.Printer(language), language}
}

// failure describes an error in one line.
func (p phrases) failure(err error) string { return terminal.OneLine(p.Say("%v", err)) }

// errorf returns an error, or another text, that exists in English and Chinese.
func errorf(format string, values ...any) *message.Text {
	return chinese.Conversation.Text(format, values...)
}

// count formats a number with its noun, such as "1 row" or "2 rows". format is the singular, such
// as "%d row".
func count(n int, format string) message.Count { return chinese.Conversation.Count(n, format) }

// localizedError is an error whose text is in the language of the chat.
type localizedError struct {
	error
	text string
}

// In returns the text, whatever language is asked for.
func (e *localizedError) In(string) string { return e.text }

// Error returns the text.
func (e *localizedError) Error() string { return e.text }

// Unwrap returns the error with its text in English.
func (e *localizedError) Unwrap() error { return e.error }

// localized returns err with its text in the language of p.
func (p phrases) localized(err error) error {
	if err == nil {
		return nil
	}
	return &localizedError{err, p.Say("%v", err)}
}
