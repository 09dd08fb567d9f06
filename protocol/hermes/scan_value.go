package hermes

import (
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/protocol/scan"
)

// scanValue reads part of a value. As one token it emits the bytes that need neither a repair
// nor a look at what follows.
func (s *scanner) scanValue(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	v := &s.value
	i := from
	for special := false; ; { // special is set if the byte at i may need a repair, or a look at what follows
		if special || v.state == stateEnd || v.state == stateFailed || i == len(src) {
			if i > from {
				return s.EmitAs(i-from, scan.TokenValue, "")
			}
			break
		}
		switch {
		case v.state == stateString:
			n := v.run(src[i:])
			s.Work += n + 1
			i += n
			if special = i < len(src) && (src[i] != '"' || v.quote != '"' || v.inner); !special && i < len(src) {
				i++
				v.endString()
			}
		case v.state >= stateMinus:
			s.Work++
			if v.number(src[i]) {
				i++
			}
		default:
			n := spaces(src[i:])
			s.Work += n + 1
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
		return s.Short(0)
	case v.skipped: // the open value is not part of the request (T12)
		s.mode = modeBody
		return s.EmitAs(0, scan.TokenFieldEnd, "")
	}
	return s.EmitAs(0, scan.TokenNone, "") // the value is open
}

// noRepair is the argument of insteadOf for a replacement that is not a repair.
const noRepair = -1

// insteadOf emits n bytes of the value with a replacement text, and records the repair.
func (s *scanner) insteadOf(n int, text string, repair int) (int, *scan.Token, error) {
	tok := s.NewToken(scan.TokenValue)
	s.instead = append(s.instead[:0], text...)
	tok.Replaced, tok.Instead = true, s.instead
	switch {
	case repair == repairRawLineBreak, repair == repairBadEscape: // their span is the wrong byte only
		s.Repair(repair, 0, 1)
	case repair != noRepair:
		s.Repair(repair, 0, n)
	}
	return s.Emit(n)
}

// inString reads what is not plain text in a string: escapes, control characters and quotes.
func (s *scanner) inString(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	v := &s.value
	switch c := src[from]; {
	case c == v.quote && v.inner:
		v.state = stateEnd
		return s.endValue(src, from, atEOF)
	case c == v.quote:
		v.endString()
		return s.insteadOf(1, `"`, noRepair)
	case c == '"': // a double quote in a string in single quotes
		if v.decode {
			return s.EmitAs(1, scan.TokenValue, "")
		}
		return s.insteadOf(1, `\"`, noRepair)
	case c == '\\':
		return s.backslash(src, from, atEOF)
	}
	return s.rawText(src[from:])
}

const (
	// maxRewrite limits how much of a string one token rewrites, in bytes.
	maxRewrite = 4 << 10
	// maxRaw limits the raw control characters of a request: each grows to up to six bytes.
	maxRaw = 64 << 10
)

// rawText rewrites text of a string that begins with a raw control character. The repair is
// reported once per string (J8). The token also contains the text after that character, so that
// many such characters take few tokens.
func (s *scanner) rawText(b []byte) (int, *scan.Token, error) {
	v := &s.value
	n, most := 0, min(len(b), maxRewrite)
	if left := s.body.start + s.o.BlockBytes - s.Base; left > 0 { // a token ends at the limit of the block
		most = min(most, left)
	}
	code := scan.ErrorCode("")
	for ; n < most; n++ {
		if b[n] >= 0x20 {
			if plainRun(b[n:n+1], v.quote) == 0 {
				break
			}
			continue
		}
		if s.body.raw == maxRaw {
			if n > 0 {
				break // the first character over the limit is a separate token
			}
			code = scan.CodeLimitExceeded
		}
		s.body.raw = min(s.body.raw+1, maxRaw+1) // not maxRaw again, so that the limit is reported once
	}
	repair := repairRawLineBreak
	if v.hasRaw {
		repair = noRepair
	}
	v.hasRaw = true
	text := string(b[:n])
	if !v.decode {
		quoted := orderedjson.AppendString(nil, text)
		text = string(quoted[1 : len(quoted)-1])
	}
	size, tok, err := s.insteadOf(n, text, repair)
	tok.Code = worse(tok.Code, code)
	return size, tok, err
}

// backslash reads an escape in a string.
func (s *scanner) backslash(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	v := &s.value
	n, short := escapeLen(src[from:])
	isApostrophe := len(src) > from+1 && src[from+1] == '\''
	if v.decode && !short && n > 0 {
		if s.instead, n, short = unescape(s.instead[:0], src[from:], atEOF); !short {
			return s.insteadOf(n, string(s.instead), noRepair)
		}
	}
	switch {
	case short && !atEOF:
		return s.Short(0)
	case short:
		return s.EmitAs(len(src)-from, scan.TokenValue, "") // the value is still open
	case isApostrophe && v.quote == '"':
		return s.insteadOf(2, "'", repairBadEscape)
	case isApostrophe:
		return s.insteadOf(2, "'", noRepair)
	case n > 0:
		return s.EmitAs(n, scan.TokenValue, "")
	case v.decode:
		return s.insteadOf(1, `\`, repairBadEscape)
	}
	return s.insteadOf(1, `\\`, repairBadEscape)
}

// inBrackets reads a byte that may need a repair outside of strings and numbers: a single quote, a
// comma or a letter. Any other byte makes the value malformed.
func (s *scanner) inBrackets(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	v := &s.value
	wantsValue := v.state == stateValue || v.state == stateFirstElement
	switch c := src[from]; {
	case c == '\'' && (wantsValue || v.state == stateKey || v.state == stateFirstKey):
		v.key = !wantsValue
		v.state, v.quote, v.hasRaw = stateString, c, false
		n, tok, err := s.insteadOf(1, `"`, repairSingleQuotes)
		if !s.singleQuotes {
			tok.Code = scan.CodeAmbiguousValue
		}
		return n, tok, err
	case c == ',' && v.state == stateAfter:
		return s.lastComma(src, from, atEOF)
	case wantsValue && isLetter(c):
		return s.word(src[from:], atEOF)
	}
	return s.failValue()
}

// lastComma omits the comma at src[from] if a closing bracket follows (J6).
func (s *scanner) lastComma(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	i := from + max(1, s.Looked)
	n := spaces(src[i:min(len(src), max(i, from+maxGap))])
	s.Work += n + 1
	i += n
	switch {
	case i == len(src) && i < from+maxGap && !atEOF:
		return s.Short(i - from)
	case i < len(src) && i < from+maxGap && src[i] == s.value.closer():
		s.value.state = stateAfter
		return s.insteadOf(1, "", repairTrailingComma)
	}
	s.value.comma()
	return s.EmitAs(1, scan.TokenValue, "")
}

// word reads a literal at the start of b.
func (s *scanner) word(b []byte, atEOF bool) (int, *scan.Token, error) {
	n := 1
	for n < len(b) && n < len("false") && isLetter(b[n]) {
		n++
	}
	s.Work += n
	for _, word := range [...][2]string{{"true", "True"}, {"false", "False"}, {"null", "None"}} {
		switch {
		case n >= len(word[0]) && string(b[:len(word[0])]) == word[0]:
			s.value.end()
			return s.EmitAs(len(word[0]), scan.TokenValue, "")
		case n >= len(word[1]) && string(b[:len(word[1])]) == word[1]:
			s.value.end()
			return s.insteadOf(len(word[1]), word[0], repairPythonLiteral)
		}
	}
	switch {
	case n < len(b) || n == len("false"):
		return s.failValue()
	case atEOF:
		return s.EmitAs(n, scan.TokenValue, "") // the value is still open
	}
	return s.Short(0)
}

// endValue ends the value before src[from], which is the closing quote if v.inner is set. Only a
// comma or a closing brace may follow a value. If anything else follows, the value is ambiguous:
// its last quote may be text (J12).
func (s *scanner) endValue(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	v := &s.value
	n := 0
	if v.inner {
		n = 1
	}
	i := max(from+n, from+s.Looked)
	blanks := gap(src[i:min(len(src), max(i, from+maxGap))], s.body.quoted)
	s.Work += blanks + 1
	i += blanks
	if i == len(src) && i < from+maxGap && !atEOF {
		return s.Short(i - from)
	}
	if i < len(src) && i < from+maxGap && src[i] != ',' && src[i] != '}' {
		return s.failValue()
	}
	code := scan.ErrorCode("")
	if v.deep {
		code = scan.CodeLimitExceeded
	}
	s.mode = modeBody
	if !v.skipped {
		s.body.bracket.value(v)
	}
	return s.EmitAs(n, scan.TokenFieldEnd, code)
}

// failValue ends a malformed value and gives up on its request.
func (s *scanner) failValue() (int, *scan.Token, error) {
	v := &s.value
	v.state = stateFailed
	if !v.doubted {
		v.doubted = true
		return s.EmitEvidence(0, scan.EvidenceOpener)
	}
	s.mode = modeBroken
	n := 0
	if v.inner {
		n = 1 // its closing quote
	}
	return s.EmitAs(n, scan.TokenFieldEnd, scan.CodeAmbiguousValue)
}
