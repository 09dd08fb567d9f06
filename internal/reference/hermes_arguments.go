package reference

import (
	"slices"
	"strings"
)

// argumentsOf, J5, J11 and J15: the arguments are an object, null, or a string that contains an
// object.
func (r *reader) argumentsOf(b *block, c *call, j *jsonReader) outcome {
	switch q := j.text[j.p]; {
	case q == '{':
		c.object = true
		o := r.argumentList(b, c, j)
		if j.field = false; o == whole {
			c.closed = j.p
		}
		return o
	case q == '"' || q == '\'':
		at := j.p
		_, says, o := j.str()
		if o != whole {
			return o
		}
		j.repair("arguments_string", at, at+1)
		inner := &jsonReader{text: says, end: len(says), clean: true, passed: -1}
		read := &call{codes: map[string]bool{}}
		if inner.space() != whole || says[inner.p] != '{' || r.argumentList(b, read, inner) != whole || inner.space() != cut {
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

// argumentList reads the members of arguments: J11, J13, J16 and J17. A value counts if a comma or
// a brace follows it, or if it is the ambiguous one.
func (r *reader) argumentList(b *block, c *call, j *jsonReader) outcome {
	over, closed := false, false
	var pending *Argument
	list := func() {
		if pending == nil {
			return
		}
		a := *pending
		pending = nil
		for _, before := range slices.Backward(c.arguments) {
			if before.Name != a.Name {
				continue
			}
			if before.Text == a.Text {
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
		b.valueOpen = true
		if key == "" {
			key = `""`
			c.codes["bad_key"] = true
		}
		refused := r.text[min(start, len(r.text))-1] == '\'' && !r.o.allows("single_quotes") // J9: it is ambiguous anyway
		before := j.over
		text, o := j.value()
		j.field = true
		b.fieldCount++
		limits := r.o.Limits
		longKey := !refused && end-start > limits.KeyBytes
		c.other = c.other || longKey
		if longKey || b.fieldCount >= limits.Fields || j.p-b.start > limits.BlockBytes || j.over && !before {
			over = true
		}
		if over {
			b.defect("limit_exceeded", b.start)
			return o
		}
		if refused && end-start > 6*limits.KeyBytes { // J17
			return o
		}
		c.written = append(c.written, Argument{Name: key, Text: text})
		pending = &Argument{Name: key, Text: text, JSON: true}
		closed = o == whole
		b.valueOpen = b.valueOpen && !closed
		return o
	}, func() { closed = false; list() })
	if o == broken || closed { // T12: a value that its own last byte closes counts
		list()
	}
	return o
}

// hermesRequests makes the requests of one block: one for each object. What is wrong with one is
// wrong with all. An object that begins after the end of the block is not part of it (J2).
func (r *reader) hermesRequests(b *block, status string) []Request {
	sortRepairs(b.repairs)
	b.calls = slices.DeleteFunc(b.calls, func(c *call) bool { return c.start >= b.end })
	b.repairs = slices.DeleteFunc(b.repairs, func(x Repair) bool { return x.Span.End > b.end })
	found := map[string]bool{}
	for _, d := range b.defects {
		found[d.code] = true
	}
	for _, c := range b.calls {
		for code := range c.codes {
			found[code] = true
		}
		found["missing_tool_name"] = found["missing_tool_name"] || c.name == "" // J14
		found["bare_value"] = found["bare_value"] || c.noObject
		found["duplicate_key"] = found["duplicate_key"] || c.repeated
	}
	for _, p := range b.repairs {
		if !r.o.allows(p.Name) {
			found["repair_refused"] = true
		}
	}
	if len(b.calls) == 0 {
		b.calls = []*call{{}}
	}
	var list []Request
	for _, c := range b.calls {
		q := Request{Span: Span{b.start, b.end}, ToolName: c.name, Label: c.label, Arguments: c.arguments, Repairs: b.repairs}
		r.settle(&q, b, found, status)
		list = append(list, q)
	}
	return list
}
