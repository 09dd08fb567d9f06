package reference

import (
	"slices"
	"strings"
)

// argumentsOf reads the arguments (J5, J11, J15): an object, null, or a string that contains an
// object. Their key begins at keyAt.
func (in *input) argumentsOf(b *block, c *call, j *jsonReader, keyAt int) outcome {
	switch q := j.text[j.p]; {
	case q == '{':
		if in.endedBetween(b, j, keyAt) {
			return ended
		}
		c.object = true
		o := in.argumentList(b, c, j)
		if j.lastIsValue = false; o == whole {
			c.argumentsEnd = j.p
		}
		return o
	case q == '"' || q == '\'':
		j.repair("arguments_string", j.p, j.p+1)
		written, o := j.str()
		if o != whole {
			return o
		}
		object := meaning(written)
		inner := &jsonReader{text: object, clean: true, passed: -1}
		read := &call{codes: map[string]bool{}}
		// J5: the string contains one object, and only white space follows it.
		if inner.space() != whole || object[inner.p] != '{' ||
			in.argumentList(b, read, inner) != whole || inner.space() != truncated || read.codes["bad_key"] {
			c.noObject = true
			return whole
		}
		c.arguments, c.repeated = read.arguments, read.repeated
		for code := range read.codes {
			c.codes[code] = true
		}
		return whole
	case strings.HasPrefix(j.text[j.p:], "null") || strings.HasPrefix(j.text[j.p:], "None"):
		_, o := j.value()
		return o
	}
	_, o := j.value()
	c.codes["bare_value"] = true
	return o
}

// endedBetween reports whether the surroundings of a request have ended between keyAt, where a key
// begins, and the bracket of its object at j.p. That bracket is not a value (T13).
func (in *input) endedBetween(b *block, j *jsonReader, keyAt int) bool {
	for p := keyAt; p <= j.p; p++ {
		if isLineStart(in.text, p) && b.around.endsAt(in.text, p) {
			return true
		}
	}
	return false
}

// argumentList reads the members of arguments (J11, J13, J16, J17). A value is listed if a comma
// or a brace follows it, if JSON breaks in it or directly after it, or if its own last byte ends it
// (T12).
func (in *input) argumentList(b *block, c *call, j *jsonReader) outcome {
	over, readWhole := false, false // readWhole says that the last value was read up to its end
	var pending *Argument
	listPending := func() {
		if pending == nil {
			return
		}
		a := *pending
		pending = nil
		for _, earlier := range slices.Backward(c.arguments) {
			if earlier.Name != a.Name {
				continue
			}
			if earlier.Text == a.Text {
				return
			}
			c.repeated = true
			break
		}
		c.arguments = append(c.arguments, a)
	}
	o := j.members(func(key string, start, end int) outcome {
		if o := j.space(); o != whole {
			return o
		}
		b.valueOpen, b.hasValue = true, true
		if key == "" {
			key = `""`
			c.codes["bad_key"] = true
		}
		// J9: a request with refused quotes is ambiguous anyway.
		refused := j.text[start-1] == '\'' && !in.o.allows("single_quotes")
		wasOver := j.over
		text, o := j.value()
		j.lastIsValue = true
		b.fieldCount++
		limits := in.o.Limits
		longKey := !refused && end-start > limits.KeyBytes
		c.other = c.other || longKey
		if longKey || b.fieldCount >= limits.Fields || j.p-b.start > limits.BlockBytes || j.over && !wasOver {
			over = true
		}
		if over && j.clean { // J5: the arguments are in a string, which was stored whole
			c.codes["limit_exceeded"] = true
			return o
		}
		if over {
			b.passLimit()
			return o
		}
		if refused && end-start > 6*limits.KeyBytes { // J17
			return o
		}
		c.written = append(c.written, Argument{Name: key, Text: text})
		pending = &Argument{Name: key, Text: text, JSON: true}
		readWhole = o == whole
		b.valueOpen = b.valueOpen && !readWhole
		return o
	}, func() { readWhole = false; listPending() })
	if o == broken || readWhole {
		listPending()
	}
	return o
}
