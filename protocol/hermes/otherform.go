package hermes

import "strings"

// Models that were trained on another form write it between the tags of this one: a call like one of a function, pairs of keys and values in
// tags of their own, YAML. It cannot be read, and the model is told of it (T4).

// maxName bounds the name that such a call begins with, in bytes.
const maxName = 64

// otherForm tells whether b, which follows a start tag, begins a call in another form. fresh tells that it stands directly behind the tag or
// on another line: prose about the tag does not go on so. looked is how many bytes have been looked at.
func otherForm(b []byte, fresh, atEOF bool) (m match, looked int) {
	switch c := b[0]; {
	case c == '"' || c == '\'':
		return matchYes, 1
	case c == '<':
		return foreignTag(b, atEOF), 1
	case c == '`' || c == '~':
		return inTicks(b, atEOF), min(len(b), 2*maxInfo)
	case !isLetter(c):
		return matchNo, 1
	}
	n := 1
	for n < len(b) && n <= maxName && (isLetter(b[n]) || '0' <= b[n] && b[n] <= '9' || strings.IndexByte("_-./", b[n]) >= 0) {
		n++
	}
	switch {
	case n > maxName:
		return matchNo, n
	case n == len(b):
		return shortUnless(atEOF), n
	case b[n] == '(':
		return matchYes, n
	case !fresh:
		return matchNo, n
	case b[n] == ':':
		return matchYes, n
	}
	return afterName(b[n:], strings.IndexByte(string(b[:n]), '_') >= 0, atEOF), n
}

// inTicks tells whether JSON in a code span follows, or in a fence that has no line of its own.
func inTicks(b []byte, atEOF bool) match {
	n := 1
	for n < len(b) && n < maxInfo && b[n] == b[0] {
		n++
	}
	switch {
	case n == len(b):
		return shortUnless(atEOF)
	case b[n] == '{' || b[n] == '[':
		return matchYes
	case n < 3:
		return matchNo
	}
	info := 0
	for info < maxInfo && n+info < len(b) && isLetter(b[n+info]) {
		info++
	}
	return opensWith(b[n+info:], "{[", atEOF)
}

// afterName tells whether b, which follows a name, shows that the name is that of a method. full tells that it looks like a full name: it may
// stand alone then.
func afterName(b []byte, full, atEOF bool) match {
	blanks := 0
	for blanks < len(b) && blanks < maxInfo && (b[blanks] == ' ' || b[blanks] == '\t') {
		blanks++
	}
	if blanks == len(b) {
		return shortUnless(atEOF)
	}
	switch b[blanks] {
	case '\n', '\r', '{':
		return matchYes
	case '<':
		if t, m := tagAt(b[blanks:], atEOF); m == matchYes && full && t.kind == tagCall && t.end {
			return matchYes
		}
		return foreignTag(b[blanks:], atEOF)
	}
	return matchNo
}

// foreignTag tells whether b, which begins with '<', begins with a tag that is none of the protocol's.
func foreignTag(b []byte, atEOF bool) match {
	if len(b) == 1 {
		return shortUnless(atEOF)
	}
	switch _, m := tagAt(b, atEOF); {
	case m == matchShort:
		return matchShort
	case m == matchNo && isLetter(b[1]):
		return matchYes
	}
	return matchNo
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
