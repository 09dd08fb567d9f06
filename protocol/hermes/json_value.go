package hermes

// A value is read byte by byte at any depth. The memory for that is one state and one bit for each
// open bracket.

// valueState describes the JSON value that is being read.
type valueState struct {
	skipped bool // its member is not part of the request
	state   state
	// inner is set if the value is the text of a string, without its quotes. decode is set if
	// escapes are decoded.
	inner, decode bool

	quote byte // of the open string
	key   bool // the open string is a key

	// stack has a bit for each open bracket: 1 for a list.
	stack []uint64
	depth int  // number of open brackets
	lists int  // number of open lists
	deep  bool // deeper than allowed
	// object is set if the value is an object. severalMembers is set if the value, or an object in
	// it outside of lists, has several members.
	object, severalMembers bool

	hasRaw bool // the open string contains a raw control character

	doubted bool // the token that casts doubt on the value has been emitted
}

// state says what may come next in a value.
type state uint8

const (
	stateValue        state = iota // a value
	stateFirstElement              // a value or the list's end
	stateFirstKey                  // a key or the object's end
	stateKey                       // a key
	stateColon
	stateAfter  // after a value in brackets: a comma or the end
	stateString // inside a string
	stateEnd    // after the value
	stateFailed // the value is malformed

	// In a number, named for the part that was read last. These states come last, so that
	// v.state >= stateMinus means a number.
	stateMinus
	stateZero
	stateInteger
	statePoint
	stateFraction
	stateE
	stateESign
	stateExponent
)

// maxDepth limits the nesting depth of a value.
const maxDepth = 1000

// run returns how many bytes at the start of b continue the open string.
func (v *valueState) run(b []byte) int {
	if v.decode || v.quote != '"' {
		return plainRun(b, v.quote)
	}
	return textRun(b)
}

// endString closes the open string.
func (v *valueState) endString() {
	if v.key {
		v.state, v.key = stateColon, false
		return
	}
	v.end()
}

// end sets the state after a value: stateEnd, or stateAfter if brackets are open.
func (v *valueState) end() {
	v.state = stateAfter
	if v.depth == 0 {
		v.state = stateEnd
	}
}

// plain reads the start of b if it needs no repair, and returns how many bytes it read. Of a number
// it reads only the first byte. It returns 0 if a repair or more input may be needed.
func (v *valueState) plain(b []byte) int {
	c := b[0]
	wantsValue := v.state == stateValue || v.state == stateFirstElement
	switch {
	case c == '"' && (wantsValue || v.state == stateKey || v.state == stateFirstKey):
		v.key = !wantsValue
		v.state, v.quote, v.hasRaw = stateString, c, false
		return 1
	case c == '{' && wantsValue, c == '[' && wantsValue:
		v.push(c == '[')
		return 1
	case c == '}' && v.state == stateFirstKey, c == ']' && v.state == stateFirstElement,
		v.state == stateAfter && c == v.closer():
		v.depth--
		if c == ']' {
			v.lists--
		}
		v.end()
		return 1
	case c == ':' && v.state == stateColon:
		v.state = stateValue
		return 1
	case c == ',' && v.state == stateAfter:
		if n := spaces(b[1:min(len(b), maxGap)]); n+1 < min(len(b), maxGap) && b[n+1] != '}' && b[n+1] != ']' {
			v.comma()
			return 1
		}
	case wantsValue && (c == '-' || '0' <= c && c <= '9'):
		if v.state = stateMinus; c != '-' {
			v.number(c)
		}
		return 1
	case wantsValue:
		for _, word := range [...]string{"true", "false", "null"} {
			if len(b) >= len(word) && string(b[:len(word)]) == word {
				v.end()
				return len(word)
			}
		}
	}
	return 0
}

// comma reads a comma between two elements or members.
func (v *valueState) comma() {
	v.state = stateKey
	if v.closer() == ']' {
		v.state = stateValue
	} else if v.lists == 0 {
		v.severalMembers = true
	}
}

// push opens a bracket.
func (v *valueState) push(list bool) {
	if v.depth>>6 == len(v.stack) {
		v.stack = append(v.stack, 0)
	}
	word, bit := &v.stack[v.depth>>6], uint64(1)<<(v.depth&63)
	*word &^= bit
	v.object = v.object || v.depth == 0 && !list
	v.state = stateFirstKey
	if list {
		v.lists++
		*word |= bit
		v.state = stateFirstElement
	}
	v.depth++
	v.deep = v.deep || v.depth > maxDepth
}

// closer returns the bracket that closes the innermost open one.
func (v *valueState) closer() byte {
	if top := v.depth - 1; v.stack[top>>6]>>(top&63)&1 == 1 {
		return ']'
	}
	return '}'
}

// number reads one byte and reports whether it belongs to the number. If not, the number has ended
// or is malformed.
func (v *valueState) number(c byte) bool {
	digit := '0' <= c && c <= '9'
	switch s := v.state; {
	case digit && s == stateMinus && c == '0':
		v.state = stateZero
	case digit && (s == stateMinus || s == stateInteger):
		v.state = stateInteger
	case digit && (s == statePoint || s == stateFraction):
		v.state = stateFraction
	case digit && s >= stateE: // or stateESign or stateExponent, the last states
		v.state = stateExponent
	case c == '.' && (s == stateZero || s == stateInteger):
		v.state = statePoint
	case c|0x20 == 'e' && (s == stateZero || s == stateInteger || s == stateFraction):
		v.state = stateE
	case (c == '-' || c == '+') && s == stateE:
		v.state = stateESign
	case s == stateMinus || s == statePoint || s == stateE || s == stateESign:
		v.state = stateFailed
		return false
	default:
		v.end()
		return false
	}
	return true
}

// maxGap limits the white space that the scanner reads to see what follows, in bytes: around a
// colon, after a comma, or after a value.
const maxGap = 256

// spaces returns how many bytes of white space b begins with.
func spaces(b []byte) int {
	for i, c := range b {
		if c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return i
		}
	}
	return len(b)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// brackets reads JSON that may be damaged, and returns the closing brackets of those that are open
// at its end, the outermost first. depth is the largest number of brackets open at once. quoted
// says that the text ends within a string.
func brackets(text string) (closers []byte, depth int, quoted bool) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case quoted:
		case c == '{' || c == '[':
			closers = append(closers, c+2) // '}' is '{' + 2, and ']' is '[' + 2
			depth = max(depth, len(closers))
		case (c == '}' || c == ']') && len(closers) > 0:
			closers = closers[:len(closers)-1]
		}
	}
	return closers, depth, quoted
}

// tooDeep reports whether a JSON value is nested deeper than maxDepth.
func tooDeep(value string) bool {
	_, depth, _ := brackets(value)
	return depth > maxDepth
}
