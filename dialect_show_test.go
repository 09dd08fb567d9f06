package vcp_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/golden"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// outcome is the part of a reply's JSON form that the examples show.
type outcome struct {
	Requests []struct {
		RequestID string
		Label     string
		ToolName  string
		Arguments []argument
		Status    string
		Span      [2]int
		Repairs   []struct{ Name string }
		Error     *struct{ Code string }
	}
	Text      string
	Reasoning string
	Dropped   []struct {
		Reason string
		Span   [2]int
	}
	Notices []struct {
		Code string
		Span [2]int
	}
}

type argument struct{ Name, Value string }

// readCase reads a case's input at the first of its tolerance levels.
func readCase(t *testing.T, c *golden.Case) outcome {
	t.Helper()
	quoted, err := parser.ParseQuotedPolicy(c.Options.Quoted)
	if err != nil {
		t.Fatal(err)
	}
	reasoning, err := parser.ParseReasoningPolicy(c.Options.Reasoning)
	if err != nil {
		t.Fatal(err)
	}
	finish := protocol.FinishStop
	if c.Options.Finish != nil {
		finish = protocol.FinishReason(*c.Options.Finish)
	}
	if finish == "unknown" {
		finish = protocol.FinishUnknown
	}
	return readAt(t, c.Options.Tolerance, c.Input, parser.Options{
		Disabled: c.Options.Disabled, Quoted: quoted, Reasoning: reasoning, Limits: parser.Limits(c.Options.Limits), Finish: finish,
	})
}

