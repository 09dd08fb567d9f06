package vcp

import (
	"bytes"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol/scan"
)

// scanBlock reads between the values of a request.
func (s *scanner) scanBlock(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	if s.bare.open {
		return s.scanBare(src, from, atEOF)
	}
	if s.unmarked.end > 0 {
		return s.scanUnmarked()
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
				s.newEnd(scan.OutcomeClosed).Repairs = s.tokenRepairs(s.repaired[:0], m.repairs, 0, m.n)
				return s.emitBefore(src, from, at-from, scan.TokenFiller, s.fillerCode(src, from, at, false), m.n, modeText)
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
				tok := s.newMark(scan.TokenDefect)
				if tok.Code = scan.CodeStrayCloser; s.early.any() {
					tok.Code = scan.CodeAmbiguousValue
				}
				s.closer = e
				return s.emitBefore(src, from, start-from, scan.TokenFiller, s.fillerCode(src, from, start, false), e.n, modeBlock)
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
			s.newEnd(scan.OutcomeNone)
			return s.emitBefore(src, from, at-from, scan.TokenFiller, s.fillerCode(src, from, at, false), 0, modeBlock)
		}
		switch {
		case m.kind == s.kind && m.end:
			code := s.fillerCode(src, from, at, false)
			tok := s.newEnd(scan.OutcomeClosed)
			tok.Repairs, tok.Code = s.tokenRepairs(s.repaired[:0], m.repairs, 0, m.n), s.doubt()
			return s.emitBefore(src, from, at-from, scan.TokenFiller, code, m.n, modeText)
		case s.kind == markerRequest && m.kind == markerDefinition && m.end:
			return s.blockEvidence(src, from, at, m.n, scan.EvidenceDefinitionEnd)
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
			return s.blockEvidence(src, from, at, m.n, scan.EvidenceResult)
		case m.kind == markerRequest:
			code := s.fillerCode(src, from, at, false)
			s.newEnd(scan.OutcomeUnclosed).Code = s.doubt()
			return s.emitBefore(src, from, at-from, scan.TokenFiller, code, 0, modeBlock)
		}
	}
}

// blockEvidence returns the filler before a marker that is itself filler, and the marker with the
// next call.
func (s *scanner) blockEvidence(src []byte, from, at, n int, e scan.Evidence) (int, *scan.Token, error) {
	code := s.fillerCode(src, from, at, true)
	s.goesOn(src, from, at+n)
	if s.foreign.on {
		s.foreign.follow(src[at : at+n])
	}
	s.newEvidence(e)
	return s.emitBefore(src, from, at-from, scan.TokenFiller, code, n, modeBlock)
}

// cleanField finds the most frequent kind of field fast: blanks, line breaks and commas, then an
// ASCII key, a colon and a plain opener. key is the start of the key, end the offset of the colon;
// end is 0 for any other field.
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

// cleanField returns the field that the function cleanField found.
func (s *scanner) cleanField(src []byte, from, key, end int) (int, *scan.Token, error) {
	tok := s.newMark(scan.TokenField)
	tok.Rule, tok.NameEnd, tok.Role = scan.TextTrim, end-key, roleOf(src[key:end])
	s.value.opener = edge{n: len("「始」")}
	return s.emitBefore(src, from, key-from, scan.TokenFiller, "", end+len(":「始」")-key, modeValue)
}

// field returns the filler before a key, and the field with the next call.
func (s *scanner) field(src []byte, floor, from, start int, e edge) (int, *scan.Token, error) {
	tok := s.newMark(scan.TokenField)
	tok.Rule = e.rule()
	k, ok := s.keyBefore(src, floor, start, s.o.MaxKey)
	if !ok {
		k = key{start: start, nameStart: start, nameEnd: start, sepStart: start}
		tok.Code = scan.CodeBadKey
	}
	tok.Role = roleOf(k.name)
	if e.family == familyBadTag {
		tok.Code = scan.CodeBadTag
	}
	if k.hidden {
		tok.Role, tok.Code = scan.FieldComment, ""
	}
	if k.tooLong {
		tok.Code = scan.CodeLimitExceeded
	}
	begin := max(k.start, from)
	tok.NameStart, tok.NameEnd = k.nameStart-begin, k.nameEnd-begin
	if k.repairs&bitKeyDecoration != 0 {
		tok.Name = k.name // may be outside of src
	}
	if !k.hidden {
		list := s.tokenRepairs(s.repaired[:0], k.repairs&bitKeyDecoration, k.dress-begin, start-begin)
		list = s.tokenRepairs(list, k.repairs&bitSeparator, k.sepStart-begin, start-begin)
		tok.Repairs = s.tokenRepairs(list, e.repairs(), start-begin, start-begin+e.n)
	}
	s.value.tail = append(s.value.tail[:0], e.tail...)
	s.value.opener = e
	s.value.opener.tail = s.value.tail
	return s.emitBefore(src, from, begin-from, scan.TokenFiller, s.fillerCode(src, from, begin, true), start+e.n-begin, modeValue)
}

