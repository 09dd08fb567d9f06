package mcp

import (
	"errors"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/redact"
)

// say writes a text in a language.
func say(language, format string, values ...any) string {
	return chinese.MCP.Printer(language).Say(format, values...)
}

// errorf returns a text as an error that is written when its language is known.
func errorf(format string, values ...any) *message.Text {
	return chinese.MCP.Text(format, values...)
}

// explanation says why a server cannot be used. Its text contains no secrets.
type explanation struct {
	cause    error
	limit    int     // of the cause's text, in bytes
	report   []error // what is known about the server's process; without secrets
	redactor *redact.Redactor
}

func newExplanation(r *redact.Redactor, cause error, limit int, report ...error) *explanation {
	// What the SDK adds to an error of this package, such as the URL, explains nothing.
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
