package reference

import (
	"slices"
	"strings"
)

// call is one object of a request.
type call struct {
	name, label string
	arguments   []Argument
	// T14: its name is a string, its arguments are an object, and there is something else in it.
	named, object, other bool
	// J20: the keys of its members, as the rows read them, and its arguments in the order written.
	members []string
	written []Argument
	closed  int // the end of its arguments, if they are an object
	codes   map[string]bool
	// The string of its arguments contains no object; an argument occurs with two values.
	noObject, repeated bool
	start              int
	end                int
}

// calls reads the objects of a request, and what comes after them.
func (r *reader) calls(b *block, j *jsonReader, fenced fence) {
	list := r.text[j.p] == '['
	if list { // J2
		j.repair("several_calls", j.p, j.p+1)
		j.p++
		b.listed = true
	}
	for {
		c := &call{codes: map[string]bool{}, end: len(r.text)}
		b.calls = append(b.calls, c)
		o := j.space()
		c.start = j.p
		if o == whole && r.text[j.p] != '{' {
			o = broken
		}
		if o == whole {
			if o = r.object(b, c, j); o == broken {
				if end, ok := r.wrongBrace(b, c, j, list, fenced, false); ok {
					b.repairedBrace = true
					r.hermesTail(b, j, end, fenced)
					return
				}
			}
		}
		if o != whole {
			r.hermesStops(b, j, o)
			return
		}
		c.end = j.p
		last := j.p
		if !list {
			j.last = last
		}
		o = j.space()
		if list && o == whole {
			closes := r.text[j.p] == ']'
			if r.text[j.p] == ',' {
				comma := j.p
				j.p++
				if o = j.space(); o == whole && r.text[j.p] == ']' {
					j.repair("trailing_comma", comma, comma+1)
					closes = true
				} else if o == whole && r.text[j.p] == '{' {
					continue
				}
			}
			if closes {
				j.p++
				last = j.p
				r.hermesTail(b, j, last, fenced)
				return
			}
		}
		if list {
			if o == whole && partOfTag(r.text[j.p:]) {
				o = cut
			} else if o == whole {
				o = broken
			}
			r.hermesStops(b, j, o)
			return
		}
		if o == whole && r.text[j.p] == '{' {
			j.repair("several_calls", j.p, j.p+1)
			continue
		}
		j.p = last
		r.hermesTail(b, j, last, fenced)
		return
	}
}

// hermesTail reads what comes after the last bracket: T5, T6, T8 and J12.
func (r *reader) hermesTail(b *block, j *jsonReader, last int, fenced fence) {
	o := j.space()
	fencedLine := false
	if o == ended {
		j.p += len(r.text[j.p:]) - len(strings.TrimLeft(r.text[j.p:], " \t"))
	}
	if o != cut && fenced.run > 0 && isLineStart(r.text, lineStart(r.text, j.p)) { // J1: the closing line
		line := r.text[j.p:lineEnd(r.text, j.p)]
		marks := len(line) - len(strings.TrimLeft(line, string(fenced.mark)))
		outer := b.around.fence // it continues: the line is that of the body
		if fencedLine = marks >= 3; fencedLine && (o == whole || outer != nil && outer.quotes == 0) {
			j.p += marks
			last, fencedLine = j.p, false
			o = j.space()
		}
	}
	if o == ended {
		b.defect("unclosed_block", last)
		b.end = last
		if !fencedLine && !isBlankText(r.text[j.p:lineEnd(r.text, j.p)]) { // J12
			b.defect("ambiguous_value", b.start)
		}
		return
	}
	if o == cut || partOfTag(r.text[j.p:]) {
		b.end, b.cut = last, true
		switch {
		case b.around.ends():
			b.defect("unclosed_block", last)
		case r.o.Stop:
			b.ended = true
			if !b.refused() && !slices.ContainsFunc(b.calls, func(c *call) bool { return len(c.codes) > 0 }) {
				b.repairs = append(b.repairs, Repair{"missing_block_end", Span{last, last}})
			}
		}
		return
	}
	m, ok := hermesMarkerAt(r.text, j.p)
	switch {
	case ok && m.kind == requestEnd:
		b.repairs = append(b.repairs, m.list()...)
		b.end, b.ended, b.hasEnd = m.end, true, true
	case ok && m.kind == requestStart && r.opensRequest(j.p):
		b.end, b.ended = last, true
		b.repairs = append(b.repairs, Repair{"missing_block_end", Span{last, last}})
	case ok && m.kind == resultStart && r.standsAlone(m, r.text[lineStart(r.text, m.start):m.start]):
		b.end = j.p
		b.defect("unclosed_block", last)
	default:
		if len(b.calls) == 1 && !b.repairedBrace && !b.listed {
			if end, ok := r.wrongBrace(b, b.calls[0], j, false, fenced, true); ok {
				b.repairedBrace = true
				j.p = end
				r.hermesTail(b, j, end, fenced)
				return
			}
		}
		b.defect("ambiguous_value", b.start)
		r.breakAt(b, j.p, last)
	}
}

