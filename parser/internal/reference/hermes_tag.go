package reference

import (
	"regexp"
	"slices"
	"strings"
)

var (
	callTag     = regexp.MustCompile(`^<[ \t]?(/?)[ \t]?(?i:tool([_ \t-]?)call)[ \t]?>`)
	responseTag = regexp.MustCompile(`^<[ \t]?(?i:tool[_ \t-]?response)[ \t]?>`)
	toolsTag    = regexp.MustCompile(`^<[ \t]?(/?)[ \t]?(?i:tools)[ \t]?>`)
)

// hermesMarkerAt reads a tag (T1, T2, T8, T10).
func hermesMarkerAt(text string, i int) (marker, bool) { return hermesMarkerAfter(text, 0, i) }

// hermesMarkerAfter is hermesMarkerAt for a tag after a request that ends at floor. If the tag is
// on the same line, its line begins at floor (T8).
func hermesMarkerAfter(text string, floor, i int) (marker, bool) {
	if text[i] != '<' {
		return marker{}, false
	}
	rest := text[i:min(len(text), i+32)] // no tag is as long as 32 bytes
	if g := callTag.FindStringSubmatch(rest); g != nil {
		m := marker{kind: requestStart, start: i, end: i + len(g[0])}
		if g[1] != "" {
			m.kind = requestEnd
		}
		word := strings.Trim(g[0], "</> \t")
		if strings.ToLower(word) != word {
			m.repairs = append(m.repairs, "marker_case")
		}
		if !strings.EqualFold(g[0], "<"+g[1]+"tool_call>") {
			m.repairs = append(m.repairs, "marker_spacing")
		}
		return m, true
	}
	if s := responseTag.FindString(rest); s != "" {
		return marker{kind: resultStart, start: i, end: i + len(s)}, true
	}
	if g := toolsTag.FindStringSubmatch(rest); g != nil {
		end := i + len(g[0])
		if !aloneOnLine(text[max(floor, lineStart(text, i)):i], text[end:lineEnd(text, end)]) {
			return marker{}, false // T10: only emphasis may be on the line with such a tag
		}
		if g[1] != "" {
			return marker{kind: definitionEnd, start: i, end: end}, true
		}
		return marker{kind: definitionStart, start: i, end: end}, true
	}
	return marker{}, false
}

// allTags are the tags in lower case, with each separator, and with at most one blank at each place
// that allows one.
var allTags = func() (list []string) {
	blanks := []string{"", " ", "\t"}
	words := []string{"tools"}
	for _, sep := range []string{"_", "-", " ", "\t", ""} {
		words = append(words, "tool"+sep+"call", "tool"+sep+"response")
	}
	for _, before := range blanks {
		for _, slash := range []string{"", "/", "/ ", "/\t"} {
			for _, word := range words {
				for _, after := range blanks {
					list = append(list, "<"+before+slash+word+after+">")
				}
			}
		}
	}
	return list
}()

// partOfTag reports whether s is the beginning of a tag of the protocol (T5).
func partOfTag(s string) bool {
	return s != "" && slices.ContainsFunc(allTags, func(tag string) bool {
		return len(s) < len(tag) && strings.HasPrefix(tag, strings.ToLower(s))
	})
}

// isHermesResult reports whether a result's tag is alone on its line, apart from emphasis, or an
// object follows it (T8). before is the text before it on its line, which begins after the last
// request.
func (in *input) isHermesResult(m marker, before string) bool {
	after := in.text[m.end:lineEnd(in.text, m.end)]
	rest := in.text[m.end:min(len(in.text), m.end+96)]
	return aloneOnLine(before, after) || opensObject(strings.TrimLeft(rest, " \t\u3000\ufeff*_~"))
}

// aloneOnLine reports whether a tag has only emphasis before and after it on its line, less than 96
// bytes on each side (T8).
func aloneOnLine(before, after string) bool {
	return isEmphasis(before) && isEmphasis(after) && len(before) < 96 && len(after) < 96
}

// opensObject reports whether s begins with an object, after at most 24 bytes of white space.
func opensObject(s string) bool {
	object := strings.TrimLeft(s, " \t\r\n")
	return strings.HasPrefix(object, "{") && len(s)-len(object) <= 24
}

// objectAfter reports whether an object directly follows a tag (T8).
func (in *input) objectAfter(m marker) bool {
	return opensObject(in.text[m.end:])
}
