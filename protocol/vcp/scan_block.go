package vcp

import (
	"bytes"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol"
)

// scanBlock reads between the values of a request.
func (s *scanner) scanBlock(src []byte, from int, atEOF bool) (int, *protocol.Token, error) {
	if s.bare.open {
		return s.scanBare(src, from, atEOF)
	}
	if s.block.since == 0 && s.looked == 0 && !s.foreign.on {
		if key, end := cleanField(src, from, s.o.MaxKey); end > 0 {
			return s.cleanField(src, from, key, end)
		}
	}
	floor := max(historyFloor(from), from-s.block.since)
	i := from + s.looked
	for {
		at, kind := s.find(src, i, s.base-from)
		if at < 0 {
			return s.moreFiller(src, from, atEOF)
		}
		i = at + 1
		if kind == anchorEntity || kind == anchorBackslash {
			m, st, alone, found := escapedAt(src, historyFloor(from), at, atEOF)
			if found == matchShort {
				return s.short(at - from)
			}
			if found == matchYes && alone && m.end && st == s.style {
				s.newEnd(protocol.OutcomeClosed).Repairs = s.tokenRepairs(s.repaired[:0], m.repairs, 0, m.n)
				return s.emitBefore(src, from, at-from, protocol.TokenFiller, s.fillerCode(src, from, at, false), m.n, modeText)
			}
			continue
		}
		if kind == anchorOpen || kind == anchorClose {
			e, start, m := edgeAround(src, floor, at, atEOF)
			switch {
			case m == matchShort:
				return s.short(max(0, start-from))
			case m == matchNo:
				continue
			case kind == anchorClose:
				tok := s.newMark(protocol.TokenDefect)
				if tok.Code = protocol.CodeStrayCloser; s.early.any() {
					tok.Code = protocol.CodeAmbiguousValue
				}
				s.closer = e
				return s.emitBefore(src, from, start-from, protocol.TokenFiller, s.fillerCode(src, from, start, false), e.n, modeBlock)
			}
			return s.field(src, floor, from, start, e)
		}
		m, found := markerAt(src, at, atEOF)
		switch {
		case found == matchShort:
			return s.short(at - from)
		case found == matchNo || m.escaped:
			continue
		}
		if s.style != styleNone && (m.kind == markerRequest || m.kind == markerResult && !m.end) {
			// Both markers are escaped, or neither (B5).
			s.newEnd(protocol.OutcomeNone)
			return s.emitBefore(src, from, at-from, protocol.TokenFiller, s.fillerCode(src, from, at, false), 0, modeBlock)
		}
		switch {
		case m.kind == s.kind && m.end:
			code := s.fillerCode(src, from, at, false)
			tok := s.newEnd(protocol.OutcomeClosed)
			tok.Repairs, tok.Code = s.tokenRepairs(s.repaired[:0], m.repairs, 0, m.n), s.doubt()
			return s.emitBefore(src, from, at-from, protocol.TokenFiller, code, m.n, modeText)
		case s.kind == markerRequest && m.kind == markerDefinition && m.end:
			return s.blockEvidence(src, from, at, m.n, protocol.EvidenceDefinitionEnd)
		case s.kind != markerRequest || m.end:
			continue
		case m.kind == markerResult:
			line := max(floor, at-maxResultLine)
			begin := lineStart(src, line, at)
			clean := isEmphasis(src[begin:at]) && (begin > line || line > from-s.block.since || s.text.clean)
			switch s.resultStands(src, at+m.n, clean, atEOF) {
			case matchShort:
				return s.short(at - from)
			case matchNo:
				continue
			}
			return s.blockEvidence(src, from, at, m.n, protocol.EvidenceResult)
		case m.kind == markerRequest:
			code := s.fillerCode(src, from, at, false)
			s.newEnd(protocol.OutcomeUnclosed).Code = s.doubt()
			return s.emitBefore(src, from, at-from, protocol.TokenFiller, code, 0, modeBlock)
		}
	}
}