// object reads one call.
func (r *reader) object(b *block, c *call, j *jsonReader) outcome {
	seen := map[string]int{}
	return j.members(r.callMember(b, c, j, seen, new(wrapping)), func() { b.valueOpen = false })
}

// wrapping is how far the object around a call has been read (J19).
type wrapping struct{ bare, open, closed bool }

// callMember reads one member of a call, or of the object around it.
func (r *reader) callMember(b *block, c *call, j *jsonReader, seen map[string]int, w *wrapping) func(key string, start, end int) outcome {
	return func(key string, start, end int) outcome {
		known := strings.ToLower(key)
		c.other = c.other || end-start != len(key) || key != "name" && key != "arguments" || seen[key] > 0
		value := strings.TrimLeft(j.text[j.p:j.end], " \t\r\n")
		says := key == "type" && !w.open && strings.HasPrefix(value, `"function"`) // J18
		switch {
		case says:
			j.repair("type_member", start, end)
		case key == "function" && !w.open && !w.closed && !w.bare && strings.HasPrefix(value, "{"): // J19
			j.repair("function_wrapper", start, end)
			c.members = append(c.members, "function")
			w.open = true
			j.space()
			j.depth-- // the object around a call counts for no value
			defer func() { j.depth++ }()
			o := j.members(r.callMember(b, c, j, seen, w), func() { b.valueOpen = false })
			w.open, w.closed, j.field = false, true, false
			return o
		}
		switch known {
		case "name", "id", "arguments", "parameters":
			if known != key { // J3
				j.repair("key_case", start, end)
			}
			if known == "parameters" { // J4
				j.repair("parameters_key", start, end)
				known = "arguments"
			}
		default:
			if !says {
				c.codes["bad_key"] = true // J13
			}
		}
		c.members = append(c.members, known)
		if known == "name" || known == "arguments" {
			if w.closed {
				c.codes["bad_key"] = true
				known = ""
			}
			w.bare = w.bare || !w.open
		}
		if seen[known]++; seen[known] > 1 && (known == "name" || known == "id" || known == "arguments") {
			c.codes["duplicate_key"] = true // J16
			known = ""
		}
		if o := j.space(); o != whole {
			return o
		}
		j.field, b.keyed, b.valueOpen = true, true, false
		q := j.text[j.p] // T12: a string of one of the three, or a digit of an id
		counts := q == '"' || q == '\'' || known == "id" && (q == '-' || '0' <= q && q <= '9')
		var o outcome
		switch known {
		case "name":
			o = r.nameOf(c, j)
		case "id":
			o = r.labelOf(c, j)
		case "arguments":
			if o = r.argumentsOf(b, c, j); !j.field {
				return o
			}
		default:
			_, o = j.value()
			counts = false
		}
		b.valueOpen = o == cut && counts
		return o
	}
}

// members reads the members of the object at j.p. value reads the part after a key, and closed says
// that a comma or a brace follows it.
func (j *jsonReader) members(value func(key string, start, end int) outcome, closed func()) outcome {
	if j.depth++; j.depth > 1000 {
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
		o = value(key, start, end)
		if j.field {
			j.fields = append(j.fields, Span{start - 1, j.p})
			if o == cut { // the end of the message is in it
				j.fields[len(j.fields)-1].End++
			}
		}
		if o != whole {
			if o == broken && j.field {
				j.last = j.p
			}
			return o
		}
		at := j.p
		if j.field {
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
			if j.field {
				j.p = at
			}
			return broken
		}
	}
}

// nameOf, J14: the name is a string.
func (r *reader) nameOf(c *call, j *jsonReader) outcome {
	if q := j.text[j.p]; q != '"' && q != '\'' {
		_, o := j.value()
		c.codes["missing_tool_name"] = true
		return o
	}
	_, says, o := j.str()
	if o == whole {
		c.name, c.named = strings.TrimSpace(says), true
	}
	return o
}

// labelOf, J14: the id is a string or a number.
func (r *reader) labelOf(c *call, j *jsonReader) outcome {
	q := j.text[j.p]
	if q == '"' || q == '\'' {
		_, says, o := j.str()
		if o == whole {
			c.label = says
		}
		return o
	}
	text, o := j.value()
	if q == '-' || '0' <= q && q <= '9' {
		if o == whole {
			c.label = text
		}
	} else {
		c.codes["missing_tool_name"] = true
	}
	return o
}

// bareObject, T9: an object that names a method and has arguments and is in no tag gives a notice.
func (r *reader) bareObject() {
	at := r.pos
	for _, word := range []string{`"arguments":`, `"parameters":`} {
		if !strings.HasPrefix(r.text[at:], word) {
			continue
		}
		from := strings.LastIndexByte(r.text[:at], '{')
		if from < 0 || from < r.lastEnd() || at-from > 256 || r.inCode(at+len(word)) || r.inQuote() || r.definition >= 0 || r.dropping {
			return
		}
		between := r.text[from+1 : at]
		if isBlankLines(between) || strings.Contains(between, `"name"`) {
			r.notices = append(r.notices, Notice{"malformed_request", Span{from, at + len(word)}})
		}
	}
}
