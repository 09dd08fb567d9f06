package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"github.com/vcpgo/vcp/internal/work"
)

// maxItems limits the items of an array, because an item may take a hundred times the memory of its
// text.
const maxItems = 4096

// array is a JSON array of at most maxItems items.
type array[Item any] []Item

// UnmarshalJSON refuses a longer array before its items take memory.
func (a *array[Item]) UnmarshalJSON(raw []byte) error {
	work.Add(len(raw))
	if !bytes.HasPrefix(raw, []byte("[")) {
		return json.Unmarshal(raw, (*[]Item)(a))
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return err
	}
	*a = nil
	for d.More() {
		if len(*a) == maxItems {
			return fmt.Errorf("an array has more than %d items", maxItems)
		}
		var item Item
		if err := d.Decode(&item); err != nil {
			return err
		}
		*a = append(*a, item)
	}
	return nil
}

// wholeNumber reads a whole number from 0 to math.MaxInt32, in any spelling: 7, 7.0 or "7".
func wholeNumber(raw json.RawMessage) (n int, ok bool) {
	var number json.Number // takes strings too
	if json.Unmarshal(raw, &number) != nil {
		return 0, false
	}
	f, err := number.Float64()
	if err != nil || f < 0 || f > math.MaxInt32 || f != math.Trunc(f) {
		return 0, false
	}
	return int(f), true
}

// jsonText is JSON text that arrives in pieces. It knows whether the text is a whole value, and
// does not read all of the text again after each piece.
type jsonText struct {
	text            []byte
	depth           int  // of open objects and arrays
	quoted, escaped bool // the next byte is in a string, or escaped by a backslash
	ended           bool // the first object, array or string has ended
	valid           bool // what has ended is valid JSON, and only white space follows
}

// maxScalar is the longest value without an end mark, such as a number, that counts as whole, in
// bytes.
const maxScalar = 64

// add appends the next piece.
func (j *jsonText) add(piece string) {
	work.Add(len(piece))
	for i := range len(piece) {
		j.text = append(j.text, piece[i])
		j.step(piece[i])
	}
}

// step updates the state for the last byte of the text.
func (j *jsonText) step(c byte) {
	ends := false
	switch {
	case j.ended:
		j.valid = j.valid && (c == ' ' || c == '\t' || c == '\r' || c == '\n')
		return
	case j.escaped:
		j.escaped = false
	case j.quoted:
		j.escaped, j.quoted = c == '\\', c != '"'
		ends = c == '"'
	case c == '"':
		j.quoted = true
	case c == '{' || c == '[':
		j.depth++
	case c == '}' || c == ']':
		j.depth--
		ends = true
	}
	if ends && j.depth <= 0 { // at most once, because step returns early after that
		work.Add(len(j.text))
		j.ended, j.valid = true, json.Valid(j.text)
	}
}

// whole reports whether the text is a whole JSON value.
func (j *jsonText) whole() bool {
	if j.ended {
		return j.valid
	}
	return len(j.text) <= maxScalar && json.Valid(j.text)
}