// blockEvidence returns the filler before a marker that is filler itself, and the marker the next
// time.
func (s *scanner) blockEvidence(src []byte, from, at, n int, e protocol.Evidence) (int, *protocol.Token, error) {
	code := s.fillerCode(src, from, at, true)
	s.goesOn(src, from, at+n)
	if s.foreign.on {
		s.foreign.follow(src[at : at+n])
	}
	s.newEvidence(e)
	return s.emitBefore(src, from, at-from, protocol.TokenFiller, code, n, modeBlock)
}

// cleanField finds the commonest field fast: blanks, line breaks and commas, then an ASCII key, a
// colon and a plain opener. key is where the key begins, end is where the colon stands; end is 0 if
// anything else stands there.
func cleanField(src []byte, from, maxKey int) (key, end int) {
	i := from
	for i < len(src) && (src[i] == '\n' || src[i] == ' ' || src[i] == ',' || src[i] == '\r' || src[i] == '\t') {
		i++
	}
	key = i
	for i < len(src) && (isASCIIAlnum(src[i]) || src[i] == '_') {
		i++
	}
	const opener = ":「始」"
	if i == key || i-key > maxKey || len(src)-i < len(opener) || string(src[i:i+len(opener)]) != opener {
		return 0, 0
	}
	return key, i
}

// cleanField returns the field that cleanField has found.
func (s *scanner) cleanField(src []byte, from, key, end int) (int, *protocol.Token, error) {
	tok := s.newMark(protocol.TokenField)
	tok.Rule, tok.NameEnd, tok.Role = protocol.TextTrim, end-key, roleOf(src[key:end])
	s.value.opener = edge{n: len("「始」")}
	return s.emitBefore(src, from, key-from, protocol.TokenFiller, "", end+len(":「始」")-key, modeValue)
}

// field returns the filler before a key, and the field the next time.
func (s *scanner) field(src []byte, floor, from, start int, e edge) (int, *protocol.Token, error) {
	tok := s.newMark(protocol.TokenField)
	tok.Rule = e.rule()
	k, ok := s.keyBefore(src, floor, start, s.o.MaxKey)
	if !ok {
		k = key{start: start, nameStart: start, nameEnd: start, sepStart: start}
		tok.Code = protocol.CodeBadKey
	}
	tok.Role = roleOf(k.name)
	if e.family == familyBadTag {
		tok.Code = protocol.CodeBadTag
	}
	if k.hidden {
		tok.Role, tok.Code = protocol.FieldComment, ""
	}
	if k.tooLong {
		tok.Code = protocol.CodeLimitExceeded
	}
	begin := max(k.start, from)
	tok.NameStart, tok.NameEnd = k.nameStart-begin, k.nameEnd-begin
	if k.repairs&bitKeyDecoration != 0 {
		tok.Name = k.name // may be no part of src
	}
	if !k.hidden {
		list := s.tokenRepairs(s.repaired[:0], k.repairs&bitKeyDecoration, k.dress-begin, start-begin)
		list = s.tokenRepairs(list, k.repairs&bitSeparator, k.sepStart-begin, start-begin)
		tok.Repairs = s.tokenRepairs(list, e.repairs(), start-begin, start-begin+e.n)
	}
	s.value.tail = append(s.value.tail[:0], e.tail...)
	s.value.opener = e
	s.value.opener.tail = s.value.tail
	return s.emitBefore(src, from, begin-from, protocol.TokenFiller, s.fillerCode(src, from, begin, true), start+e.n-begin, modeValue)
}

