package cli

import "github.com/vcpgo/vcp/internal/message"

// ErrInterrupted is returned if a person stopped a command or a turn with Ctrl-C. It is also the
// cause with which the context of the turn is canceled.
var ErrInterrupted = Message("stopped by Ctrl-C")

// UsageError is an invalid command line.
type UsageError struct{ Err error }

// Error returns the text of the cause.
func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *UsageError) Unwrap() error { return e.Err }

// Usagef returns a UsageError with a Message.
func Usagef(format string, values ...any) error {
	return &UsageError{Err: Message(format, values...)}
}

// ValueError describes an invalid value of a flag, as the rest of a sentence that begins with the
// flag.
type ValueError struct{ *message.Text }

// Valuef returns a ValueError with a Message.
func Valuef(format string, values ...any) error { return &ValueError{Message(format, values...)} }

// NotAllowed returns a ValueError that says which values are allowed. allowed is a string or a
// *message.Text.
func NotAllowed(value string, allowed any) error {
	return Valuef("is %q; allowed is %s", value, allowed)
}

// Reported wraps an error that was already written to standard error.
type Reported struct{ Err error }

// Error returns the text of the cause.
func (e Reported) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e Reported) Unwrap() error { return e.Err }

// OutputError is a failure to write the output.
type OutputError struct{ Err error }

// Error names the cause.
func (e *OutputError) Error() string { return e.In("en") }

// In returns the text of Error in a language, "en" or "zh".
func (e *OutputError) In(language string) string {
	return Message("cannot write the output: %v", e.Err).In(language)
}

// Unwrap returns the cause.
func (e *OutputError) Unwrap() error { return e.Err }
