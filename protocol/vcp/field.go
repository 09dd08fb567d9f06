package vcp

import "github.com/vcpgo/vcp/protocol/scan"

// findCleanField finds the most frequent kind of field fast: blanks, line breaks and commas, then
// an ASCII key, a colon and a plain opener. key is the start of the key, end the offset of the
// colon; end is 0 for any other field.
func findCleanField(src []byte, from, maxKey int) (key, end int) {
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

// emitCleanField emits the filler before a field that findCleanField found, and then the field.
func (s *scanner) emitCleanField(src []byte, from, key, end int) (int, *scan.Token, error) {
	tok := s.newMark(scan.TokenField)
	tok.Rule, tok.NameEnd, tok.Role = scan.TextTrim, end-key, roleOf(src[key:end])
	s.value.opener = edge{n: len("「始」")}
	return s.emitBefore(src, from, key, end+len(":「始」")-key, "")
}

// field emits the filler before the field of the opener e at src[start:], and then the field.
func (s *scanner) field(src []byte, floor, from, start int, e edge) (int, *scan.Token, error) {
	tok := s.newMark(scan.TokenField)
	tok.Rule = e.rule()
	k, ok := s.keyBefore(src, floor, start, s.o.MaxKey)
	if !ok {
		k = fieldKey{start: start, nameStart: start, nameEnd: start, sepStart: start}
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
		tok.Name = k.name // the name without escapes may be in other memory than src
	}
	if !k.hidden {
		list := s.tokenRepairs(s.repaired[:0], k.repairs&bitKeyDecoration, k.decorationAt-begin, start-begin)
		list = s.tokenRepairs(list, k.repairs&bitSeparator, k.sepStart-begin, start-begin)
		tok.Repairs = s.tokenRepairs(list, e.repairs(), start-begin, start-begin+e.n)
	}
	s.value.tail = append(s.value.tail[:0], e.tail...)
	s.value.opener = e
	s.value.opener.tail = s.value.tail
	code := s.fillerCode(src, from, begin, true)
	return s.emitBefore(src, from, begin, start+e.n-begin, code)
}
