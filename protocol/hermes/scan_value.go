package hermes

import (
	"github.com/vcpgo/vcp/protocol"
)

// openValue begins a value.
func (s *scanner) openValue(kind protocol.TokenKind, first state) {
	s.mode = modeValue
	s.value = valueState{kind: kind, state: first, stack: s.value.stack[:0]}
}

// openText begins the text of a string, whose opening quote stands at the offset at of the token.
func (s *scanner) openText(tok *protocol.Token, quote byte, at int) {
	s.openValue(protocol.TokenValue, stateString)
	s.value.inner, s.value.quote = true, quote
	if quote == '\'' {
		s.singleQuote(tok, at)
	}
}

// scanValue reads inside of a value. What needs more than a look at one byte is settled when
// nothing precedes it any more.
func (s *scanner) scanValue(src []byte, from int, atEOF bool) (int, *protocol.Token, error) {
	v := &s.value
	i := from
	for special := false; ; {
		if special || v.state == stateEnd || v.state == stateFailed || i == len(src) {
			if i > from {
				return s.emitAs(i-from, v.kind, "")
			}
			break
		}
		switch {
		case v.state == stateString:
			n := v.run(src[i:])
			s.examined += n + 1
			i += n
			if special = i < len(src) && (src[i] != '"' || v.quote != '"' || v.inner); !special && i < len(src) {
				i++
				v.endString()
			}
		case v.state >= stateMinus:
			s.examined++
			if v.number(src[i]) {
				i++
			}
		default:
			n := spaces(src[i:])
			s.examined += n + 1
			if i += n; i < len(src) {
				n = v.plain(src[i:])
				i += n
				special = n == 0
			}
		}
	}
	switch {
	case v.state == stateEnd:
		return s.endValue(src, from, atEOF)
	case v.state == stateFailed:
		return s.failValue()
	case i < len(src) && v.state == stateString:
		return s.inString(src, from, atEOF)
	case i < len(src):
		return s.inBrackets(src, from, atEOF)
	case !atEOF:
		return s.short(0)
	case v.kind == protocol.TokenValue:
		return s.emitAs(0, protocol.TokenNone, "") // the value is open
	}
	return s.endOfInput()
}

// insteadOf hands out n bytes of the value that the text stands in the place of, for a repair; none
// if it is negative.
func (s *scanner) insteadOf(n int, text string, repair int) (int, *protocol.Token, error) {
	tok := s.newToken(s.value.kind)
	if tok.Kind == protocol.TokenValue {
		s.instead = append(s.instead[:0], text...)
		tok.Replaced, tok.Instead = true, s.instead
	}
	switch {
	case repair == repairRawLineBreak, repair == repairBadEscape:
		s.repair(repair, 0, 1)
	case repair >= 0:
		s.repair(repair, 0, n)
	}
	return s.emit(n)
}

// inString settles what in a string is not its text as it stands.
func (s *scanner) inString(src []byte, from int, atEOF bool) (int, *protocol.Token, error) {
	v := &s.value
	switch c := src[from]; {
	case c == v.quote && v.inner:
		v.state = stateEnd
		return s.endValue(src, from, atEOF)
	case c == v.quote:
		v.endString()
		return s.insteadOf(1, `"`, -1)
	case c == '"': // in single quotes
		if v.decode {
			return s.emitAs(1, v.kind, "")
		}
		return s.insteadOf(1, `\"`, -1)
	case c == '\\':
		return s.backslash(src, from, atEOF)
	}
	return s.rawText(src[from:])
}

const (
	// maxRewrite bounds how much of a string is rewritten at once, in bytes.
	maxRewrite = 4 << 10
	// maxRaw bounds how many raw control characters a request may have: each takes up to six bytes
	// more than it was written with.
	maxRaw = 64 << 10
)

// rawText rewrites text of a string that begins with a raw control character. It is told of once a
// string (J8), and text behind the first goes along: what a string of nothing else costs is little
// more than its length.
func (s *scanner) rawText(b []byte) (int, *protocol.Token, error) {
	v := &s.value
	n, most := 0, min(len(b), maxRewrite)
	if left := s.body.start + s.o.BlockBytes - s.base; left > 0 {
		most = min(most, left)
	}
	code := protocol.ErrorCode("")
	for ; n < most; n++ {
		if b[n] >= 0x20 {
			if plainRun(b[n:n+1], v.quote) == 0 {
				break
			}
			continue
		}
		if s.body.raw == maxRaw {
			if n > 0 {
				break // the one that is too many is a token of its own
			}
			code = protocol.CodeLimitExceeded
		}
		s.body.raw = min(s.body.raw+1, maxRaw+1)
	}
	repair := repairRawLineBreak
	if v.broken {
		repair = -1
	}
	v.broken = true
	text := string(b[:n])
	if !v.decode {
		quoted := appendString(nil, text, false)
		text = string(quoted[1 : len(quoted)-1])
	}
	size, tok, err := s.insteadOf(n, text, repair)
	tok.Code = worse(tok.Code, code)
	return size, tok, err
}

