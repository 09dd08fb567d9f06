package hermes

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol/scan"
)

// member reads the key of a member and its colon, up to its value. The key's quote is at src[from].
func (s *scanner) member(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	k := &s.key
	if s.Looked == 0 {
		*k = keyState{name: k.name[:0]}
	}
	if k.end == 0 {
		switch end, m := s.readKey(src, from); {
		case m == scan.MatchShort && atEOF:
			return s.EmitAs(len(src)-from, scan.TokenFiller, "")
		case m == scan.MatchShort:
			return s.Short(max(1, end-from))
		case m == scan.MatchNo:
			return s.fail()
		case end < 0:
			return s.longKey(src[from])
		default:
			k.end = end - from
			s.Looked = k.end
		}
	}
	for i := from + s.Looked; ; {
		n := gap(src[i:], s.body.quoted)
		s.Work += n + 1
		i += n
		switch {
		case i-from > k.end+maxGap:
			return s.fail()
		case i == len(src) && atEOF:
			return s.EmitAs(len(src)-from, scan.TokenFiller, "")
		case i == len(src):
			return s.Short(i - from)
		case k.colon:
			function := s.saysFunction(src[i:], atEOF)
			if function == scan.MatchShort {
				return s.Short(i - from)
			}
			return s.openMember(src, from, i, function == scan.MatchYes)
		case src[i] != ':':
			return s.fail()
		}
		k.colon = true
		i++
	}
}

// readKey reads the key at src[from:] into s.key. It returns the end of the key, or -1 if the key
// is too long. If m is scan.MatchShort, end is how far the key was read.
func (s *scanner) readKey(src []byte, from int) (end int, m scan.Match) {
	quote := src[from]
	limit := from + 1 + 6*(s.o.MaxKey+1) // an escape of six bytes for each byte
	i := from + max(1, s.Looked)
	for {
		n := plainRun(src[i:], quote)
		s.Work += n + 1
		i += n
		switch {
		case i > limit:
			return -1, scan.MatchYes
		case i == len(src):
			return i, scan.MatchShort
		case src[i] == quote:
			text := src[from+1 : i]
			if bytes.IndexByte(text, '\\') >= 0 {
				s.key.name = append(s.key.name, unquote(string(text))...)
			} else {
				s.key.name = append(s.key.name, text...)
			}
			return i + 1, scan.MatchYes
		case src[i] == '\\':
			n, short := escapeLen(src[i:])
			if quote == '\'' && len(src) > i+1 && src[i+1] == '\'' {
				n, short = 2, false
			}
			if short {
				return i, scan.MatchShort
			}
			if n == 0 {
				return i, scan.MatchNo
			}
			i += n
		case src[i] == '"': // a double quote in a key in single quotes
			i++
		default:
			return i, scan.MatchNo
		}
	}
}

// longKey skips a member with a key over the limit. The rest of the key, the colon and the value
// are read as one skipped value.
func (s *scanner) longKey(quote byte) (int, *scan.Token, error) {
	s.openValue(stateString)
	s.value.quote, s.value.key, s.value.skipped = quote, true, true
	s.afterMember()
	tok := s.NewToken(scan.TokenField)
	tok.Role = scan.FieldComment
	if quote == '\'' {
		s.singleQuote(tok, 0)
	}
	if tok.Code == "" {
		tok.Code = scan.CodeLimitExceeded
	}
	return s.Emit(1)
}

// afterMember sets what is expected after the value of the current member.
func (s *scanner) afterMember() {
	b := &s.body
	b.comma = -1
	switch b.next {
	case expectKey:
		b.next = expectComma
	case expectArgument:
		b.next = expectArgumentComma
	}
}

// saysFunction returns whether the member is "type": "function" of a call or of the object around
// the call. rest begins with the member's value.
func (s *scanner) saysFunction(rest []byte, atEOF bool) scan.Match {
	if s.body.next != expectKey || s.body.wrapper == wrapperOpen || string(s.key.name) != keyType {
		return scan.MatchNo
	}
	const says = `"` + keyFunction + `"`
	switch n := min(len(rest), len(says)); {
	case string(rest[:n]) != says[:n]:
		return scan.MatchNo
	case n < len(says):
		return scan.ShortUnless(atEOF)
	}
	return scan.MatchYes
}

