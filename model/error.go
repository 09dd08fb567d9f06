package model

import (
	"errors"
	"time"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message"
)

// Kind classifies an Error.
type Kind string

const (
	// KindOptions means that Options cannot be used.
	KindOptions Kind = "options"
	// KindConnect means that the server cannot be reached.
	KindConnect Kind = "connect"
	// KindStatus means an HTTP status other than success.
	KindStatus Kind = "status"
	// KindModel means that the server does not have the model that Options name. If Options name
	// none, it means that the server has none or several.
	KindModel Kind = "model"
	// KindResponse means a response that is not a reply of a model: a web page, an empty body,
	// broken JSON.
	KindResponse Kind = "response"
	// KindServer means an error that the server reported within a response.
	KindServer Kind = "server"
	// KindTruncated means that the connection was lost during a response.
	KindTruncated Kind = "truncated"
	// KindTimeout means that Options.IdleTimeout or Options.Timeout passed.
	KindTimeout Kind = "timeout"
	// KindCanceled means that the context ended. errors.Is tells whether it was canceled or
	// expired.
	KindCanceled Kind = "canceled"
)

// Error is an error of a Client, of Options or of a Preset. It never shows 8 consecutive bytes of a
// secret in Options, in any of the spellings that docs/models.md lists.
type Error struct {
	Op         string // "chat", "models" or "new"
	Kind       Kind
	URL        string        // the base URL without secrets; "" if Op is "new"
	Status     int           // the HTTP status; 0 for none
	Attempts   int           // how many requests were sent, including the failed one
	RetryAfter time.Duration // the pause that the server asks for; 0 for none
	// Message is one line, shortened to 2 KiB, without control characters. It says what went wrong
	// and how to correct it.
	Message string
	// Err is the innermost cause, because outer errors repeat what was sent. It is nil if the
	// response itself is the cause.
	Err error

	inChinese string // Message in Chinese
	temporary bool   // the same request may succeed later
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// In returns the message in a language: "zh" is Chinese, any other is English.
func (e *Error) In(language string) string {
	if language == "zh" && e.inChinese != "" {
		return e.inChinese
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// newError returns e with its message, as one short line without secrets. Every Error is made here,
// because a message may repeat text of a server, a file or a person.
func newError(s *secrets, e Error, format string, args ...any) *Error {
	text := say(format, args...)
	e.Message, e.inChinese = s.Line(text.In("en"), maxMessage), s.Line(text.In("zh"), maxMessage)
	if e.Err != nil {
		if text := s.Line(e.Err.Error(), maxMessage); text != e.Err.Error() {
			cause := e.Err
			e.Err = &redactedError{text, func(target error) bool { return errors.Is(cause, target) }}
		}
	}
	return &e
}

// redactedError replaces an error whose text must not be shown as it is. errors.Is works as for the
// replaced error. Only a function refers to that error, so %#v does not print it.
type redactedError struct {
	text string
	is   func(target error) bool
}

func (e *redactedError) Error() string        { return e.text }
func (e *redactedError) Is(target error) bool { return e.is(target) }

// A fault is what went wrong with a request or its response. The message has no subject: it is
// shown after the name of the server.
type fault struct {
	kind      Kind
	message   *message.Text
	err       error
	temporary bool // as in Error
}

func (f *fault) Error() string { return f.message.Error() }
func (f *fault) Unwrap() error { return f.err }

// faultf returns a fault that is not temporary.
func faultf(kind Kind, format string, args ...any) *fault {
	return &fault{kind: kind, message: say(format, args...)}
}

// say returns a text for people that exists in English and Chinese.
func say(format string, values ...any) *message.Text { return chinese.Model.Text(format, values...) }
