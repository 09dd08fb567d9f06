package parser_test

import (
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// checkArguments compares the deltas of arguments with those that were due.
func checkArguments(t testing.TB, input string, requests []parser.Request, steps []progress, o parser.Options) {
	t.Helper()
	for i := range requests {
		q := &requests[i]
		if !streamedEarly(q, o) || i > 0 && q.Span == requests[i-1].Span {
			continue // the requests of a batch are reported with the ID of its first request
		}
		values := valuesOf(t, input, q.Span, o)
		for _, step := range steps {
			if due := dueOf(values, input, step.fed); due-step.arguments[q.ID] >= maxHoldBack {
				t.Fatalf("after %d bytes of the input %d bytes of the arguments of request %s are reported, and %d are due; input %q, options %+v",
					step.fed, step.arguments[q.ID], q.ID, due, input, o)
			}
		}
	}
}

// streamedEarly reports whether the arguments of a request must be reported while it is read. At
// greedy they may wait, because a guess may shorten a plain value. If quoted requests may run, they
// may wait, too: those of a quoted request are reported at its end.
func streamedEarly(q *parser.Request, o parser.Options) bool {
	return q.Status == parser.StatusReady && o.Tolerance != scan.Greedy && o.Quoted == parser.QuotedSkip
}

// value is the place of an argument's value in the input.
type value struct {
	start, end int
	closerEnd  int // end of its closer, or beyond the input if it has no closer
	rule       scan.TextRule
	marker     int   // offset of the first END in the value, or -1
	skips      []int // offsets of bytes that do not belong to the value
}

// valuesOf asks the scanner for the values of the arguments of the request at the span.
func valuesOf(t testing.TB, input string, span parser.Span, o parser.Options) []value {
	t.Helper()
	scanner := vcp.Protocol{}.NewScanner(scan.Options{Tolerance: o.Tolerance})
	src := []byte(input[span.Start:span.End])
	var values []value
	var open *value
	for at := 0; ; {
		n, tok, err := scanner.Scan(src, at, true)
		if err != nil {
			t.Fatal(err)
		}
		from := span.Start + at
		at += n
		switch tok.Kind {
		case scan.TokenNone:
			return values
		case scan.TokenField:
			open = nil
			if tok.Role == scan.FieldArgument {
				values = append(values, value{start: from + n, end: span.End, closerEnd: math.MaxInt, rule: tok.Rule, marker: -1})
				open = &values[len(values)-1]
			}
		case scan.TokenEvidence:
			end := tok.Evidence == scan.EvidenceEnd || tok.Evidence == scan.EvidencePossibleEnd
			if end && open != nil && open.marker < 0 {
				open.marker = from
			}
		case scan.TokenValue:
			for i := range n {
				if tok.Replaced && open != nil {
					open.skips = append(open.skips, from+i)
				}
			}
		case scan.TokenFieldEnd:
			if open != nil {
				open.end, open.closerEnd, open = from, from+n, nil
			}
		}
	}
}

// dueOf returns how many bytes of the values must be reported after the first bytes of the input.
// fed is the number of these bytes. Only the text may be withheld that docs/dialect.md names in
// section 6, law 3.
func dueOf(values []value, input string, fed int) int {
	due := 0
	for _, v := range values {
		if fed < v.start {
			break
		}
		due += len(v.dueText(input, fed))
		for _, at := range v.skips {
			if at < fed {
				due--
			}
		}
	}
	return due
}

// dueText returns the part of the value that must be reported, including the bytes in skips.
func (v *value) dueText(input string, fed int) string {
	if fed >= v.closerEnd {
		s, e := v.rule.Cut([]byte(input[v.start:v.end]))
		return input[v.start+s : v.start+e]
	}
	end := min(v.end, fed)
	if v.marker >= 0 {
		end = min(end, v.marker)
	}
	text := strings.TrimRightFunc(withoutHalfRune(input[v.start:end]), unicode.IsSpace)
	inner := strings.TrimLeftFunc(text, unicode.IsSpace)
	if v.rule == scan.TextTrim && len(inner) < len(text) && !strings.ContainsAny(inner, "\r\n") {
		return "" // the first line break in the value decides whether the white space before it stays
	}
	return text
}

// withoutHalfRune returns s without an incomplete rune at its end, which may be white space.
func withoutHalfRune(s string) string {
	for at := len(s) - 1; at >= max(0, len(s)-3); at-- {
		if utf8.RuneStart(s[at]) {
			if !utf8.FullRuneInString(s[at:]) {
				return s[:at]
			}
			break
		}
	}
	return s
}