// moreFiller hands out filler if no mark was found, all but what a key may still begin in.
func (s *scanner) moreFiller(src []byte, from int, atEOF bool) (int, *protocol.Token, error) {
	n := len(src) - from
	switch {
	case atEOF && n == 0 && s.style != styleNone:
		s.endless = true
		return s.emit(0, s.newEnd(protocol.OutcomeNone))
	case atEOF && n == 0:
		return 0, s.newMark(protocol.TokenNone), nil
	case atEOF:
		code := s.fillerCode(src, from, len(src), false)
		last := src[from:]
		if s.block.midLine && !bytes.ContainsAny(last, "\r\n") {
			last = appendHead(s.head, last)
		}
		if endsInKey(last) {
			code = protocol.CodeUnclosedBlock
		}
		return s.emitLead(n, protocol.TokenFiller, code)
	case n < 2*protocol.History:
		return s.short(max(0, n-maxEdge))
	}
	end := len(src) - protocol.History
	for back := 0; back < utf8.UTFMax && end > from+1 && !utf8.RuneStart(src[end]); back++ {
		end--
	}
	code := s.fillerCode(src, from, end, true)
	s.goesOn(src, from, end)
	return s.emitLead(end-from, protocol.TokenFiller, code)
}

// goesOn takes note of the line that filler up to src[end:] ends in.
func (s *scanner) goesOn(src []byte, from, end int) {
	if line := lineStart(src, from, end); line > from {
		s.block.midLine = true
		s.head = appendHead(s.head[:0], src[line:end])
	} else if s.block.midLine {
		s.head = appendHead(s.head, src[from:end])
	}
}

// maxLineHead is how much of a line's beginning tells whether it looks like a bare value, in bytes:
// a key, a separator and what follows.
const maxLineHead = protocol.MaxKeyBytes + 32

// appendHead appends to the beginning of a line what follows, up to maxLineHead bytes, and of each
// run of blanks one.
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

// fillerCode tells what is wrong with the filler src[from:to]. Where the last line goes on, it is
// left out of the search for bare values (F12).
func (s *scanner) fillerCode(src []byte, from, to int, goesOn bool) (code protocol.ErrorCode) {
	lines := src[from:to]
	s.examined += len(lines)
	if s.foreign.on {
		s.foreign.follow(lines)
	}
	stop := bytes.IndexAny(lines, "\r\n")
	if s.block.midLine && (stop >= 0 || !goesOn) {
		line := lines
		if stop >= 0 {
			line = line[:stop]
		}
		if s.head = appendHead(s.head, line); isBareValue(s.head) {
			code = protocol.CodeBareValue
		}
	}
	for stop >= 0 {
		lines = lines[stop+1:]
		line := lines
		if stop = bytes.IndexAny(lines, "\r\n"); stop >= 0 {
			line = line[:stop]
		} else if goesOn {
			break
		}
		if isBareValue(line) {
			code = protocol.CodeBareValue
		}
	}
	return code
}

// endsInKey reports whether the last line of b is a key and a separator: a field was to follow
// (B9). Which keys count is F12's affair.
func endsInKey(b []byte) bool {
	b = bytes.TrimRight(b, wideBlanks+"\r\n")
	line := bytes.TrimLeft(b[bytes.LastIndexAny(b, "\r\n")+1:], wideBlanks+commas)
	return isBareValue(append(bytes.Clone(line), '.')) && !isBareValue(line)
}

// isBareValue reports whether a line looks like a field whose value was written without marks
// (F12).
func isBareValue(line []byte) bool {
	line = bytes.TrimLeft(line, wideBlanks)
	i := 0
	underscore := false
	for i < len(line) && isKeyRune(rune(line[i])) && line[i] < 0x80 {
		underscore = underscore || line[i] == '_'
		i++
	}
	if i == 0 || i > protocol.MaxKeyBytes || !isKeyStart(rune(line[0])) || !('a' <= line[0] && line[0] <= 'z') && !underscore {
		return false
	}
	rest := bytes.TrimLeft(line[i:], wideBlanks)
	for _, separator := range [...]string{":", "=", "：", "＝"} {
		if value, ok := bytes.CutPrefix(rest, []byte(separator)); ok {
			return len(bytes.TrimSpace(value)) > 0 && !bytes.HasPrefix(value, []byte("//"))
		}
	}
	return false
}
