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
		word, kind := s.search(src, value)
		end := word - len("「")
		if end < value || kind != anchorClose || !bytes.HasPrefix(src[end:], []byte("「末」")) {
			return 0
		}
		i = end + len("「末」")
		fields = append(fields, protocol.WholeField{
			Lead: key - at, NameEnd: colon - at, ValueStart: value - at, ValueEnd: end - at, End: i - at,
			Rule: protocol.TextTrim, NamesTool: string(src[key:colon]) == keyToolName,
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

// fillerEnd returns where the blanks, line breaks and commas at src[i:] end.
func fillerEnd(src []byte, i int) int {
	for i < len(src) && (src[i] == '\n' || src[i] == ' ' || src[i] == ',' || src[i] == '\r' || src[i] == '\t') {
		i++
	}
	return i
}
