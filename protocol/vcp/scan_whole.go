package vcp

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol"
)

// wholeWindow is up to which length a clean request is read at once, in bytes: for longer ones it saves nothing.
const wholeWindow = 8 << 10

// wholeRequest reads the commonest request fast: the block at src[at:] where both its markers are exact, and nothing stands between them
// but fields as cleanField finds them, each with a value that holds no anchor. It makes the mark and returns its length; 0 where the
// block is any other.
func (s *scanner) wholeRequest(src []byte, from, at int) int {
	src = src[:min(len(src), at+wholeWindow)]
	if !bytes.HasPrefix(src[at:], []byte(requestStart)) {
		return 0
	}
	i := at + len(requestStart)
	fields := s.fields[:0]
	for {
		key, colon := cleanField(src, i, s.o.MaxKey)
		if colon == 0 {
			break
		}
		value := colon + len(":「始」")
		end := s.cleanCloser(src, value)
		if end < 0 {
			return 0
		}
		i = end + len("「末」")
		names := string(src[key:colon]) == keyToolName
		fields = append(fields, protocol.WholeField{
			Lead: key - at, NameEnd: colon - at, ValueStart: value - at, ValueEnd: end - at, End: i - at,
			Rule: protocol.TextTrim, NamesTool: names, Quiet: !names && isQuiet(src[key:colon]),
		})
	}
	s.fields = fields
	end := fillerEnd(src, i)
	if len(fields) == 0 || fields[0].ValueStart > openerWindow || !bytes.HasPrefix(src[end:], []byte(requestEnd)) {
		return 0
	}
	tok := s.newMark(protocol.TokenWholeRequest)
	tok.Fields, tok.Start, tok.End = fields, len(requestStart), end-at
	s.text.clean = s.lineIsClean(src, from, at)
	return end + len(requestEnd) - at
}

// cleanCloser returns where an exact closer begins, at or behind src[i:], with no anchor before it; -1 where anything else is found first.
func (s *scanner) cleanCloser(src []byte, i int) int {
	const (
		closer   = "「末」"
		needleAt = len("「") + 1 // the needle is the end of the word
	)
	if n := s.needles.Index(src[i:]); n >= needleAt {
		s.examined += n + 1
		if end := i + n - needleAt; len(src)-end >= len(closer) && string(src[end:end+len(closer)]) == closer {
			return end
		}
	}
	word, kind := s.search(src, i)
	if end := word - len("「"); end >= i && kind == anchorClose && bytes.HasPrefix(src[end:], []byte(closer)) {
		return end
	}
	return -1
}

// fillerEnd returns where the blanks, line breaks and commas at src[i:] end.
func fillerEnd(src []byte, i int) int {
	for i < len(src) && (src[i] == '\n' || src[i] == ' ' || src[i] == ',' || src[i] == '\r' || src[i] == '\t') {
		i++
	}
	return i
}
