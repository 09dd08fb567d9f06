package hermes

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol"
)

// keyState is how far the reading of a key has come. All is relative to the token's start, which is
// the key's opening quote.
type keyState struct {
	end   int    // where the key's closing quote ends; 0 while it is not found
	name  []byte // what the key says; memory of its own
	colon bool   // the colon has been read
}

// maxGap bounds the white space beside a colon or behind a value that is waited for, in bytes.
const maxGap = 256

// member reads the key of a member, its colon and the first byte of its value, from src[from:],
// where its quote stands.
func (s *scanner) member(src []byte, from int, atEOF bool) (int, *protocol.Token, error) {
	k := &s.key
	if s.looked == 0 {
		*k = keyState{name: k.name[:0]}
	}
	if k.end == 0 {
		switch end, m := s.readKey(src, from); {
		case m == matchShort && atEOF:
			return s.emitAs(len(src)-from, protocol.TokenFiller, "")
		case m == matchShort:
			return s.short(max(1, end-from))
		case m == matchNo:
			return s.fail()
		case end < 0:
			return s.longKey(src[from])
		default:
			k.end = end - from
			s.looked = k.end
		}
	}
	for i := from + s.looked; ; {
		n := spaces(src[i:])
		s.examined += n + 1
		i += n
		switch {
		case i-from > k.end+maxGap:
			return s.fail()
		case i == len(src) && atEOF:
			return s.emitAs(len(src)-from, protocol.TokenFiller, "")
		case i == len(src):
			return s.short(i - from)
		case k.colon && s.saysFunction(src[i:], atEOF) == matchShort:
			return s.short(i - from)
		case k.colon:
			return s.open(src, from, i, s.saysFunction(src[i:], atEOF) == matchYes)
		case src[i] != ':':
			return s.fail()
		}
		k.colon = true
		i++
	}
}

// readKey reads the key at src[from:] into the key's state and returns where it ends; -1 if it
// is longer than any may be written.
func (s *scanner) readKey(src []byte, from int) (end int, m match) {
	quote := src[from]
	limit := from + 1 + 6*(s.o.MaxKey+1) // an escape of six bytes for each byte
	i := from + max(1, s.looked)
	for {
		n := plainRun(src[i:], quote)
		s.examined += n + 1
		i += n
		switch {
		case i > limit:
			return -1, matchYes
		case i == len(src):
			return i, matchShort
		case src[i] == quote:
			text := src[from+1 : i]
			if bytes.IndexByte(text, '\\') >= 0 {
				s.key.name = append(s.key.name, unquote(string(text))...)
			} else {
				s.key.name = append(s.key.name, text...)
			}
			return i + 1, matchYes
		case src[i] == '\\':
			n, short := escapeLen(src[i:])
			if quote == '\'' && len(src) > i+1 && src[i+1] == '\'' {
				n, short = 2, false
			}
			if short {
				return i, matchShort
			}
			if n == 0 {
				return i, matchNo
			}
			i += n
		case src[i] == '"': // in single quotes
			i++
		default:
			return i, matchNo
		}
	}
}

// longKey passes over a member whose key is past the limit.
func (s *scanner) longKey(quote byte) (int, *protocol.Token, error) {
	s.openValue(protocol.TokenFiller, stateString)
	s.value.quote, s.value.key = quote, true
	s.afterMember()
	tok := s.newToken(protocol.TokenFiller)
	if quote == '\'' {
		s.singleQuote(tok, 0)
	}
	if tok.Code == "" {
		tok.Code = protocol.CodeLimitExceeded
	}
	return s.emit(1)
}

// afterMember sets what follows the value of the member that is being read.
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

// saysFunction tells whether the member is "type": "function" of a call or of the object around it;
// value begins with its value.
func (s *scanner) saysFunction(value []byte, atEOF bool) match {
	if s.body.next != expectKey || s.body.wrapper == wrapperOpen || string(s.key.name) != keyType {
		return matchNo
	}
	const says = `"` + keyFunction + `"`
	switch n := min(len(value), len(says)); {
	case string(value[:n]) != says[:n]:
		return matchNo
	case n < len(says):
		return shortUnless(atEOF)
	}
	return matchYes
}