// backslash settles what a backslash in a string begins.
func (s *scanner) backslash(src []byte, from int, atEOF bool) (int, *protocol.Token, error) {
	v := &s.value
	n, short := escapeLen(src[from:])
	quoted := len(src) > from+1 && src[from+1] == '\''
	if v.decode && !short && n > 0 {
		var more bool
		s.instead, n, more = unescape(s.instead[:0], src[from:])
		if more && atEOF {
			s.instead, n, _ = unescape(s.instead[:0], append(src[from:len(src):len(src)], 'x'))
		}
		short = more && !atEOF
		if !short {
			return s.insteadOf(n, string(s.instead), -1)
		}
	}
	switch {
	case short && !atEOF:
		return s.short(0)
	case short:
		return s.emitAs(len(src)-from, v.kind, "") // the value stays open
	case quoted && v.quote == '"':
		return s.insteadOf(2, "'", repairBadEscape)
	case quoted:
		return s.insteadOf(2, "'", -1)
	case n > 0:
		return s.emitAs(n, v.kind, "")
	case v.decode:
		return s.insteadOf(1, `\`, repairBadEscape)
	}
	return s.insteadOf(1, `\\`, repairBadEscape)
}

// inBrackets settles what between strings and numbers is not clean, or not known to be.
func (s *scanner) inBrackets(src []byte, from int, atEOF bool) (int, *protocol.Token, error) {
	v := &s.value
	value := v.state == stateValue || v.state == stateFirstElement
	switch c := src[from]; {
	case c == '\'' && (value || v.state == stateKey || v.state == stateFirstKey):
		v.key = !value
		v.state, v.quote, v.broken = stateString, c, false
		n, tok, err := s.insteadOf(1, `"`, repairSingleQuotes)
		if !s.single {
			tok.Code = protocol.CodeAmbiguousValue
		}
		return n, tok, err
	case c == ',' && v.state == stateAfter:
		return s.lastComma(src, from, atEOF)
	case value && isLetter(c):
		return s.word(src[from:], atEOF)
	}
	return s.failValue()
}

// lastComma settles whether the comma at src[from:] is followed by an end: then it is left out
// (J6).
func (s *scanner) lastComma(src []byte, from int, atEOF bool) (int, *protocol.Token, error) {
	i := from + max(1, s.looked)
	n := spaces(src[i:min(len(src), max(i, from+maxGap))])
	s.examined += n + 1
	i += n
	switch {
	case i == len(src) && i < from+maxGap && !atEOF:
		return s.short(i - from)
	case i < len(src) && i < from+maxGap && src[i] == s.value.closer():
		s.value.state = stateAfter
		return s.insteadOf(1, "", repairTrailingComma)
	}
	s.value.comma()
	return s.emitAs(1, s.value.kind, "")
}

// word reads a literal at the start of b.
func (s *scanner) word(b []byte, atEOF bool) (int, *protocol.Token, error) {
	n := 1
	for n < len(b) && n < len("false") && isLetter(b[n]) {
		n++
	}
	s.examined += n
	if n == len(b) && n < len("false") {
		if atEOF {
			return s.emitAs(n, s.value.kind, "") // the value stays open
		}
		return s.short(0)
	}
	for _, word := range [...][2]string{{"true", "True"}, {"false", "False"}, {"null", "None"}} {
		switch {
		case n >= len(word[0]) && string(b[:len(word[0])]) == word[0]:
			s.value.end()
			return s.emitAs(len(word[0]), s.value.kind, "")
		case n >= len(word[1]) && string(b[:len(word[1])]) == word[1]:
			s.value.end()
			return s.insteadOf(len(word[1]), word[0], repairPythonLiteral)
		}
	}
	return s.failValue()
}

// endValue ends the value before src[from:], where the closing quote of a text stands. What follows
// it must be what may follow a value: else the value has not ended where it seems to, and is
// ambiguous while it is open (J12).
func (s *scanner) endValue(src []byte, from int, atEOF bool) (int, *protocol.Token, error) {
	v := &s.value
	if v.kind != protocol.TokenValue {
		s.mode = modeBody
		return s.scanBody(src, from, atEOF)
	}
	n := 0
	if v.inner {
		n = 1
	}
	i := max(from+n, from+s.looked)
	blanks := spaces(src[i:min(len(src), max(i, from+maxGap))])
	s.examined += blanks + 1
	i += blanks
	if i == len(src) && i < from+maxGap && !atEOF {
		return s.short(i - from)
	}
	if i < len(src) && i < from+maxGap && src[i] != ',' && src[i] != '}' {
		return s.failValue()
	}
	code := protocol.ErrorCode("")
	if v.deep {
		code = protocol.CodeLimitExceeded
	}
	s.mode = modeBody
	return s.emitAs(n, protocol.TokenFieldEnd, code)
}

// failValue ends a value that cannot go on and gives up on its request.
func (s *scanner) failValue() (int, *protocol.Token, error) {
	v := &s.value
	v.state = stateFailed
	switch {
	case v.kind != protocol.TokenValue:
		return s.fail()
	case !v.doubted:
		v.doubted = true
		return s.emitEvidence(0, protocol.EvidenceOpener)
	}
	s.mode = modeBroken
	return s.emitAs(0, protocol.TokenFieldEnd, protocol.CodeAmbiguousValue)
}
