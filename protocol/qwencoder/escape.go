package qwencoder

import (
	"bytes"
	"strings"
)

// maxLevels limits how often a tag in a value is escaped (P5).
const maxLevels = 16

const (
	amp      = "&amp;"
	less     = "&lt;"
	ampAgain = "amp;"
	lessTail = "lt;"
)

// escapeAt reads the escaped '<' at the start of b, which begins with '&'. levels is how many "amp;"
// it contains, and n its length. If marks is set, the rest of a mark follows.
func escapeAt(b []byte, marks bool) (levels, n int, m match) {
	n = 1
	for levels <= maxLevels && bytes.HasPrefix(b[n:], []byte(ampAgain)) {
		levels++
		n += len(ampAgain)
	}
	rest := b[n:]
	for _, word := range [...]string{lessTail, ampAgain} {
		if len(rest) < len(word) && strings.HasPrefix(word, string(rest)) {
			return levels, n, matchShort
		}
	}
	if !bytes.HasPrefix(rest, []byte(lessTail)) {
		return levels, n, matchNo
	}
	n += len(lessTail)
	if !marks {
		return levels, n, matchYes
	}
	t, m := tagAt(b[n-1:], maxTag) // the ';' stands for the '<'
	if t.kind == tagDamaged {
		m = matchNo
	}
	return levels, n, m
}

// markAt reports whether a mark is at the start of s.
func markAt(s string) bool {
	t, m := tagAt([]byte(s[:min(len(s), maxTag)]), maxTag)
	return m == matchYes && t.kind != tagDamaged
}

// appendEscaped appends text with one more level of escaping for the '<' of each mark, or for each
// '<' if marks is not set. deep reports that the text has a mark that a reader would not restore.
func appendEscaped(b []byte, text string, marks bool) (out []byte, deep bool) {
	for {
		i := strings.IndexAny(text, "<&")
		if i < 0 {
			return append(b, text...), deep
		}
		b = append(b, text[:i]...)
		text = text[i:]
		if text[0] == '<' {
			if !marks || markAt(text) {
				b = append(b, less...)
			} else {
				b = append(b, '<')
			}
			text = text[1:]
			continue
		}
		levels, _, m := escapeAt([]byte(text[:min(len(text), maxTag+len(amp)*(maxLevels+2))]), marks)
		if m == matchYes {
			b = append(b, amp...)
			deep = deep || levels >= maxLevels
		} else {
			b = append(b, '&')
		}
		text = text[1:]
	}
}

// escapeAll escapes each '<' of a text (definitions, members of results).
func escapeAll(text string) string {
	b, _ := appendEscaped(nil, text, false)
	return string(b)
}

// unescape removes one level of escaping, as appendEscaped adds it.
func unescape(text string, marks bool) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '&')
		if i < 0 {
			return b.String() + text
		}
		b.WriteString(text[:i])
		text = text[i:]
		switch levels, _, m := escapeAt([]byte(text[:min(len(text), maxTag+len(amp)*(maxLevels+2))]), marks); {
		case m != matchYes:
			b.WriteByte('&')
			text = text[1:]
		case levels > 0:
			b.WriteByte('&')
			text = text[len(amp):]
		default:
			b.WriteByte('<')
			text = text[len(less):]
		}
	}
}

// Neutralize writes the '<' of each mark as an entity. A line break follows what could be the
// beginning of a mark: a mark contains none.
func (Protocol) Neutralize(text string) string {
	if strings.IndexByte(text, '<') < 0 {
		return text
	}
	var b strings.Builder
	src, done, begins := []byte(text), 0, false
	for i := bytes.IndexByte(src, '<'); i >= 0; {
		switch t, m := tagAt(src[i:], maxTag); {
		case m == matchShort:
			begins = true
		case m == matchYes && t.kind != tagDamaged:
			b.WriteString(text[done:i] + less)
			done = i + 1
		}
		next := bytes.IndexByte(src[i+1:], '<')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	b.WriteString(text[done:])
	if begins {
		b.WriteByte('\n')
	}
	return b.String()
}
