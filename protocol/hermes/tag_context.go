package hermes

import (
	"bytes"
	"strings"

	"github.com/vcpgo/vcp/internal/markdown"
	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

const (
	// maxLead limits the white space after a start tag, in bytes. If there is more, the tag is
	// text.
	maxLead = 1024
	// maxInfo limits the info string of a fence around a body, and the white space after a fence,
	// the tag of a result or a name, in bytes.
	maxInfo = 24
)

// since returns how many bytes of text, or of the open request, come before the next token.
func (s *scanner) since() int {
	if s.mode == modeText {
		return s.text.since
	}
	return s.Base - s.body.start
}

// quoted reports whether the line of src[from], where the next token begins, begins with the mark
// of a blockquote.
func (s *scanner) quoted(src []byte, from int) bool { return s.quotedAt(src, from, 0) }

// quotedAt is quoted for the line of src[from+n].
func (s *scanner) quotedAt(src []byte, from, n int) bool {
	s.Work += min(from, s.since(), tags.MaxLine) + n
	carried := s.body.quoted
	if s.mode == modeText {
		carried = s.text.quote
	}
	return tags.QuotesLine(src, from+n, s.since()+n, s.since() < s.Base, carried)
}

// opensWith returns whether b begins with up to maxInfo bytes of white space and then a byte of
// set. quoted says that b is in a blockquote, whose marks count as white space.
func opensWith(b []byte, set string, quoted, atEOF bool) scan.Match {
	b = b[:min(len(b), maxInfo+1)]
	switch n := gap(b, quoted); {
	case n <= maxInfo && n == len(b):
		return scan.ShortUnless(atEOF)
	case n <= maxInfo && strings.IndexByte(set, b[n]) >= 0:
		return scan.MatchYes
	}
	return scan.MatchNo
}

// fenceLine reads the line at the start of b. If the line opens fenced code, n is its length with
// the first byte of its line break.
func fenceLine(b []byte, atEOF bool) (n int, m scan.Match) {
	line := b[:min(len(b), maxInfo+1)]
	end := bytes.IndexAny(line, "\r\n")
	if end < 0 {
		if len(line) > maxInfo {
			return 0, scan.MatchNo
		}
		return 0, scan.ShortUnless(atEOF)
	}
	if _, _, ok := markdown.OpenFence(line[:end]); !ok {
		return 0, scan.MatchNo
	}
	return end + 1, scan.MatchYes
}

// standsAlone returns whether the tag at src[at:end] is alone on its line, apart from emphasis. If
// objectMayFollow is set, an object may follow the tag.
func (s *scanner) standsAlone(src []byte, at, end int, objectMayFollow, atEOF bool) scan.Match {
	s.Work += min(len(src)-end, tags.MaxLine)
	rest, ends := tags.EndsLine(src[end:], atEOF)
	object := scan.MatchNo
	if objectMayFollow { // MaxLine bytes after the tag are enough to decide
		object = opensWith(rest, "{", false, atEOF || len(src)-end >= tags.MaxLine)
	}
	if object == scan.MatchYes || !tags.BeginsLine(src, at, s.since(), tags.Emphasis) {
		return object
	}
	return ends
}

// gap returns the length of the white space at the start of b. If b is in a blockquote, the marks
// of the blockquote count as white space.
func gap(b []byte, quoted bool) int {
	n := spaces(b)
	for quoted && n < len(b) && b[n] == '>' {
		n++
		n += spaces(b[n:])
	}
	return n
}
