package reference

import (
	"slices"
	"strings"
)

// value reads one value and returns its text.
func (j *jsonReader) value() (string, outcome) {
	if o := j.space(); o != whole {
		return "", o
	}
	j.inner++
	defer func() { j.inner-- }()
	switch c := j.text[j.p]; {
	case c == '"' || c == '\'' && !j.clean:
		return j.str()
	case c == '{' || c == '[':
		from := j.p
		s, o := j.nested()
		if (o == whole || o == broken) && j.passed < 0 { // C12
			j.passed = j.around.passedIn(j.text[:j.p], from, j.p)
		}
		return s, o
	case c == '-' || '0' <= c && c <= '9':
		return j.number()
	}
	return j.literal()
}

// nested reads an object or a list as text (J6).
func (j *jsonReader) nested() (string, outcome) {
	var b strings.Builder
	j.nesting++
	defer func() { j.nesting-- }()
	closer := byte('}')
	if j.text[j.p] == '[' {
		closer = ']'
	}
	if j.depth++; j.depth > 1000 { // J17
		j.deep = true
	}
	defer func() { j.depth-- }()
	b.WriteByte(j.text[j.p])
	j.p++
	copySpace := func() outcome {
		from := j.p
		o := j.space()
		b.WriteString(j.text[from:j.p])
		return o
	}
	for first := true; ; first = false {
		if o := copySpace(); o != whole {
			return b.String(), o
		}
		if j.text[j.p] == closer && first {
			b.WriteByte(closer)
			j.p++
			return b.String(), whole
		}
		if closer == '}' {
			if c := j.text[j.p]; c != '"' && (c != '\'' || j.clean) {
				return b.String(), broken
			}
			key, o := j.str()
			b.WriteString(key)
			if o != whole {
				return b.String(), o
			}
			if o := copySpace(); o != whole {
				return b.String(), o
			}
			if j.text[j.p] != ':' {
				return b.String(), broken
			}
			b.WriteByte(':')
			j.p++
			if o := copySpace(); o != whole {
				return b.String(), o
			}
		}
		text, o := j.value()
		b.WriteString(text)
		if o != whole {
			return b.String(), o
		}
		if o := copySpace(); o != whole {
			return b.String(), o
		}
		switch j.text[j.p] {
		case closer:
			b.WriteByte(closer)
			j.p++
			return b.String(), whole
		case ',':
			comma := j.p
			j.p++
			from := j.p
			if o := j.space(); o != whole {
				b.WriteString(j.text[comma:j.p])
				return b.String(), o
			}
			if j.text[j.p] == closer && !j.clean { // J6
				j.repair("trailing_comma", comma, comma+1)
				b.WriteString(j.text[from:j.p])
				b.WriteByte(closer)
				j.p++
				return b.String(), whole
			}
			b.WriteByte(',')
			b.WriteString(j.text[from:j.p])
		default:
			return b.String(), broken
		}
	}
}

// members reads the members of the object at j.p. It calls read to read the value after each key,
// and closed if a comma or a brace follows the value.
func (j *jsonReader) members(read func(key string, start, end int) outcome, closed func()) outcome {
	if j.depth++; j.depth > 1000 { // J17
		j.over = true
	}
	defer func() { j.depth-- }()
	j.p++
	for first := true; ; first = false {
		if o := j.space(); o != whole {
			return o
		}
		if first && j.text[j.p] == '}' {
			j.p++
			return whole
		}
		key, start, end, o := j.member()
		if o != whole {
			return o
		}
		if to := min(end, j.runsTo); start < to && closingRun(j.text[start:to], j.runs) >= 0 { // C9
			return spanEnded
		}
		o = read(key, start, end)
		if j.lastIsValue {
			j.memberSpans = append(j.memberSpans, Span{start - 1, j.p})
		}
		if o != whole {
			if o == broken && j.lastIsValue {
				j.last = j.p
			}
			return o
		}
		at := j.p
		if j.lastIsValue {
			j.last = at
		}
		if o := j.space(); o != whole {
			return o
		}
		switch j.text[j.p] {
		case '}':
			closed()
			j.passed = -1
			j.p++
			return whole
		case ',':
			closed()
			j.passed = -1
			comma := j.p
			j.p++
			if o := j.space(); o != whole {
				return o
			}
			if j.text[j.p] == '}' && !j.clean { // J6
				j.repair("trailing_comma", comma, comma+1)
				j.p++
				return whole
			}
		default:
			if j.lastIsValue {
				j.p = at
			}
			return broken
		}
	}
}

// keyRun returns the length of the text of a key, up to the first byte that no key contains (J12).
func (j *jsonReader) keyRun(start int) int {
	quote := j.text[start-1]
	p := start
	for p < len(j.text) && j.text[p] != quote && j.text[p] >= 0x20 {
		if j.text[p] != '\\' {
			p++
			continue
		}
		at := j.p
		j.p = p
		repairs := j.repairs
		n, _, o := j.escape(quote)
		j.p = at
		if o != whole || len(j.repairs) > len(repairs) {
			j.repairs = repairs
			break
		}
		p += n
	}
	return p - start
}

// member reads a key and the colon after it, at the start of a member. In a key J8 and J10 do not
// apply; J9 applies if a value follows.
func (j *jsonReader) member() (key string, start, end int, o outcome) {
	if o := j.space(); o != whole {
		return "", 0, 0, o
	}
	if c := j.text[j.p]; c != '"' && (c != '\'' || j.clean) {
		return "", 0, 0, broken
	}
	start = j.p + 1
	j.inner++
	defer func() { j.inner-- }()
	raw, repairs, passed := j.raw, j.repairs, j.passed
	long := j.maxKey > 0 && j.keyRun(start) > 6*(j.maxKey+1) // J17
	if long && (j.text[start-1] == '"' || j.singleQuotes) {
		j.passLimit(start)
	}
	written, o := j.str()
	j.passed = passed // a key is no value
	isEscape := func(r Repair) bool { return r.Name == "bad_escape" }
	if long {
		repairs = j.repairs
	} else if j.raw > raw || slices.ContainsFunc(j.repairs[len(repairs):], isEscape) {
		j.p, j.passed, j.repairs = start-1, passed, repairs
		return "", 0, 0, broken
	}
	end = j.p - 1
	if o == whole {
		key, o = meaning(written), j.space()
	}
	if o == whole {
		if j.text[j.p] != ':' {
			if !long { // what was read is no key, so a tag in it counts
				j.p, j.passed, j.repairs = start-1, passed, repairs
			}
			return key, start, end, broken
		}
		j.p++
		o = j.space()
	}
	if o != broken && j.p > end+1+256 && !j.clean { // J12
		o = broken
	}
	if j.key = -1; o == truncated {
		j.repairs, j.key = repairs, start
		if long {
			j.key = -1
		}
	}
	return key, start, end, o
}