// openMember emits the key at src[from:] up to its value, which begins at src[at:]. function says
// that key and value are "type": "function".
func (s *scanner) openMember(src []byte, from, at int, function bool) (int, *scan.Token, error) {
	k := &s.key
	tok := s.NewToken(scan.TokenFiller)
	if src[from] == '\'' {
		s.singleQuote(tok, 0)
	}
	inCall := s.body.next == expectKey
	s.afterMember()
	switch {
	case function:
		s.Repair(repairTypeMember, 1, k.end-1)
		s.skipMember(tok, "")
	case inCall:
		s.openCallMember(tok, src[at], at-from)
	default:
		s.openField(tok, true)
		s.openValue(stateValue)
		s.body.bracket.callKey = isCallKey(k.name)
		switch {
		case len(k.name) == 0:
			tok.Code = worse(tok.Code, scan.CodeBadKey)
			k.name = append(k.name, emptyKey...)
			tok.Name, tok.NameStart, tok.NameEnd = k.name, 0, k.end // an empty name would mean that the field has no key
		case len(k.name) > s.o.MaxKey && tok.Code == "":
			tok.Code = scan.CodeLimitExceeded
		}
	}
	n := at - from
	if s.value.inner || tok.Kind == scan.TokenFiller && s.mode == modeBody {
		n++ // the quote or the bracket
	}
	return s.Emit(n)
}

// openField turns the token into a field.
func (s *scanner) openField(tok *scan.Token, isJSON bool) {
	k := &s.key
	tok.Kind, tok.JSON = scan.TokenField, isJSON
	tok.Name, tok.NameStart, tok.NameEnd = k.name, 1, k.end-1
	tok.Quiet = len(s.body.starts) > 1
	s.body.fields++
}

// openCallMember decides what a member of a call is. c is the first byte of its value, and at is
// the offset of that byte in the token.
func (s *scanner) openCallMember(tok *scan.Token, c byte, at int) {
	name := s.callKey()
	// Escapes make a key longer than its name. escaped is also set if name is "" or the key was
	// "parameters", but either makes a reply unclean anyway.
	s.body.escaped = s.body.escaped || s.key.end-len(`""`) != len(name)
	quoted := c == '"' || c == '\''
	switch {
	case string(s.key.name) == keyFunction && c == '{' && s.body.wrapper == wrapperNone &&
		!s.body.named && !s.body.arguments:
		s.Repair(repairFunctionWrapper, 1, s.key.end-1)
		s.body.next, s.body.wrapper = expectKey, wrapperOpen
	case s.body.wrapper == wrapperClosed && (name == keyName || name == keyArguments):
		s.skipMember(tok, scan.CodeBadKey) // name and arguments must be in one object
		return
	case name == keyName && s.body.named, name == keyID && s.body.identified, name == keyArguments && s.body.arguments:
		s.skipMember(tok, scan.CodeDuplicateKey)
	case name == keyName && quoted, name == keyID && quoted:
		s.openField(tok, false)
		if tok.Role = scan.FieldToolName; name == keyID {
			tok.Role = scan.FieldReserved
		}
		s.openText(tok, c, at)
		s.value.decode = true
	case name == keyID && (c == '-' || '0' <= c && c <= '9'):
		s.openField(tok, false)
		tok.Role = scan.FieldReserved
		s.openValue(stateValue)
	case name == keyArguments:
		switch {
		case c == '{':
			s.body.next, s.body.bracket.argumentsAreObject = expectArgument, true
		case quoted:
			s.openField(tok, false)
			tok.Role = scan.FieldReserved
			s.openText(tok, c, at)
			s.Repair(repairArgumentsString, at, at+1)
		default:
			code := scan.CodeBareValue
			if c == 'n' || c == 'N' { // null means no arguments; the word is checked when it is skipped
				code = ""
			}
			s.skipMember(tok, code)
		}
	case name == keyName || name == keyID:
		s.skipMember(tok, scan.CodeMissingToolName)
	default:
		s.skipMember(tok, scan.CodeBadKey)
	}
	s.body.named = s.body.named || name == keyName
	s.body.identified = s.body.identified || name == keyID
	s.body.arguments = s.body.arguments || name == keyArguments
}

// skipMember makes the token the key of a member that is not part of the request. A tag in its
// value is data, as in any value.
func (s *scanner) skipMember(tok *scan.Token, code scan.ErrorCode) {
	tok.Kind, tok.Role, tok.Code = scan.TokenField, scan.FieldComment, worse(tok.Code, code)
	s.openValue(stateValue)
	s.value.skipped = true
}

// callKey returns the key of a call that the current key means (J3, J4), and puts it in place of
// the current key. It returns "" if the current key means none.
func (s *scanner) callKey() string {
	k := &s.key
	for _, name := range [...]string{keyName, keyArguments, keyParameters, keyID} {
		if !bytes.EqualFold(k.name, []byte(name)) {
			continue
		}
		if string(k.name) != name {
			s.Repair(repairKeyCase, 1, k.end-1)
		}
		if name == keyParameters {
			s.Repair(repairParametersKey, 1, k.end-1)
			name = keyArguments
		}
		k.name = append(k.name[:0], name...)
		return name
	}
	return ""
}
