package hermes

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/markdown"
	"github.com/vcpgo/vcp/protocol/scan"
)

const (
	// maxLead limits the white space after a start tag, in bytes. After more, the tag is text.
	maxLead = 1024
	// maxInfo limits the info string of a fence around a body, in bytes.
	maxInfo = 24
)

// quoted reports whether the line of src[at] begins with the mark of a blockquote.
func (s *scanner) quoted(src []byte, at int) bool {
	since := s.text.since
	if s.mode != modeText {
		since = s.base - s.body.start
	}
	line := src[max(0, at-since, at-maxBesides):at]
	s.examined += len(line)
	begin := bytes.LastIndexAny(line, "\r\n") + 1
	if begin == 0 && len(line) < since {
		return false // the beginning of the line is not known
	}
	if begin == 0 && (s.mode == modeText && s.text.quote || s.mode != modeText && s.body.quoted) {
		return true
	}
	line = bytes.TrimLeft(line[begin:], " \t")
	for len(line) > 1 && strings.IndexByte("-*+", line[0]) >= 0 && (line[1] == ' ' || line[1] == '\t') { // list items
		line = bytes.TrimLeft(line[1:], " \t")
	}
	return bytes.HasPrefix(line, []byte(">"))
}

func shortUnless(atEOF bool) match {
	if atEOF {
		return matchNo
	}
	return matchShort
}

// opensWith returns whether b begins with up to maxInfo bytes of white space and then a byte of
// set. In a blockquote its marks are white space.
func opensWith(b []byte, set string, quoted, atEOF bool) match {
	b = b[:min(len(b), maxInfo+1)]
	n := spaces(b)
	for quoted && n < len(b) && b[n] == '>' {
		n++
		n += spaces(b[n:])
	}
	switch {
	case n <= maxInfo && n == len(b):
		return shortUnless(atEOF)
	case n <= maxInfo && strings.IndexByte(set, b[n]) >= 0:
		return matchYes
	}
	return matchNo
}

// fenceLine returns the length of the line at the start of b if it opens fenced code, its line
// break included.
func fenceLine(b []byte, atEOF bool) (n int, m match) {
	line := b[:min(len(b), maxInfo+1)]
	end := bytes.IndexAny(line, "\r\n")
	if end < 0 {
		if len(line) > maxInfo {
			return 0, matchNo
		}
		return 0, shortUnless(atEOF)
	}
	if _, _, ok := markdown.OpenFence(line[:end]); !ok {
		return 0, matchNo
	}
	return end + 1, matchYes
}

// maxBesides limits how much of a line before and after a tag is examined, in bytes.
const maxBesides = 96

// emphasis lists the characters that are ignored next to a tag on its line.
const emphasis = " \t*_~\u3000\ufeff"

// standsAlone returns whether the tag at src[at:end] is alone on its line, apart from emphasis. If
// body is set, an object may follow the tag.
func (s *scanner) standsAlone(src []byte, at, end int, body, atEOF bool) match {
	since := s.text.since
	if s.mode != modeText {
		since = s.base - s.body.start
	}
	floor := max(0, at-scan.History, at-since, at-maxBesides)
	begin := at
	for begin > floor {
		_, n := utf8.DecodeLastRune(src[floor:begin])
		if !strings.Contains(emphasis, string(src[begin-n:begin])) {
			break
		}
		begin -= n
	}
	rest := src[end:min(len(src), end+maxBesides)]
	s.examined += len(rest)
	left := bytes.TrimLeft(rest, emphasis)
	if m := opensWith(left, "{", false, atEOF || len(rest) == maxBesides); body && m == matchYes {
		return m
	} else if begin != at-since && (begin == 0 || src[begin-1] != '\n' && src[begin-1] != '\r') {
		if !body {
			m = matchNo
		}
		return m
	}
	switch {
	case len(left) > 0 && (left[0] == '\n' || left[0] == '\r'):
		return matchYes
	case len(left) == 0 && len(rest) < maxBesides, !utf8.FullRune(left) && len(rest) < maxBesides:
		if atEOF {
			return matchYes
		}
		return matchShort
	}
	return matchNo
}

// gap returns how many bytes of white space between the parts of a call b begins with.
func (s *scanner) gap(b []byte) int {
	n := spaces(b)
	for s.body.quoted && n < len(b) && b[n] == '>' {
		n++
		n += spaces(b[n:])
	}
	return n
}
