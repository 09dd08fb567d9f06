package model

import (
	"encoding/json"

	"github.com/vcpgo/vcp/internal/work"
)

// jsonText is JSON text that comes in pieces. It knows whether the text is a whole value without reading it again.
type jsonText struct {
	text            []byte
	depth           int // of objects and arrays that are open
	quoted, escaped bool
	ended           bool // the first object, array or string has ended
	sound           bool // and it is valid, with nothing but white space after it
}

// maxScalar is how long a number, or another value without an end of its own, may be to count as whole, in bytes.
const maxScalar = 64

// add appends the next piece.
func (j *jsonText) add(piece string) {
	work.Add(len(piece))
	for i := range len(piece) {
		j.text = append(j.text, piece[i])
		j.next(piece[i])
	}
}

// next takes note of the last byte of the text.
func (j *jsonText) next(c byte) {
	switch {
	case j.ended:
		j.sound = j.sound && (c == ' ' || c == '\t' || c == '\r' || c == '\n')
	case j.escaped:
		j.escaped = false
	case j.quoted:
		j.escaped, j.quoted = c == '\\', c != '"'
		j.end(c == '"')
	case c == '"':
		j.quoted = true
	case c == '{' || c == '[':
		j.depth++
	case c == '}' || c == ']':
		j.depth--
		j.end(true)
	}
}

// end judges the text if what has just ended was not part of anything. That happens once.
func (j *jsonText) end(closes bool) {
	if closes && j.depth <= 0 {
		work.Add(len(j.text))
		j.ended, j.sound = true, json.Valid(j.text)
	}
}

// whole reports whether the text is a whole JSON value.
func (j *jsonText) whole() bool {
	if j.ended {
		return j.sound
	}
	return len(j.text) <= maxScalar && json.Valid(j.text)
}
