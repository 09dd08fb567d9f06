package hermes

// A value is read byte by byte, whatever its depth: what it is made of is a state, and a bit for
// each open bracket.

// valueState is what is known of the JSON value that is being read.
type valueState struct {
	passed bool // its member is passed over
	state  state
	// inner is set for the text of a string, without its quotes; decode where its escapes are to be
	// read.
	inner, decode bool

	quote byte // of the open string
	key   bool // the open string is a key

	// stack has a bit for each open bracket: 1 for a list.
	stack []uint64
	depth int
	deep  bool // deeper than allowed

	broken bool // the open string has held a raw control character

	doubted bool // the token that casts doubt on it has been handed out
}

// state is what may come next in a value.
type state uint8

const (
	stateValue        state = iota // a value
	stateFirstElement              // a value or the list's end
	stateFirstKey                  // a key or the object's end
	stateKey                       // a key
	stateColon
	stateAfter  // behind a value inside of brackets: a comma or the end
	stateString // inside a string
	stateEnd    // behind the value
	stateFailed // it cannot go on

	// Inside of a number, by what has been read of it last.
	stateMinus
	stateZero
	stateInteger
	statePoint
	stateFraction
	stateE
	stateESign
	stateExponent
)

// maxDepth bounds how deep brackets may be nested in a value.
const maxDepth = 1000

// run returns how many bytes at the start of b are more of the open string.
func (v *valueState) run(b []byte) int {
	if v.decode || v.quote != '"' {
		return plainRun(b, v.quote)
	}
	return textRun(b, '"')
}

// endString closes the open string.
func (v *valueState) endString() {
	if v.key {
		v.state, v.key = stateColon, false
		return
	}
	v.end()
}

// end is called behind a value, or one inside of it.
func (v *valueState) end() {
	v.state = stateAfter
	if v.depth == 0 {
		v.state = stateEnd
	}
}

// plain takes what b begins with where that needs no mending, and returns its length; 0 if it
// needs more than that, or where a number begins.
func (v *valueState) plain(b []byte) int {
	c := b[0]
	value := v.state == stateValue || v.state == stateFirstElement
	switch {
	case c == '"' && (value || v.state == stateKey || v.state == stateFirstKey):
		v.key = !value
		v.state, v.quote, v.broken = stateString, c, false
		return 1
	case c == '{' && value, c == '[' && value:
		v.push(c == '[')
		return 1
	case c == '}' && v.state == stateFirstKey, c == ']' && v.state == stateFirstElement, v.state == stateAfter && c == v.closer():
		v.depth--
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
	case value && (c == '-' || '0' <= c && c <= '9'):
		if v.state = stateMinus; c != '-' {
			v.number(c)
		}
		return 1
	case value:
		for _, word := range [...]string{"true", "false", "null"} {
			if len(b) >= len(word) && string(b[:len(word)]) == word {
				v.end()
				return len(word)
			}
		}
	}
	return 0
}

// comma takes a comma between two elements or members.
func (v *valueState) comma() {
	v.state = stateKey
	if v.closer() == ']' {
		v.state = stateValue
	}
}

// push opens a bracket.
func (v *valueState) push(list bool) {
	if v.depth>>6 == len(v.stack) {
		v.stack = append(v.stack, 0)
	}
	word, bit := &v.stack[v.depth>>6], uint64(1)<<(v.depth&63)
	*word &^= bit
	v.state = stateFirstKey
	if list {
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

// number reads one byte of a number and returns whether it belongs to it. Where it does not, the
// number has ended, or is none.
func (v *valueState) number(c byte) bool {
	digit := '0' <= c && c <= '9'
	switch s := v.state; {
	case digit && s == stateMinus && c == '0':
		v.state = stateZero
	case digit && (s == stateMinus || s == stateInteger):
		v.state = stateInteger
	case digit && (s == statePoint || s == stateFraction):
		v.state = stateFraction
	case digit && s >= stateE:
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
