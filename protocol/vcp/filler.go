package vcp

import (
	"bytes"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol/scan"
)

// moreFiller emits the filler src[from:], in which no mark was found. Unless atEOF is set, it keeps
// back the end of the filler, because a key may begin there.
func (s *scanner) moreFiller(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	n := len(src) - from
	switch {
	case atEOF && n == 0 && s.block.midLine && hasBareValue(s.head): // the last line ends with a marker
		s.block.midLine = false
		return s.emitLead(0, scan.CodeBareValue)
	case atEOF && n == 0 && s.style != styleNone:
		s.endMissing[s.style] = true
		return s.emit(0, s.newEnd(scan.OutcomeNone))
	case atEOF && n == 0:
		return 0, s.newMark(scan.TokenNone), nil
	case atEOF:
		code := s.fillerCode(src, from, len(src), false)
		tail := src[from:]
		// whole says that tail contains the whole of its last line that is not blank.
		whole := s.block.since == 0 || bytes.ContainsAny(bytes.TrimRight(tail, wideBlanks+"\r\n"), "\r\n")
		if s.block.midLine && !whole {
			tail, whole = appendHead(s.head, tail), true
		}
		if whole && endsInKey(tail) {
			code = scan.CodeUnclosedBlock
		}
		return s.emitLead(n, code)
	case n < 2*scan.History: // one token takes at least scan.History bytes, so that there are few tokens
		return s.short(max(0, n-maxEdge))
	}
	end := len(src) - scan.History
	for back := 0; back < utf8.UTFMax && end > from+1 && !utf8.RuneStart(src[end]); back++ {
		end--
	}
	code := s.fillerCode(src, from, end, true)
	s.keepLastLine(src, from, end)
	return s.emitLead(end-from, code)
}

// keepLastLine records the beginning of the last line of the filler before src[end:].
func (s *scanner) keepLastLine(src []byte, from, end int) {
	if line := lineStart(src, from, end); line > from {
		s.block.midLine = true
		s.head = appendHead(s.head[:0], src[line:end])
	} else if s.block.midLine {
		s.head = appendHead(s.head, src[from:end])
	}
}

// maxLineHead is how much of a line's beginning shows whether it looks like a bare value, in bytes:
// a key, a separator and a few more bytes.
const maxLineHead = scan.MaxKeyBytes + 32

// appendHead appends b to the beginning of a line, up to maxLineHead bytes in all. It omits blanks
// at the start of the line, and writes one blank for each other run of blanks.
func appendHead(head, b []byte) []byte {
	for len(b) > 0 && len(head) < maxLineHead {
		n := leadingBlank(b)
		switch {
		case n == 0:
			head = append(head, b[0])
			n = 1
		case len(head) > 0 && head[len(head)-1] != ' ':
			head = append(head, ' ')
		}
		b = b[n:]
	}
	return head
}

// fillerCode returns what is wrong with the filler src[from:to]. continues says that the last line
// continues after the filler; then that line is not searched for bare values (F12).
func (s *scanner) fillerCode(src []byte, from, to int, continues bool) (code scan.ErrorCode) {
	lines := src[from:to]
	s.examined += len(lines)
	if s.other.on {
		s.other.follow(lines)
	}
	stop := bytes.IndexAny(lines, "\r\n")
	if s.block.midLine && (stop >= 0 || !continues) {
		if s.head = appendHead(s.head, firstLine(lines)); hasBareValue(s.head) {
			code = scan.CodeBareValue
		}
	}
	for stop >= 0 {
		lines = lines[stop+1:]
		line := lines
		if stop = bytes.IndexAny(lines, "\r\n"); stop >= 0 {
			line = line[:stop]
		} else if continues {
			break
		}
		if hasBareValue(line) {
			code = scan.CodeBareValue
		}
	}
	return code
}
