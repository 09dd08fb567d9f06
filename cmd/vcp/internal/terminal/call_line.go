package terminal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// Limits of the parts of a line about a call, in characters.
const (
	MaxValue  = 60
	MaxResult = 80
	maxError  = 200
)

// ArgumentsText shows the arguments of a call: name="value" name=3. most is the largest number of
// characters of a value; a longer one is truncated.
func ArgumentsText(arguments json.RawMessage, most int) string {
	members, _ := orderedjson.Members(arguments) // none if arguments is not a JSON object
	var b strings.Builder
	for _, m := range members {
		b.WriteString(" " + Visible(m.Name) + "=" + Visible(valueText(m.Value, most)))
	}
	return b.String()
}

// valueText writes a value in one line: the text of a string in quotation marks, or JSON. A value
// of more than most characters is truncated.
func valueText(value json.RawMessage, most int) string {
	var s *string
	if json.Unmarshal(value, &s) == nil && s != nil {
		return quoted(text.TruncateRunes(*s, most))
	}
	var compact bytes.Buffer
	_ = json.Compact(&compact, value) // no error: callers pass JSON
	return text.TruncateRunes(compact.String(), most)
}

// quoted returns text in quotation marks, with a backslash before each quotation mark and backslash
// in it.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// outcome describes the outcome of a call. word says that it succeeded, or is the type of the
// error. rest is the duration and the beginning of the result.
func (p phrases) outcome(r *executor.Result) (word, rest string) {
	result, most := withoutEditNote(r), MaxResult
	word = p.Say("ok")
	if r.Status == protocol.StatusError {
		word, most = r.ErrorType, maxError
		// word names the error already.
		result = strings.TrimPrefix(strings.TrimPrefix(result, "invalid arguments: "), "参数无效：")
	}
	if r.Duration > 0 {
		rest = p.Say(", %s", DurationText(r.Duration))
	}
	if r.Excerpted || r.Summarized {
		first, _, _ := strings.Cut(strings.Trim(result, "\n"), "\n")
		read := p.Say("the model reads an excerpt of it")
		if r.Summarized {
			read = p.Say("the model reads a summary of it")
		}
		return word, rest + p.Say(": %s (%s; %s)", p.firstLine(first, most), p.bytes(r.RawBytes), read)
	}
	if line := p.firstLine(result, most); line != "" {
		rest += p.Say(": %s", line)
	}
	return word, rest
}

// withoutEditNote returns a result without the line that the engine adds if a person edited the
// call.
func withoutEditNote(r *executor.Result) string {
	result := r.ToolResult.Result
	note, rest, found := strings.Cut(result, "\n")
	if found && r.Edited && (strings.HasPrefix(note, "[The user changed ") || strings.HasPrefix(note, "[用户已把")) {
		return rest
	}
	return result
}

// DurationText returns a duration with few digits, and at least 1µs.
func DurationText(d time.Duration) string {
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	}
	return max(d.Round(time.Microsecond), time.Microsecond).String()
}

// firstLine returns the first line of a result, and the number of the other lines. most is the
// largest number of characters of the line; a longer line is truncated.
func (p phrases) firstLine(result string, most int) string {
	first, more, found := strings.Cut(strings.Trim(result, "\n"), "\n")
	first = Visible(text.TruncateRunes(strings.Join(strings.Fields(first), " "), most))
	if !found {
		return first
	}
	return p.Say("%s (and %v)", first, count(strings.Count(more, "\n")+1, "%d more line"))
}

// FileText shows a file of a result in a language: its name, media type and size.
func FileText(language string, f tool.File) string {
	p := phrasesIn(language)
	name, mediaType := text.TruncateRunes(f.Name, MaxValue), text.TruncateRunes(f.MediaType, MaxValue)
	return p.Say("[file] %s (%s, %s)", Visible(name), Visible(mediaType), p.bytes(len(f.Data)))
}

// bytes returns a size with few digits.
func (p phrases) bytes(n int) string {
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1_000_000)
	case n >= 1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	}
	return p.Say("%v", count(n, "%d byte"))
}
