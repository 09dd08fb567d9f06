package reference

import (
	"cmp"
	"slices"
	"strings"
)

// requests makes the requests of one block: one, or as many as it has numbered commands (section
// 4). A block with more than 16 numbered commands makes one invalid request.
func (r *reader) requests(b *block, status string) []Request {
	if r.hermes {
		return r.hermesRequests(b, status)
	}
	sortRepairs(b.repairs)
	q := Request{Span: Span{b.start, b.end}}
	fields := r.namedFields(b)
	batch, lone := numberedCommands(fields)
	if lone != "" {
		for i := range fields {
			if fields[i].name == lone {
				fields[i].name = "command"
			}
		}
	}
	if len(batch) > 16 {
		b.defect("limit_exceeded", b.start)
		batch = nil
	}
	if len(batch) == 0 {
		one := q
		r.decide(&one, b, fields, status)
		return []Request{one}
	}
	for _, n := range batch { // a duplicate key of one request is an error of all
		own := ofBatch(fields, batch, n)
		if one := q; r.setFields(&one, own) {
			b.defect("duplicate_key", b.start)
		}
	}
	var list []Request
	for _, n := range batch {
		one := q
		r.decide(&one, b, ofBatch(fields, batch, n), status)
		list = append(list, one)
	}
	return list
}

// namedFields lists the fields of a block with their names. It omits hidden fields and those
// without a key or an end. It reads other spellings of tool_name and command if the exact key is
// absent (F4).
func (r *reader) namedFields(b *block) []named {
	var list []named
	if b.unmarked != nil && len(b.fields) > 0 {
		return slices.Clone(b.unmarked.fields)
	}
	exact := map[string]bool{}
	for _, f := range b.fields {
		if f.keyed && !f.key.hidden && f.value.closed { // F4: a key whose value has no end is absent
			exact[f.key.name] = true
		}
	}
	for _, f := range b.fields {
		if !f.keyed || f.key.hidden {
			continue
		}
		name := f.key.name
		for _, known := range []string{"tool_name", "command"} {
			if name != known && !exact[known] && folded(name) == folded(known) {
				name = known
				if !f.value.closed {
					continue
				}
				b.repairs = append(b.repairs, Repair{"key_case", Span{f.key.start, f.key.end}})
			}
		}
		if f.value.closed {
			list = append(list, named{name: name, text: f.value.text})
		}
	}
	sortRepairs(b.repairs)
	return list
}

// numberedCommands returns the numbers of two or more numbered commands, in order; or, if there is
// only one, its key (section 4).
func numberedCommands(fields []named) (batch []string, lone string) {
	for _, f := range fields {
		digits, ok := strings.CutPrefix(f.name, "command")
		if ok && digits != "" && digits == trailingDigits(f.name) && digits[0] != '0' && !slices.Contains(batch, digits) {
			batch = append(batch, digits)
		}
	}
	if len(batch) == 1 {
		return nil, "command" + batch[0]
	}
	slices.SortFunc(batch, func(a, b string) int { // of numbers without leading zeros the longer one is larger
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	return batch, ""
}

func trailingDigits(s string) string { return s[len(strings.TrimRight(s, "0123456789")):] }

// ofBatch returns the fields of request n of a batch (section 4): its own fields, without their
// digits, and each shared field whose name none of these has.
func ofBatch(fields []named, batch []string, n string) []named {
	var list []named
	own := map[string]bool{}
	for _, f := range fields {
		if digits := trailingDigits(f.name); digits == n && len(digits) < len(f.name) {
			own[strings.TrimSuffix(f.name, digits)] = true
		}
	}
	for _, f := range fields {
		digits := trailingDigits(f.name)
		switch {
		case digits == n && len(digits) < len(f.name):
			list = append(list, named{name: strings.TrimSuffix(f.name, digits), text: f.text, json: f.json})
		case digits != "" && len(digits) < len(f.name) && slices.Contains(batch, digits):
		case !own[f.name]:
			list = append(list, f)
		}
	}
	return list
}
