package reference

import "slices"

// hermesRequests makes the requests of one block: one for each object. An error of one object
// applies to all. An object that begins after the end of the block is not part of it (J2).
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
		q := Request{
			Span: Span{b.start, b.end}, ToolName: c.name, Label: c.label, Arguments: c.arguments, Repairs: b.repairs,
		}
		r.settle(&q, b, found, status)
		list = append(list, q)
	}
	return list
}
