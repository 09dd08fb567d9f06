package qwencoder

import (
	"bytes"
	"strings"
)

const (
	amp      = "&amp;"
	less     = "&lt;"
	ampAgain = "amp;"
	lessTail = "lt;"
	// maxLevels limits how often a '<' in a value is escaped, beyond the first time (P5).
	maxLevels = 16
	// maxEscape is how many bytes tell whether a '<' or an escaped one begins a mark.
	maxEscape = len(amp) + maxLevels*len(ampAgain) + len(lessTail) + maxTag
)

// tooDeep is the beginning of what cannot be escaped once more.
var tooDeep = "&" + strings.Repeat(ampAgain, maxLevels)

// escapeAt reads the escaped '<' at the start of b, which begins with '&'. n is its length, and
// levels how many "amp;" it contains. If marks is set, the rest of a mark follows.
func escapeAt(b []byte, marks bool) (levels, n int, m match) {
	n = 1
	for levels < maxLevels && bytes.HasPrefix(b[n:], []byte(ampAgain)) {
		levels++
		n += len(ampAgain)
	}
	switch rest := string(b[n:min(len(b), n+len(ampAgain))]); {
	case strings.HasPrefix(rest, lessTail):
		n += len(lessTail)
		m = matchYes
	case strings.HasPrefix(ampAgain, rest) || strings.HasPrefix(lessTail, rest):
		return levels, n, matchShort
	}
	if m == matchYes && marks {
		m = markAt(b[n-1:]) // the ';' stands for the '<'
	}
	return levels, n, m
}

// markAt returns whether a mark is at the start of b. Its first byte is taken for the '<'.
func markAt(b []byte) match {
	t, m := tagAt(b, maxTag)
	if t.kind == tagDamaged {
		return matchNo
	}
	return m
}

// rescape appends text to b with one more level of escaping, or one less if more is negative. The
// level is that of the '<' of each mark, or of each '<' if marks is not set.
func rescape(b []byte, text string, marks bool, more int) []byte {
	for {
		i := strings.IndexAny(text, "<&")
		if i < 0 {
			return append(b, text...)
		}
		b = append(b, text[:i]...)
		text = text[i:]
		head := []byte(text[:min(len(text), maxEscape)])
		plain := head[0] == '<'
		levels, m := 0, matchYes
		switch {
		case !plain:
			levels, _, m = escapeAt(head, marks)
		case marks:
			m = markAt(head)
		}
		old, with := text[:1], text[:1]
		switch {
		case m != matchYes, plain && more < 0:
		case plain:
			with = less
		case more > 0:
			with = amp
		case levels > 0:
			old = amp
		default:
			old, with = less, "<"
		}
		b = append(b, with...)
		text = text[len(old):]
	}
}

// Neutralize adds a level of escaping to each mark. A line break follows what could be the
// beginning of a mark: a mark contains none.
func (Protocol) Neutralize(text string) string {
	last := strings.LastIndexByte(text, '<')
	if last < 0 {
		return text
	}
	b := rescape(nil, text, true, 1)
	if markAt([]byte(text[last:])) == matchShort {
		b = append(b, '\n')
	}
	return string(b)
}

// Restore removes one level of escaping from each mark that has one.
func (Protocol) Restore(text string) string { return string(rescape(nil, text, true, -1)) }
