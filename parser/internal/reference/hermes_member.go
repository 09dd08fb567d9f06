package reference

import "strings"

// object reads one call.
func (in *input) object(b *block, c *call, j *jsonReader) outcome {
	seen := map[string]int{}
	return j.members(in.callMember(b, c, j, seen, new(wrapping)), func() { b.valueOpen = false })
}

// wrapping is the state of an object around a call: the call is the value of its key "function"
// (J19).
type wrapping struct {
	bare   bool // the outer object has a name or arguments itself
	open   bool // the value of "function" is being read
	closed bool // the value of "function" was read
}

// callMember returns a function that reads one member of a call, or of the object around it.
func (in *input) callMember(
	b *block, c *call, j *jsonReader, seen map[string]int, w *wrapping,
) func(key string, start, end int) outcome {
	return func(key string, start, end int) outcome {
		known := strings.ToLower(key) // the key with repairs applied, or "" if its value does not count
		c.other = c.other || end-start != len(key) || key != "name" && key != "arguments" || seen[key] > 0
		rest := strings.TrimLeft(j.text[j.p:], " \t\r\n")
		isType := key == "type" && !w.open && strings.HasPrefix(rest, `"function"`) // J18
		switch {
		case isType:
			j.repair("type_member", start, end)
		case key == "function" && !w.open && !w.closed && !w.bare && strings.HasPrefix(rest, "{"): // J19
			j.repair("function_wrapper", start, end)
			c.members = append(c.members, "function")
			w.open = true
			j.space()
			if in.endedBetween(b, j, start) {
				j.lastIsValue = false
				return ended
			}
			j.depth-- // the object around a call does not count as nesting
			defer func() { j.depth++ }()
			o := j.members(in.callMember(b, c, j, seen, w), func() { b.valueOpen = false })
			w.open, w.closed, j.lastIsValue = false, true, false
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
			if !isType {
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
		q := j.text[j.p]
		j.lastIsValue, b.hasValue, b.valueOpen = true, b.hasValue || known != "arguments" || q != '{', false
		// T12: a truncated string of name, id or arguments is open, and so is a truncated number of
		// id.
		mayBeOpen := q == '"' || q == '\'' || known == "id" && (q == '-' || '0' <= q && q <= '9')
		var o outcome
		switch known {
		case "name":
			o = in.nameOf(c, j)
		case "id":
			o = in.labelOf(c, j)
		case "arguments":
			if o = in.argumentsOf(b, c, j, start); !j.lastIsValue {
				return o
			}
		default:
			_, o = j.value()
			mayBeOpen = false
		}
		b.valueOpen = o == truncated && mayBeOpen
		return o
	}
}

// nameOf reads the name of a call, a string (J14).
func (in *input) nameOf(c *call, j *jsonReader) outcome {
	if q := j.text[j.p]; q != '"' && q != '\'' {
		_, o := j.value()
		c.codes["missing_tool_name"] = true
		return o
	}
	written, o := j.str()
	if o == whole {
		c.name, c.named = strings.TrimSpace(meaning(written)), true
	}
	return o
}

// labelOf reads the id of a call, a string or a number (J14).
func (in *input) labelOf(c *call, j *jsonReader) outcome {
	q := j.text[j.p]
	if q == '"' || q == '\'' {
		written, o := j.str()
		if o == whole {
			c.label = meaning(written)
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