// open hands out the key at src[from:] up to its value, which begins at src[at:]. function reports
// that both are "type": "function".
func (s *scanner) open(src []byte, from, at int, function bool) (int, *protocol.Token, error) {
	k := &s.key
	tok := s.newToken(protocol.TokenFiller)
	if src[from] == '\'' {
		s.singleQuote(tok, 0)
	}
	inCall := s.body.next == expectKey
	s.afterMember()
	if function {
		s.repair(repairTypeMember, 1, k.end-1)
		s.openValue(protocol.TokenFiller, stateValue)
	} else if inCall {
		s.openCallMember(tok, src[at], at-from)
	} else {
		s.openField(tok, protocol.FormJSON)
		s.openValue(protocol.TokenValue, stateValue)
		switch {
		case len(k.name) == 0:
			tok.Code = worse(tok.Code, protocol.CodeBadKey)
			tok.NameStart, tok.NameEnd = 0, k.end // a field of its own all the same
		case len(k.name) > s.o.MaxKey && tok.Code == "":
			tok.Code = protocol.CodeLimitExceeded
		}
	}
	n := at - from
	if s.value.inner || tok.Kind == protocol.TokenFiller && s.mode == modeBody {
		n++ // the quote or the bracket
	}
	return s.emit(n)
}

// openField makes the token one of a field.
func (s *scanner) openField(tok *protocol.Token, form protocol.Form) {
	k := &s.key
	tok.Kind, tok.Form = protocol.TokenField, form
	tok.Name, tok.NameStart, tok.NameEnd = k.name, 1, k.end-1
	tok.Quiet = len(s.body.starts) > 1
	s.body.fields++
}

// openCallMember settles what a member of a call is for; c is the first byte of its value, which
// stands at the offset at.
func (s *scanner) openCallMember(tok *protocol.Token, c byte, at int) {
	name := s.callKey()
	quoted := c == '"' || c == '\''
	if b := &s.body; name == keyName || name == keyArguments {
		if b.wrapper == wrapperClosed {
			name = "" // one call has them in one object
		} else if b.wrapper == wrapperNone {
			b.wrapper = wrapperBare
		}
	}
	switch {
	case string(s.key.name) == keyFunction && c == '{' && s.body.wrapper == wrapperNone:
		s.repair(repairFunctionWrapper, 1, s.key.end-1)
		s.body.next, s.body.wrapper = expectKey, wrapperOpen
	case name == keyName && quoted, name == keyID && quoted:
		s.openField(tok, protocol.FormPlain)
		if tok.Role = protocol.FieldToolName; name == keyID {
			tok.Role = protocol.FieldReserved
		}
		s.openText(tok, c, at)
		s.value.decode = true
	case name == keyID && (c == '-' || '0' <= c && c <= '9'):
		s.openField(tok, protocol.FormPlain)
		tok.Role = protocol.FieldReserved
		s.openValue(protocol.TokenValue, stateValue)
	case name == keyArguments && !s.body.arguments:
		s.body.arguments = true
		switch {
		case c == '{':
			s.body.next = expectArgument
		case quoted:
			s.openField(tok, protocol.FormPlain)
			tok.Role = protocol.FieldReserved
			s.openText(tok, c, at)
			s.repair(repairArgumentsString, at, at+1)
		default:
			if c != 'n' && c != 'N' { // null stands for no arguments; the word is checked as it is passed over
				tok.Code = worse(tok.Code, protocol.CodeBareValue)
			}
			s.openValue(protocol.TokenFiller, stateValue)
		}
	default:
		code := protocol.CodeBadKey
		switch name {
		case keyName, keyID:
			code = protocol.CodeMissingToolName
		case keyArguments:
			code = protocol.CodeDuplicateKey
		}
		tok.Code = worse(tok.Code, code)
		s.openValue(protocol.TokenFiller, stateValue)
	}
}

// callKey returns the key of a call that the key at hand stands for, "" for none (J3, J4).
func (s *scanner) callKey() string {
	k := &s.key
	for _, name := range [...]string{keyName, keyArguments, keyParameters, keyID} {
		if !bytes.EqualFold(k.name, []byte(name)) {
			continue
		}
		if string(k.name) != name {
			s.repair(repairKeyCase, 1, k.end-1)
		}
		if name == keyParameters {
			s.repair(repairParametersKey, 1, k.end-1)
			name = keyArguments
		}
		k.name = append(k.name[:0], name...)
		return name
	}
	return ""
}

// worse returns the weightier of two codes.
func worse(a, b protocol.ErrorCode) protocol.ErrorCode {
	if b.Before(a) {
		return b
	}
	return a
}

// singleQuote notes that a string of the token stands in single quotes, the first at the offset at
// (J9).
func (s *scanner) singleQuote(tok *protocol.Token, at int) {
	s.repair(repairSingleQuotes, at, at+1)
	if !s.single {
		tok.Code = worse(tok.Code, protocol.CodeAmbiguousValue)
	}
}
