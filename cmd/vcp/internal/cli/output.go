// Package cli contains what the commands of vcp share: arguments, values of flags, standard
// streams, exit statuses, and errors in the language of the locale.
package cli

import (
	"encoding/json"
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

// Write writes text through TextOutput, and a line break after it if text does not end in one.
func Write(out io.Writer, text string) error {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err := io.WriteString(TextOutput(out), text)
	return err
}

// Output is a writer whose errors are OutputErrors.
type Output struct{ io.Writer }

// Write writes data.
func (o Output) Write(data []byte) (int, error) {
	n, err := o.Writer.Write(data)
	if err != nil {
		err = &OutputError{Err: err}
	}
	return n, err
}

// WriteJSON writes a value as indented JSON through JSONOutput.
func WriteJSON(out io.Writer, v any) error { return writeJSON(out, v, "  ") }

// WriteJSONLine writes a value as JSON on one line through JSONOutput.
func WriteJSONLine(out io.Writer, v any) error { return writeJSON(out, v, "") }

func writeJSON(out io.Writer, v any, indent string) error {
	e := json.NewEncoder(JSONOutput(out))
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	return e.Encode(v)
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
