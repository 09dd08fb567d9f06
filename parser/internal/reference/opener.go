package reference

import "strings"

// form says how to read the value after an opener.
type form int

const (
	plainForm  form = iota // V1, V2; also V5 and V6, which are read as plain
	escapeForm             // V3
	taggedForm             // V4
	badTagForm             // V16
)

// family is the part that an opener and its closer have in common.
type family struct {
	open, close string // the brackets
	word        string // "", "ESCAPE" or "exp"
	tail        string // the text after ESCAPE: a colon and a tag, or the tail of V16
}

// mark is an opener or a closer of a value.
type mark struct {
	start, end int
	family     family
	form       form
	blank      bool // there is one blank inside the brackets
}

// variant reports whether reading the opener is a repair: V5 and V6.
func (m mark) variant() bool {
	return m.form != badTagForm && (m.blank || m.family.open != "「" || m.family.word == "exp")
}

// identity returns the part of an opener that decides which closer matches it (V15).
func (m mark) identity() mark { return mark{family: m.family, blank: m.blank} }

var bracketPairs = []family{
	{open: "「", close: "」"}, {open: "{", close: "}"}, {open: "『", close: "』"}, {open: "【", close: "】"}, {open: "｢", close: "｣"},
}

// openerAt reads an opener of any family that begins at i.
func openerAt(text string, i int) (mark, bool) { return markAt(text, i, "始") }

// closerAt reads a closer of any family that begins at i.
func closerAt(text string, i int) (mark, bool) { return markAt(text, i, "末") }

// openerOrEnd returns the offset of the first opener that begins in text[from:to], or the offset to
// if no opener begins there.
func (in *input) openerOrEnd(from, to int) int {
	for p := from; p < to; p++ {
		if _, ok := openerAt(in.text, p); ok {
			return p
		}
	}
	return to
}

// markAt reads an opener or a closer, by the table of families of section 3.
func markAt(text string, i int, sign string) (mark, bool) {
	if i == len(text) || text[i] != '{' && text[i] < 0xe0 { // the brackets other than { begin with a byte from 0xe0 on
		return mark{}, false
	}
	for _, pair := range bracketPairs {
		rest, ok := strings.CutPrefix(text[i:], pair.open)
		if !ok {
			continue
		}
		m := mark{start: i, family: pair}
		rest, lead := cutBlank(rest)
		rest, ok = strings.CutPrefix(rest, sign)
		if !ok {
			return mark{}, false
		}
		if after, trail := cutBlank(rest); strings.HasPrefix(after, pair.close) { // plain and V6
			m.end, m.blank = len(text)-len(after)+len(pair.close), lead || trail
			return m, true
		}
		if after, ok := strings.CutPrefix(rest, "exp"); ok && pair.open == "「" { // V5
			if after, trail := cutBlank(after); strings.HasPrefix(after, pair.close) {
				m.family.word, m.blank = "exp", lead || trail
				m.end = len(text) - len(after) + len(pair.close)
				return m, true
			}
		}
		return escapeMarkAt(text, m, rest, lead)
	}
	return mark{}, false
}

// escapeMarkAt reads ESCAPE and its tail: V3, V4 and V16.
func escapeMarkAt(text string, m mark, rest string, lead bool) (mark, bool) {
	if len(rest) < len("ESCAPE") || !strings.EqualFold(rest[:len("ESCAPE")], "ESCAPE") {
		return mark{}, false
	}
	word := rest[:len("ESCAPE")]
	rest = rest[len("ESCAPE"):]
	n := strings.Index(rest, m.family.close)
	if n < 0 || n > 64 || strings.ContainsAny(rest[:n], "\r\n") {
		return mark{}, false
	}
	tail := rest[:n]
	m.end = len(text) - len(rest) + n + len(m.family.close)
	m.family.word, m.family.tail = "ESCAPE", tail
	bare, trail := strings.CutSuffix(tail, " ")
	switch {
	case m.family.open == "「" && bare == "":
		m.form, m.family.tail, m.blank = escapeForm, "", lead || trail
	case m.family.open == "「" && bare[0] == ':' && isTag(bare[1:]):
		m.form, m.family.tail, m.blank = taggedForm, bare, lead || trail
	default: // only a closer in the same spelling ends the value
		m.form, m.family.word = badTagForm, word
		if lead {
			m.family.open += text[m.start+len(m.family.open) : strings.IndexAny(text[m.start:], "始末")+m.start]
		}
	}
	return m, true
}

// closesAt reads, at i, the closer of an opener: a value ends at the closer of its own family and
// at no other.
func (m mark) closesAt(text string, i int) (mark, bool) {
	c, ok := closerAt(text, i)
	if !ok || c.family != m.family || c.form != m.form {
		return mark{}, false
	}
	return c, !c.blank || m.blank // V6: 「始」 closes at 「末」 only
}

func isTag(s string) bool {
	for _, c := range []byte(s) {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-') {
			return false
		}
	}
	return 1 <= len(s) && len(s) <= 32
}
