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
	escapedMarker // a marker with _ESCAPE, which means nothing (B13)
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

var markerWords = []struct {
	kind  markerKind
	words string
}{
	{requestEnd, "END_TOOL_REQUEST"},
	{requestStart, "TOOL_REQUEST"},
	{resultEnd, "END_TOOL_RESULT"},
	{resultStart, "TOOL_RESULT"},
	{definitionEnd, "END_TOOL_DEFINITION"},
	{definitionStart, "TOOL_DEFINITION"},
}

// markerAt reads the marker that begins at i: first in the exact spelling, then in those of B1 to
// B4.
func markerAt(text string, i int) (marker, bool) {
	switch c := text[i]; c {
	case '<', "＜"[0], "《"[0]:
	default:
		return marker{}, false
	}
	if m, ok := exactMarkerAt(text, i); ok {
		return m, true
	}
	return damagedMarkerAt(text, i)
}

// exactMarkerAt reads a marker in the exact spelling.
func exactMarkerAt(text string, i int) (marker, bool) {
	rest, ok := strings.CutPrefix(text[i:], "<<<[")
	if !ok {
		return marker{}, false
	}
	for _, w := range markerWords {
		if tail, ok := strings.CutPrefix(rest, w.words+"]>>>"); ok {
			return marker{kind: w.kind, start: i, end: len(text) - len(tail)}, true
		}
	}
	return marker{}, false
}

// damagedMarkerAt reads a marker whose spelling differs as B1, B2, B3 and B4 allow.
func damagedMarkerAt(text string, i int) (marker, bool) {
	damage := map[string]bool{}
	p, left, ok := angleSide(text, i, "<", "＜", "《")
	if !ok || left.before(text, i) {
		return marker{}, false
	}
	p = oneBlank(text, p, damage)
	square := ""
	for _, pair := range []string{"[]", "【】", "［］"} {
		open := firstRune(pair)
		if strings.HasPrefix(text[p:], open) {
			square, p = pair[len(open):], p+len(open)
			p = oneBlank(text, p, damage)
			break
		}
	}
	if square != "]" {
		damage["marker_brackets"] = true
	}
	kind, p, ok := wordsAt(text, p, damage)
	if !ok {
		return marker{}, false
	}
	if kind == escapedMarker {
		return marker{kind: kind, start: i, end: p}, true
	}
	p = oneBlank(text, p, damage)
	if square != "" {
		if !strings.HasPrefix(text[p:], square) {
			return marker{}, false
		}
		p = oneBlank(text, p+len(square), damage)
	}
	p, right, ok := angleSide(text, p, ">", "＞", "》")
	if !ok {
		return marker{}, false
	}
	if left != (side{"<", 3}) || right != (side{">", 3}) {
		damage["marker_brackets"] = true
	}
	m := marker{kind: kind, start: i, end: p}
	for name := range damage {
		m.repairs = append(m.repairs, name)
	}
	slices.Sort(m.repairs)
	return m, true
}

// wordsAt reads the words of a marker: in any letter case (B1), with one space, tab or hyphen for
// an underscore (B3), or with a slash (B4).
func wordsAt(text string, i int, damage map[string]bool) (markerKind, int, bool) {
	slash := strings.HasPrefix(text[i:], "/")
	from := i
	if slash {
		from++
	}
	for _, w := range markerWords {
		if slash && strings.HasPrefix(w.words, "END_") {
			continue
		}
		p, found, ok := wordAt(text, from, w.words)
		if !ok {
			continue
		}
		kind := w.kind
		if slash {
			kind, found["marker_slash_end"] = kind+1, true
		}
		if suffix := "_ESCAPE"; len(text)-p >= len(suffix) && strings.EqualFold(text[p:p+len(suffix)], suffix) { // B13
			return escapedMarker, p + len(suffix), true
		}
		for name := range found {
			damage[name] = true
		}
		return kind, p, true
	}
	return 0, i, false
}

// wordAt reads the words of a marker at i. It returns their end and what is damaged in them.
func wordAt(text string, i int, words string) (int, map[string]bool, bool) {
	damage := map[string]bool{}
	if len(text)-i < len(words) {
		return i, nil, false
	}
	for k := range len(words) {
		c, want := text[i+k], words[k]
		switch {
		case c == want:
		case want == '_' && (c == ' ' || c == '\t' || c == '-'):
			damage["marker_spacing"] = true
		case want != '_' && c == want+'a'-'A':
			damage["marker_case"] = true
		default:
			return i, nil, false
		}
	}
	return i + len(words), damage, true
}

// side is the angle brackets of one side of a marker.
type side struct {
	bracket string
	count   int
}

// before reports whether the same bracket precedes i, so that the run at i is not complete.
func (s side) before(text string, i int) bool { return strings.HasSuffix(text[:i], s.bracket) }

// angleSide reads a run of 2 to 6 angle brackets of one spelling (B2).
func angleSide(text string, i int, spellings ...string) (int, side, bool) {
	for _, b := range spellings {
		n := 0
		for strings.HasPrefix(text[i+n*len(b):], b) {
			n++
		}
		if n > 0 {
			return i + n*len(b), side{b, n}, 2 <= n && n <= 6
		}
	}
	return i, side{}, false
}

// oneBlank reads at most one space or tab beside a bracket group (B3).
func oneBlank(text string, i int, damage map[string]bool) int {
	if i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		damage["marker_spacing"] = true
		return i + 1
	}
	return i
}

// backslashMarkers match a marker whose angle brackets have backslashes (B5).
var backslashMarkers = map[markerKind]*regexp.Regexp{
	requestStart: regexp.MustCompile(`^(?:\\<){2,4}\\?\[TOOL\\?_REQUEST\\?\](?:\\>){2,4}`),
	requestEnd:   regexp.MustCompile(`^(?:\\<){2,4}\\?\[END\\?_TOOL\\?_REQUEST\\?\](?:\\>){2,4}`),
}

// escapedMarkerAt reads a marker in HTML entities or with backslashes, 2 to 4 a side (B5).
func escapedMarkerAt(text string, i int) (marker, bool) {
	if text[i] != '&' && text[i] != '\\' {
		return marker{}, false
	}
	for _, w := range markerWords {
		if w.kind != requestStart && w.kind != requestEnd {
			continue
		}
		for left := 4; left >= 2; left-- {
			rest, ok := strings.CutPrefix(text[i:], strings.Repeat("&lt;", left)+"["+w.words+"]")
			if !ok {
				continue
			}
			n := 0
			for strings.HasPrefix(rest[n*len("&gt;"):], "&gt;") {
				n++
			}
			if 2 <= n && n <= 4 {
				end := len(text) - len(rest) + n*len("&gt;")
				return marker{w.kind, i, end, []string{"marker_escaped"}, "html"}, true
			}
		}
		if g := backslashMarkers[w.kind].FindString(text[i:]); g != "" && !strings.HasPrefix(text[i+len(g):], `\>`) {
			return marker{w.kind, i, i + len(g), []string{"marker_escaped"}, "backslash"}, true
		}
	}
	return marker{}, false
}
