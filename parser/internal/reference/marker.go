package reference

import (
	"regexp"
	"slices"
	"strings"
)

// markerKind says what a marker means.
type markerKind int

const (
	requestStart markerKind = iota + 1
	requestEnd
	resultStart
	resultEnd
	definitionStart
	definitionEnd
	suffixedMarker // a marker with _ESCAPE, which means nothing (B13)
)

// marker is a marker as written.
type marker struct {
	kind       markerKind
	start, end int
	repairs    []string // the names, in alphabetical order
	style      string   // "html" or "backslash" for the escaped spellings of B5
}

// list returns the repairs of the marker, all with its span.
func (m marker) list() []Repair {
	var list []Repair
	for _, name := range m.repairs {
		list = append(list, Repair{name, Span{m.start, m.end}})
	}
	return list
}

// markerWords are the words of markers, in lower case.
var markerWords = map[string]markerKind{
	"tool_request": requestStart, "end_tool_request": requestEnd,
	"tool_result": resultStart, "end_tool_result": resultEnd,
	"tool_definition": definitionStart, "end_tool_definition": definitionEnd,
}

var (
	exactMarker = regexp.MustCompile(`^<<<\[((?:END_)?TOOL_(?:REQUEST|RESULT|DEFINITION))\]>>>`)
	// damagedMarker matches a marker in any letter case (B1), with 2 to 6 brackets of one spelling
	// on each side (B2), with one space, tab or hyphen for an underscore and one blank beside a
	// group of brackets (B3), and with a slash for END (B4). The groups are the angle brackets, the
	// square one and the words; then the suffix (B13), or the brackets of the other side.
	damagedMarker = regexp.MustCompile(`^(<{2,6}|＜{2,6}|《{2,6})[ \t]?(?:([\[【［])[ \t]?)?` +
		`(?i:((?:END[_ \t-]|/)?TOOL[_ \t-](?:REQUEST|RESULT|DEFINITION)))` +
		`(?:(?i:(_ESCAPE))|[ \t]?(?:([\]】］])[ \t]?)?(>{2,6}|＞{2,6}|》{2,6}))`)
	squares    = []string{"", "[]", "【】", "［］"}
	plainWords = strings.NewReplacer(" ", "_", "\t", "_", "-", "_", "/", "end_")
)

// markerAt reads the marker that begins at i: first in the exact spelling, then in those of B1 to
// B4.
func markerAt(text string, i int) (marker, bool) {
	switch c := text[i]; c {
	case '<', "＜"[0], "《"[0]:
	default:
		return marker{}, false
	}
	if g := exactMarker.FindStringSubmatch(text[i:]); g != nil {
		return marker{kind: markerWords[strings.ToLower(g[1])], start: i, end: i + len(g[0])}, true
	}
	return damagedMarkerAt(text, i)
}

// damagedMarkerAt reads a marker whose spelling differs as B1, B2, B3 and B4 allow. The pattern
// also matches text with ſ in place of S, which is no marker: then the words are not in
// markerWords, or the suffix is longer than "_ESCAPE".
func damagedMarkerAt(text string, i int) (marker, bool) {
	g := damagedMarker.FindStringSubmatch(text[i:])
	if g == nil {
		return marker{}, false
	}
	whole, left, square, words, suffix, right := g[0], g[1], g[2]+g[5], g[3], g[4], g[6]
	m := marker{kind: markerWords[plainWords.Replace(strings.ToLower(words))], start: i, end: i + len(whole)}
	if m.kind == 0 || strings.HasSuffix(text[:i], firstRune(left)) {
		return marker{}, false
	}
	if len(suffix) == len("_ESCAPE") {
		m.kind = suffixedMarker
		return m, true
	}
	if right == "" || strings.HasPrefix(text[m.end:], firstRune(right)) || !slices.Contains(squares, square) {
		return marker{}, false
	}
	if left != "<<<" || square != "[]" || right != ">>>" {
		m.repairs = append(m.repairs, "marker_brackets")
	}
	if strings.ToUpper(words) != words {
		m.repairs = append(m.repairs, "marker_case")
	}
	if strings.HasPrefix(words, "/") {
		m.repairs = append(m.repairs, "marker_slash_end")
	}
	if strings.ContainsAny(whole, " \t-") {
		m.repairs = append(m.repairs, "marker_spacing")
	}
	return m, true
}

// escapedMarkers match START and END with escaped angle brackets (B5). In END their group matches.
var escapedMarkers = []struct {
	style, closer string
	text          *regexp.Regexp
}{
	{"html", "&gt;", regexp.MustCompile(`^(?:&lt;){2,4}\[(END_)?TOOL_REQUEST\](?:&gt;){2,4}`)},
	{"backslash", `\>`, regexp.MustCompile(`^(?:\\<){2,4}\\?\[(END\\?_)?TOOL\\?_REQUEST\\?\](?:\\>){2,4}`)},
}

// escapedMarkerAt reads a marker in HTML entities or with backslashes, 2 to 4 a side (B5).
func escapedMarkerAt(text string, i int) (marker, bool) {
	if text[i] != '&' && text[i] != '\\' {
		return marker{}, false
	}
	for _, e := range escapedMarkers {
		g := e.text.FindStringSubmatch(text[i:])
		if len(g) == 0 || strings.HasPrefix(text[i+len(g[0]):], e.closer) {
			continue
		}
		kind := requestStart
		if g[1] != "" {
			kind = requestEnd
		}
		return marker{kind, i, i + len(g[0]), []string{"marker_escaped"}, e.style}, true
	}
	return marker{}, false
}
