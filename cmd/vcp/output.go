package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// The exit statuses.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
)

// streams are the standard streams.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// usageError is an invalid command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

// reported is a failure that is already on standard error.
type reported struct{ error }

func (e reported) Unwrap() error { return e.error }

// outputError is a failure to write the output.
type outputError struct{ err error }

func (e *outputError) Error() string { return "cannot write the output: " + e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

// write writes text and a line break, if it does not end in one.
func write(out io.Writer, text string) error {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if _, err := io.WriteString(out, text); err != nil {
		return &outputError{err}
	}
	return nil
}

// writeJSON writes a value as indented JSON.
func writeJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return &outputError{err}
	}
	return nil
}

// jsonText returns a text as JSON.
func jsonText(s string) json.RawMessage {
	b, _ := json.Marshal(s) // a string never fails
	return b
}

// localTime shows when something happened, to the minute.
func localTime(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
