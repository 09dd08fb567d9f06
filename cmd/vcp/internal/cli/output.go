// Package cli contains what the commands of vcp share: arguments, values of flags, standard
// streams, exit statuses and errors.
package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// The exit statuses.
const (
	ExitOK      = 0
	ExitFailure = 1
	ExitUsage   = 2
)

// Streams are the standard streams.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// UsageError is an invalid command line.
type UsageError struct{ Err error }

// Error returns the text of the cause.
func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *UsageError) Unwrap() error { return e.Err }

// Usagef returns a UsageError with a formatted text.
func Usagef(format string, args ...any) error {
	return &UsageError{Err: fmt.Errorf(format, args...)}
}

// Reported is a failure that is already on standard error.
type Reported struct{ Err error }

// Error returns the text of the cause.
func (e Reported) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e Reported) Unwrap() error { return e.Err }

// OutputError is a failure to write the output.
type OutputError struct{ Err error }

// Error names the cause.
func (e *OutputError) Error() string { return "cannot write the output: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *OutputError) Unwrap() error { return e.Err }

// Write writes text and a line break, if it does not end in one.
func Write(out io.Writer, text string) error {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if _, err := io.WriteString(out, text); err != nil {
		return &OutputError{Err: err}
	}
	return nil
}

// WriteJSON writes a value as indented JSON.
func WriteJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return &OutputError{Err: err}
	}
	return nil
}

// LocalTime shows a time in the local time zone, to the minute.
func LocalTime(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// Plural returns a number and the name of what is counted, for one thing or for many.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// ErrInterrupted is the cause of a turn that a person stopped.
var ErrInterrupted = errors.New("stopped by Ctrl-C")
