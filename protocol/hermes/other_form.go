package hermes

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// Models that were trained on another form may write a call of that form between the tags of the
// Hermes form: a function call, tags for keys and values, or YAML. The call cannot be read, and the
// model is told so (T4).

// maxName limits the name at the start of such a call, in characters.
const maxName = 64

// otherForm returns whether b, which follows a start tag, begins a call in another form. fresh says
// that b comes directly after the tag or on another line. Prose about the tag is on the tag's line,
// after a blank.
func (s *scanner) otherForm(b []byte, fresh, atEOF bool) scan.Match {
	switch b[0] {
	case '"', '\'':
		return scan.MatchYes
	case '<':
		return otherTag(b, atEOF)
	case '`', '~':
		s.Work += min(len(b), 2*maxInfo)
		return inTicks(b, atEOF)
	}
	n := s.nameLen
	for n < len(b) && n <= maxName*utf8.UTFMax {
		size := nameRune(b[n:], n == 0)
		if size == 0 {
			break
		}
		n += size
	}
	s.Work += n - s.nameLen + 1
	s.nameLen = n
	switch {
	case n < len(b) && !utf8.FullRune(b[n:]):
		return scan.ShortUnless(atEOF)
	case n == 0 || utf8.RuneCount(b[:n]) > maxName:
		return scan.MatchNo
	case n == len(b):
		return scan.ShortUnless(atEOF)
	case b[n] == '(':
		return scan.MatchYes
	case !fresh:
		return scan.MatchNo
	case b[n] == ':':
		return scan.MatchYes
	}
	return s.afterName(b[n:], bytes.IndexByte(b[:n], '_') >= 0, atEOF)
}

// nameRune returns the length of the character at the start of b, or 0 if it cannot continue a
// name. If first is set, the character must be able to begin a name.
func nameRune(b []byte, first bool) int {
	r, n := utf8.DecodeRune(b)
	if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || !first && (r == '-' || r == '.' || r == '/') {
		return n
	}
	return 0
}

// inTicks returns whether JSON follows in a code span, or in a fence that is not on its own line.
func inTicks(b []byte, atEOF bool) scan.Match {
	n := 1
	for n < len(b) && n < maxInfo && b[n] == b[0] {
		n++
	}
	switch {
	case n == len(b):
		return scan.ShortUnless(atEOF)
	case n < 3 && (b[0] == '~' || b[n] != '{' && b[n] != '['):
		return scan.MatchNo
	case n < 3:
		return scan.MatchYes
	}
	info := 0
	for info < maxInfo && n+info < len(b) && isLetter(b[n+info]) {
		info++
	}
	return opensWith(b[n+info:], "{[", false, atEOF)
}

// afterName returns whether b, which follows a name, shows that the name is a method's. full says
// that the name looks like a full name, which needs no arguments.
func (s *scanner) afterName(b []byte, full, atEOF bool) scan.Match {
	blanks := 0
	for blanks < len(b) && blanks < maxInfo && (b[blanks] == ' ' || b[blanks] == '\t') {
		blanks++
	}
	s.Work += blanks + 1
	if blanks == len(b) {
		return scan.ShortUnless(atEOF)
	}
	switch b[blanks] {
	case '\n', '\r', '{':
		return scan.MatchYes
	case '<':
		if t, m := tagAt(b[blanks:], atEOF); m == scan.MatchYes && full && t.Kind == tags.Call && t.End {
			return scan.MatchYes
		}
		return otherTag(b[blanks:], atEOF)
	}
	return scan.MatchNo
}

// otherTag returns whether b, which begins with '<', begins with a tag that this protocol does not
// have.
func otherTag(b []byte, atEOF bool) scan.Match {
	if len(b) == 1 {
		return scan.ShortUnless(atEOF)
	}
	switch _, m := tagAt(b, atEOF); {
	case m == scan.MatchShort:
		return scan.MatchShort
	case m == scan.MatchNo && isLetter(b[1]):
		return scan.MatchYes
	}
	return scan.MatchNo
}