func readAt(t *testing.T, level, input string, options parser.Options) outcome {
	t.Helper()
	var err error
	if options.Tolerance, err = scan.ParseTolerance(level); err != nil {
		t.Fatal(err)
	}
	reply, err := parser.ParseToolRequests(vcp.Protocol{}, input, options)
	if err != nil {
		t.Fatal(err)
	}
	var o outcome
	if err := json.Unmarshal(reply.AppendJSON(nil), &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// addNames adds the names of all statuses, codes, repairs and reasons in the outcome.
func (o *outcome) addNames(to map[string]bool) {
	for _, q := range o.Requests {
		to[q.Status] = true
		if q.Error != nil {
			to[q.Error.Code] = true
		}
		for _, r := range q.Repairs {
			to[r.Name] = true
		}
	}
	for _, d := range o.Dropped {
		to[d.Reason] = true
	}
	for _, n := range o.Notices {
		to[n.Code] = true
	}
}

// showCase returns a case as docs/dialect-examples.md shows it: its caption, its options, its
// input, and the outcome.
func showCase(c *golden.Case, o outcome) string {
	_, caption, _ := strings.Cut(c.Header, ": ")
	caption = strings.Join(strings.Fields(caption), " ")
	first, size := utf8.DecodeRuneInString(caption)

	var b strings.Builder
	fmt.Fprintf(&b, "%c%s\n", unicode.ToUpper(first), caption[size:])
	fmt.Fprintf(&b, "[%s](../testdata/vcp/%[1]s.txtar) at %s:\n\n", c.Name, showOptions(&c.Options))
	fence := strings.Repeat("`", max(3, longestRun(c.Input, '`')+1))
	fmt.Fprintf(&b, "%s\n%s\n%[1]s\n\n", fence, visible(c.Input))
	for _, line := range o.lines(c.Input) {
		b.WriteString("- " + line + "\n")
	}
	return b.String()
}

func showOptions(o *golden.Options) string {
	s := asCode(o.Tolerance)
	if len(o.AlsoLevels) > 0 {
		s += ", likewise at " + asCodes(o.AlsoLevels, " and ")
	}
	if o.Finish != nil && *o.Finish != string(protocol.FinishStop) {
		s += "; `finish` is " + asCode(*o.Finish)
	}
	if o.Quoted != "" {
		s += "; policy for quoted requests " + asCode(o.Quoted)
	}
	if o.Reasoning != "" {
		s += "; policy for requests in reasoning " + asCode(o.Reasoning)
	}
	if len(o.Disabled) > 0 {
		s += "; switched off: " + asCodes(o.Disabled, ", ")
	}
	for _, l := range []struct {
		of    string
		value int
	}{
		{"bytes a block", o.Limits.BlockBytes},
		{"blocks a message", o.Limits.Blocks},
		{"fields a block", o.Limits.Fields},
		{"bytes a key", o.Limits.KeyBytes},
	} {
		if l.value > 0 {
			s += fmt.Sprintf("; limit of %s: %d", l.of, l.value)
		}
	}
	return s
}

// lines describes the outcome for an input, one part in each line.
func (o *outcome) lines(input string) []string {
	var lines []string
	for _, q := range o.Requests {
		line := "Request " + q.RequestID + ", " + asCode(q.Status)
		if q.Error != nil {
			line += " with " + asCode(q.Error.Code)
		}
		line += ": " + nameAndArguments(q.ToolName, q.Arguments)
		if q.Label != "" {
			line += ", labeled " + asCode(literal(q.Label))
		}
		var repairs []string
		for _, r := range q.Repairs {
			repairs = append(repairs, r.Name)
		}
		if len(repairs) > 0 {
			line += "; repairs: " + asCodes(repairs, ", ")
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		lines = append(lines, "No request")
	}
	switch o.Text {
	case input:
		lines = append(lines, "Text: the whole input")
	case "":
		lines = append(lines, "Text: none")
	default:
		lines = append(lines, "Text: "+asCode(literal(o.Text)))
	}
	if o.Reasoning != "" {
		lines = append(lines, "Reasoning: "+asCode(literal(o.Reasoning)))
	}
	for _, d := range o.Dropped {
		lines = append(lines, "Dropped as "+asCode(d.Reason)+": "+asCode(literal(input[d.Span[0]:d.Span[1]])))
	}
	for _, n := range o.Notices {
		lines = append(lines, "Notice "+asCode(n.Code)+": "+o.place(n.Span, input))
	}
	return lines
}

// place names the request with this span, or shows the text of the span.
func (o *outcome) place(span [2]int, input string) string {
	for _, q := range o.Requests {
		if q.Span == span {
			return "request " + q.RequestID
		}
	}
	return asCode(literal(input[span[0]:span[1]]))
}

// nameAndArguments returns a request as "name(argument: value)".
func nameAndArguments(name string, arguments []argument) string {
	list := make([]string, len(arguments))
	for i, a := range arguments {
		list[i] = visible(a.Name) + ": " + literal(a.Value)
	}
	switch all := strings.Join(list, ", "); {
	case name != "":
		return asCode(visible(name) + "(" + all + ")")
	case all != "":
		return "no name, " + asCode(all)
	}
	return "no name, no arguments"
}

// literal returns s as a string literal, in backquotes if only quotes and backslashes would need
// escapes.
func literal(s string) string {
	if strings.ContainsAny(s, `"\`) && strconv.CanBackquote(s) && visible(s) == s {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// asCode returns s as a Markdown code span.
func asCode(s string) string {
	ticks := strings.Repeat("`", longestRun(s, '`')+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		return ticks + " " + s + " " + ticks
	}
	return ticks + s + ticks
}

func asCodes(names []string, between string) string {
	spans := make([]string, len(names))
	for i, n := range names {
		spans[i] = asCode(n)
	}
	return strings.Join(spans, between)
}

func longestRun(s string, of byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != of {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// visible replaces each character that a page cannot show, or would show wrongly, by its name or
// number.
func visible(s string) string {
	names := map[rune]string{0: "NUL", '\t': "TAB", '\r': "CR"}
	var b strings.Builder
	for i, r := range s {
		if _, size := utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, "⟨0x%02X⟩", s[i])
		} else if name, found := names[r]; found {
			b.WriteString("⟨" + name + "⟩")
		} else if r != '\n' && !unicode.IsPrint(r) {
			fmt.Fprintf(&b, "⟨%U⟩", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
