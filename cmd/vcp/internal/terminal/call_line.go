package terminal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// Limits of the parts of a line about a call, in characters.
const (
	MaxValue   = 60
	MaxResult  = 80
	shownError = 200
)

// ArgumentsText shows the arguments of a call: name="value" name=3. Longer values are truncated to
// most characters.
func ArgumentsText(arguments json.RawMessage, most int) string {
	d := json.NewDecoder(bytes.NewReader(arguments))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return ""
	}
	var b strings.Builder
	for d.More() {
		name, err := d.Token()
		if err != nil {
			break
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			break
		}
		b.WriteString(" " + Visible(fmt.Sprint(name)) + "=" + valueText(value, most))
	}
	return b.String()
}

func valueText(value json.RawMessage, most int) string {
	var s *string
	if json.Unmarshal(value, &s) == nil && s != nil {
		return Visible(quoted(text.TruncateRunes(*s, most)))
	}
	return Visible(text.TruncateRunes(plainValue(value), most))
}

// plainValue writes a value in one line: the text of a string in quotation marks, or JSON.
func plainValue(value json.RawMessage) string {
	var s *string
	if json.Unmarshal(value, &s) == nil && s != nil {
		return quoted(*s)
	}
	var compact bytes.Buffer
	if json.Compact(&compact, value) != nil {
		return "?"
	}
	return compact.String()
}

// quoted returns text in quotation marks, with a backslash before each quotation mark and backslash
// in it.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// outcomeText describes the outcome of a call: ok or the error's type, its duration, and the
// beginning of its result.
func outcomeText(r *executor.Result) (word, rest string) {
	most := MaxResult
	word = "ok"
	if r.Status == protocol.StatusError {
		word, most = r.ErrorType, shownError
	}
	if r.Duration > 0 {
		rest = ", " + DurationText(r.Duration)
	}
	text := withoutEditNote(r)
	if word != "ok" {
		text = strings.TrimPrefix(strings.TrimPrefix(text, "invalid arguments: "), "参数无效：") // word says it
	}
	switch {
	case r.Excerpted || r.Summarized:
		first, _, _ := strings.Cut(strings.Trim(text, "\n"), "\n")
		rest += fmt.Sprintf(": %s (%s; the model reads %s of it)", resultText(first, most), bytesText(r.RawBytes), shortening(r))
	default:
		if summary := resultText(text, most); summary != "" {
			rest += ": " + summary
		}
	}
	return word, rest
}

// shortening names what a model reads of a long result.
func shortening(r *executor.Result) string {
	if r.Summarized {
		return "a summary"
	}
	return "an excerpt"
}

// withoutEditNote returns a result without the line about an edit of the user.
func withoutEditNote(r *executor.Result) string {
	text := r.ToolResult.Result
	if note, rest, found := strings.Cut(text, "\n"); found && r.Edited && strings.HasPrefix(note, "[The user changed ") {
		return rest
	}
	return text
}

// DurationText returns a duration with few digits.
func DurationText(d time.Duration) string {
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	}
	return max(d.Round(time.Microsecond), time.Microsecond).String()
}

// resultText returns the first line of a result, truncated to most characters, and the number of
// the other lines.
func resultText(result string, most int) string {
	first, more, found := strings.Cut(strings.Trim(result, "\n"), "\n")
	first = Visible(text.TruncateRunes(strings.Join(strings.Fields(first), " "), most))
	if !found {
		return first
	}
	n := strings.Count(more, "\n") + 1
	lines := "lines"
	if n == 1 {
		lines = "line"
	}
	return fmt.Sprintf("%s (and %d more %s)", first, n, lines)
}

// FileText shows a file of a result: its name, media type and size.
func FileText(f tool.File) string {
	return fmt.Sprintf("[file] %s (%s, %s)", Visible(text.TruncateRunes(f.Name, MaxValue)), Visible(text.TruncateRunes(f.MediaType, MaxValue)), bytesText(len(f.Data)))
}

// bytesText returns a size with few digits.
func bytesText(n int) string {
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1_000_000)
	case n >= 1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	}
	return cli.Plural(n, "byte", "bytes")
}
