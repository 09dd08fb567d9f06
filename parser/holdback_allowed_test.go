package parser_test

import (
	"regexp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol/scan"
)

// Regular expressions for marks in all their spellings.
const (
	requestMarker = `(?i:tool\\?[-_ \t]?request)[ \t]?[\]】］>＞》&\\]`
	opener        = "「[ \t\u3000]?始(?i:ESCAPE(?::[A-Za-z0-9_-]{1,32})?|exp)?[ \t\u3000]?」|『始』|【始】|｢始｣|\\{始}"
	closer        = "末(?:(?i:ESCAPE)[^」』】｣}\r\n]{0,64}|exp)?[ \t\u3000]?[」』】｣}]"
)

var (
	anyStart  = regexp.MustCompile(requestMarker)
	anyEnd    = regexp.MustCompile(`(?:(?i:end)[-_ \t]?|/)` + requestMarker)
	anyResult = regexp.MustCompile(`(?i)tool[-_ \t]?result`)
	anyOpener = regexp.MustCompile(opener)
	anyCloser = regexp.MustCompile(closer)
	anyMark   = regexp.MustCompile(requestMarker + "|" + opener + "|[「『【｢{][ \t\u3000]?" + closer)
)

// mayWait reports whether law 3 of docs/dialect.md, section 6, allows the parser to withhold
// input[from:fed], whose visible text has n bytes, for longer than other text. The mark that makes
// the text wait is near the beginning of input[from:fed]. What ends the wait may have arrived
// within the last maxHoldBack bytes of it.
func mayWait(reply *parser.Reply, input string, from, fed, n int, level scan.Tolerance) bool {
	text := input[from:fed]
	around := input[max(0, from-longestMarker):fed]
	switch {
	case waitsForOpener(around), waitsForField(reply, input, from, fed),
		waitsForCloser(around), waitsForBacktick(reply.Requests, input, from):
		return true
	case level == scan.Greedy && (beginsTentatively(text) || insideRequest(reply, from)):
		return true
	}
	// The beginning of a line waits for a result's mark after it, and the mark waits for the rest
	// of the line (B14).
	return n < 2*maxHoldBack && anyResult.MatchString(text)
}

// insideRequest reports whether an offset is in a request or at its end. At greedy only the next
// closer or field shows the end of a plain value, and so of the request.
func insideRequest(reply *parser.Reply, at int) bool {
	inside := func(s parser.Span) bool { return s.Start < at && at <= s.End }
	return slices.ContainsFunc(reply.Requests, func(q parser.Request) bool { return inside(q.Span) }) ||
		slices.ContainsFunc(reply.Notices, func(n parser.Notice) bool { // requests over the limit are not listed (B15)
			return n.Code == parser.NoticeUnreadRequests && inside(n.Span)
		})
}

// longestMarker is more than the length of any marker in any spelling, in bytes.
const longestMarker = 64

// waitsForOpener reports whether a START is near the beginning of the text, and its first opener
// has not arrived.
func waitsForOpener(text string) bool {
	return slices.ContainsFunc(anyStart.FindAllStringIndex(text, -1), func(at []int) bool {
		after := text[at[1]:max(at[1], len(text)-maxHoldBack)]
		return at[0] < longestMarker+maxHoldBack && !anyOpener.MatchString(after)
	})
}

// waitsForField reports whether text after a field of a request begins near input[from], without
// another field or an END so far. Such text may be part of the request.
func waitsForField(reply *parser.Reply, input string, from, fed int) bool {
	near := max(0, from-longestMarker)
	return slices.ContainsFunc(anyCloser.FindAllStringIndex(input[near:fed], -1), func(closer []int) bool {
		end := near + closer[1]
		after := input[end:max(end, fed-maxHoldBack)]
		return end < from+maxHoldBack && !anyMark.MatchString(after) && insideRequest(reply, end)
	})
}

// waitsForBacktick reports whether a request with a backtick before it on its line begins soon
// after input[from]. Only the text after its END shows whether it is quoted (C9).
func waitsForBacktick(requests []parser.Request, input string, from int) bool {
	return slices.ContainsFunc(requests, func(q parser.Request) bool {
		before := input[:q.Span.Start]
		line := before[strings.LastIndexAny(before, "\r\n")+1:]
		return from <= q.Span.Start && q.Span.Start < from+maxHoldBack && strings.Contains(line, "`")
	})
}

// waitsForCloser reports whether an END, or a possible one, is near the beginning of the text
// without a closer after it. The END may be in a value that is closed later.
func waitsForCloser(text string) bool {
	return slices.ContainsFunc(anyEnd.FindAllStringIndex(text, -1), func(at []int) bool {
		after := text[at[1]:max(at[1], len(text)-maxHoldBack)]
		return at[0] < longestMarker+maxHoldBack && !anyCloser.MatchString(after)
	})
}

// tentative matches marks that greedy decides only with more input: a field that names a tool
// outside of a block (B12), an escaped START (B5), half a closer (V7).
var tentative = regexp.MustCompile(`(?i)t[-_ ]*o[-_ ]*o[-_ ]*l[^a-z]{0,4}n[-_ ]*a[-_ ]*m[-_ ]*e|&lt;|\\<|[「『【｢{][ \t\x{3000}]?末[,，、\s]`)

// beginsTentatively reports whether a tentative mark is near the beginning of the text.
func beginsTentatively(text string) bool {
	at := tentative.FindStringIndex(text)
	return len(at) > 0 && at[0] < maxHoldBack
}