// moreFiller emits filler if no mark was found, except the part in which a key may begin.
func (s *scanner) moreFiller(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	n := len(src) - from
	switch {
	case atEOF && n == 0 && s.style != styleNone:
		s.endless = true
		return s.emit(0, s.newEnd(scan.OutcomeNone))
	case atEOF && n == 0:
		return 0, s.newMark(scan.TokenNone), nil
	case atEOF:
		code := s.fillerCode(src, from, len(src), false)
		last := src[from:]
		if s.block.midLine && !bytes.ContainsAny(last, "\r\n") {
			last = appendHead(s.head, last)
		}
		if endsInKey(last) {
			code = scan.CodeUnclosedBlock
		}
		return s.emitLead(n, scan.TokenFiller, code)
	case n < 2*scan.History:
		return s.short(max(0, n-maxEdge))
	}
	end := len(src) - scan.History
	for back := 0; back < utf8.UTFMax && end > from+1 && !utf8.RuneStart(src[end]); back++ {
		end--
	}
	code := s.fillerCode(src, from, end, true)
	s.goesOn(src, from, end)
	return s.emitLead(end-from, scan.TokenFiller, code)
}

// goesOn records the last line of the filler before src[end:].
func (s *scanner) goesOn(src []byte, from, end int) {
	if line := lineStart(src, from, end); line > from {
		s.block.midLine = true
		s.head = appendHead(s.head[:0], src[line:end])
	} else if s.block.midLine {
		s.head = appendHead(s.head, src[from:end])
	}
}

// maxLineHead is how much of a line's beginning shows whether it looks like a bare value, in bytes:
// a key, a separator and a few more.
const maxLineHead = scan.MaxKeyBytes + 32

// appendHead appends b to the beginning of a line, up to maxLineHead bytes in all, with one blank
// for each run of blanks.
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

// fillerCode returns what is wrong with the filler src[from:to]. If the last line continues after
// it, that line is not searched for bare values (F12).
func (s *scanner) fillerCode(src []byte, from, to int, goesOn bool) (code scan.ErrorCode) {
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
			code = scan.CodeBareValue
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
			code = scan.CodeBareValue
		}
	}
	return code
}

// endsInKey reports whether the last line of b is a key and a separator, so that a field is missing
// (B9). F12 says which keys count.
func endsInKey(b []byte) bool {
	b = bytes.TrimRight(b, wideBlanks+"\r\n")
	line := bytes.TrimLeft(b[bytes.LastIndexAny(b, "\r\n")+1:], wideBlanks+commas)
	return isBareValue(append(bytes.Clone(line), '.')) && !isBareValue(line)
}

// isBareValue reports whether a line looks like a field with a value without marks (F12).
func isBareValue(line []byte) bool {
	_, _, value, ok := bareField(line)
	return ok && len(bytes.TrimSpace(value)) > 0 && !bytes.HasPrefix(value, []byte("//"))
}

// bareField splits a line at the separator after a key (F12).
func bareField(line []byte) (key []byte, separator string, value []byte, ok bool) {
	line = bytes.TrimLeft(line, wideBlanks)
	i := 0
	underscore := false
	for i < len(line) && isKeyRune(rune(line[i])) && line[i] < 0x80 {
		underscore = underscore || line[i] == '_'
		i++
	}
	if i == 0 || i > scan.MaxKeyBytes || !isKeyStart(rune(line[0])) || !('a' <= line[0] && line[0] <= 'z') && !underscore {
		return nil, "", nil, false
	}
	rest := bytes.TrimLeft(line[i:], wideBlanks)
	for _, separator := range [...]string{":", "=", "：", "＝"} {
		if value, ok := bytes.CutPrefix(rest, []byte(separator)); ok {
			return line[:i], separator, value, true
		}
	}
	return nil, "", nil, false
}
