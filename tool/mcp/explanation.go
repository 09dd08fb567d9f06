package mcp

import (
	"errors"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/redact"
)

// say formats a text in a language.
func say(language, format string, values ...any) string {
	return chinese.MCP.Printer(language).Say(format, values...)
}

// errorf returns an error whose text is formatted later, in the language of its reader.
func errorf(format string, values ...any) *message.Text {
	return chinese.MCP.Text(format, values...)
}

// explanation is an error that says why a connection or a request failed. Its text contains no
// secrets.
type explanation struct {
	cause    error
	limit    int     // limits the text of cause, in bytes
	report   []error // what is known about the server's process; without secrets
	redactor *redact.Redactor
}

func newExplanation(r *redact.Redactor, cause error, limit int, report ...error) *explanation {
	// Unwrap an error of this package: what the SDK adds, such as the URL, explains nothing.
	if own := new(message.Text); errors.As(cause, &own) {
		cause = own
	}
	return &explanation{cause: cause, limit: limit, report: report, redactor: r}
}

func (e *explanation) Error() string { return e.In("en") }

// In returns the explanation in a language.
func (e *explanation) In(language string) string {
	s := e.redactor.Line(message.In(e.cause, language), e.limit)
	for _, part := range e.report {
		s += say(language, "; ") + message.In(part, language)
	}
	return s
}
