package parser_test

import (
	"regexp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol/scan"
)

// Marks in the spellings of all families.
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

// mayWait reports whether law 3 allows that the n bytes of text which have been fed up to the
// offset fed and begin at from are withheld longer than others. What is withheld for a moment may
// stand before what they wait behind, and behind it what comes.
func mayWait(reply *parser.Reply, input string, from, fed, n int, level scan.Tolerance) bool {
	text := input[from:fed]
	around := input[max(0, from-longestMarker):fed]
	switch {
	case waitsForOpener(around), waitsForField(reply, input, from, fed), waitsForCloser(around), waitsForTick(reply.Requests, input, from):
		return true
	case level == scan.Greedy && (waitsForEnd(text) || insideRequest(reply, from)):
		return true
	}
	// The beginning of a line that a result's mark follows waits for the mark, and that for the
	// rest of the line (B14).
	return n < 2*maxHoldBack && anyResult.MatchString(text)
}

// insideRequest reports whether the offset at lies in a request or at its end: where its plain
// value ends, and the request with it, greedy knows at the next closer or field.
func insideRequest(reply *parser.Reply, at int) bool {
	return slices.ContainsFunc(reply.Requests, func(q parser.Request) bool { return q.Span.Start < at && at <= q.Span.End }) ||
		slices.ContainsFunc(reply.Notices, func(n parser.Notice) bool {
			return n.Code == parser.NoticeUnreadRequests && n.Span.Start < at && at <= n.Span.End
		})
}

// longestMarker is more than any marker is long, in bytes, in whatever spelling.
const longestMarker = 64

// waitsForOpener reports whether a START stands near the beginning of the text, and its first
// opener has not come.
func waitsForOpener(text string) bool {
	return slices.ContainsFunc(anyStart.FindAllStringIndex(text, -1), func(at []int) bool {
		return at[0] < longestMarker+maxHoldBack && !anyOpener.MatchString(text[at[1]:max(at[1], len(text)-maxHoldBack)])
	})
}

// waitsForField reports whether what stands behind a field of a request begins near the offset
// from, and goes on without another field or an END: it may be a part of the request or not.
func waitsForField(reply *parser.Reply, input string, from, fed int) bool {
	near := max(0, from-longestMarker)
	return slices.ContainsFunc(anyCloser.FindAllStringIndex(input[near:fed], -1), func(closer []int) bool {
		end := near + closer[1]
		return end < from+maxHoldBack && !anyMark.MatchString(input[end:max(end, fed-maxHoldBack)]) &&
			(slices.ContainsFunc(reply.Requests, func(q parser.Request) bool { return q.Span.Start < end && end <= q.Span.End }) ||
				slices.ContainsFunc(reply.Notices, func(n parser.Notice) bool { // requests past the limit are not listed (B15)
					return n.Code == parser.NoticeUnreadRequests && n.Span.Start < end && end <= n.Span.End
				}))
	})
}

// waitsForTick reports whether a request with a backtick before it on its line begins near the
// offset from: whether it is quoted is known behind its END (C9).
func waitsForTick(requests []parser.Request, input string, from int) bool {
	return slices.ContainsFunc(requests, func(q parser.Request) bool {
		before := input[:q.Span.Start]
		return from <= q.Span.Start && q.Span.Start < from+maxHoldBack && strings.Contains(before[strings.LastIndexAny(before, "\r\n")+1:], "`")
	})
}

// waitsForCloser reports whether an END stands near the beginning of the text, or behind what may
// be one, and no closer behind it: the END may stand in a value that is closed later.
func waitsForCloser(text string) bool {
	return slices.ContainsFunc(anyEnd.FindAllStringIndex(text, -1), func(at []int) bool {
		return at[0] < longestMarker+maxHoldBack && !anyCloser.MatchString(text[at[1]:max(at[1], len(text)-maxHoldBack)])
	})
}

// tentative is what greedy reads only once more has come: a field that names a tool outside of a
// block (B12), an escaped START (B5), half a closer (V7).
var tentative = regexp.MustCompile(`(?i)t[-_ ]*o[-_ ]*o[-_ ]*l[^a-z]{0,4}n[-_ ]*a[-_ ]*m[-_ ]*e|&lt;|\\<|[「『【｢{][ \t\x{3000}]?末[,，、\s]`)

// waitsForEnd reports whether such a thing begins near the beginning of the text.
func waitsForEnd(text string) bool {
	at := tentative.FindStringIndex(text)
	return len(at) > 0 && at[0] < maxHoldBack
}
