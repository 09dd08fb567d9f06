package main

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
)

// How much of a call a line shows, in characters.
const (
	shownValue  = 60
	shownResult = 80
	shownError  = 200
)

// argumentsText shows the arguments of a call: name="value" name=3. Values longer than most characters are cut.
func argumentsText(arguments json.RawMessage, most int) string {
	members, err := orderedjson.Members(arguments)
	if err != nil {
		return ""
	}
	var b strings.Builder
	for _, m := range members {
		b.WriteString(" " + visible(m.Name) + "=" + valueText(m.Value, most))
	}
	return b.String()
}

func valueText(value json.RawMessage, most int) string {
	var s *string
	if json.Unmarshal(value, &s) == nil && s != nil {
		return visible(quoted(truncated(*s, most)))
	}
	return visible(truncated(plainValue(value), most))
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

// quoted puts text in quotation marks, and a backslash before those in it and before backslashes.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// outcomeText says how a call went: ok or the error's type, how long it ran, and the beginning of what it yielded.
func outcomeText(r *executor.Result) (word, rest string) {
	most := shownResult
	word = "ok"
	if r.Status == protocol.StatusError {
		word, most = r.ErrorType, shownError
	}
	if r.Duration > 0 {
		rest = ", " + durationText(r.Duration)
	}
	if summary := resultText(withoutEditNote(r), most); summary != "" {
		rest += ": " + summary
	}
	return word, rest
}

// withoutEditNote is what a call yielded without the line that tells the model of an edit: who made it knows, and a line of the screen shows
// one line of the result.
func withoutEditNote(r *executor.Result) string {
	text := r.ToolResult.Result
	if note, rest, found := strings.Cut(text, "\n"); found && r.Edited && strings.HasPrefix(note, "[The user changed ") {
		return rest
	}
	return text
}

// durationText is a duration with the digits that people read.
func durationText(d time.Duration) string {
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	}
	return max(d.Round(time.Microsecond), time.Microsecond).String()
}

// resultText is the first line of a result, cut to most characters, and how many more there are.
func resultText(result string, most int) string {
	first, more, found := strings.Cut(strings.Trim(result, "\n"), "\n")
	first = visible(truncated(text.OneLine(first), most))
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
