package reference

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// limitBlocks applies the limits of row B15. The blocks past the limit of a message are not stored.
func (r *reader) limitBlocks() {
	for i, b := range r.blocks {
		limits := r.o.Limits
		if i >= limits.Blocks {
			b.fields, b.repairs, b.calls = nil, nil, nil
			b.passLimit()
			continue
		}
		for n, f := range b.fields {
			end := f.value.after
			if !f.value.closed {
				end = len(r.text)
			}
			over := n >= limits.Fields || f.key.end-f.key.start > limits.KeyBytes
			if over || end-b.start > limits.BlockBytes {
				b.fields = b.fields[:n]
				b.passLimit()
			}
			if over {
				b.dropRepairs(min(f.op.start, f.key.from), false)
			}
			if b.unstored {
				break
			}
		}
		if b.ended && b.end-b.start > limits.BlockBytes && !b.unstored {
			b.passLimit()
		}
	}
}

// passLimit records that the block is past a limit.
func (b *block) passLimit() {
	b.defect("limit_exceeded", b.start)
	b.unstored = true
}

// dropRepairs drops the repairs from p on, except for those of END (B15). If keepMissingEnd is set,
// the repair of a missing END stays, too.
func (b *block) dropRepairs(p int, keepMissingEnd bool) {
	b.repairs = slices.DeleteFunc(b.repairs, func(x Repair) bool {
		isEnd := b.hasEnd && x.Span.End == b.end && x.Span.Start < b.end
		return x.Span.Start >= p && !isEnd && !(keepMissingEnd && x.Name == "missing_block_end")
	})
}

// afterAmbiguous gives each block after an ambiguous value an error, if the request with that value
// is in a place where requests run (B17).
func (r *reader) afterAmbiguous(status []string) {
	ambiguous := false
	for i, b := range r.blocks {
		if ambiguous {
			b.defect("after_ambiguous", b.start)
		}
		live := status[i] == "" || status[i] == "reasoning" && r.inRunningPlace(b)
		if b.has("ambiguous_value") && live {
			ambiguous = true
		}
	}
}

// decide gives a request its names, arguments, status and code. placeStatus is the status that the
// request has because of its place, or "" if the place lets it run.
func (r *reader) decide(q *Request, b *block, fields []named, placeStatus string) {
	found := map[string]bool{}
	for _, d := range b.defects {
		found[d.code] = true
	}
	if r.setFields(q, fields) {
		found["duplicate_key"] = true
	}
	if strings.TrimFunc(q.ToolName, unicode.IsSpace) == "" { // F9
		found["missing_tool_name"] = true
	}
	q.Repairs = b.repairs
	for _, repair := range b.repairs {
		if !r.o.allows(repair.Name) {
			found["repair_refused"] = true
		}
	}
	r.settle(q, b, found, placeStatus)
}

// setFields gives a request its names and arguments. It reports whether tool_name occurs twice, or
// another key occurs twice with different values (F7, F8).
func (r *reader) setFields(q *Request, fields []named) bool {
	names, labels, twice := 0, 0, false
	for _, f := range fields {
		switch f.name {
		case "tool_name":
			if names++; names > 1 {
				twice = true
				continue
			}
			q.ToolName = strings.TrimSpace(f.text)
			continue
		case "request_id":
			labels++
			twice = twice || labels > 1 && q.Label != f.text
			q.Label = f.text // the last of several counts
			continue
		}
		last := len(q.Arguments) - 1 // F7: the last argument of this name
		for last >= 0 && q.Arguments[last].Name != f.name {
			last--
		}
		switch {
		case last >= 0 && q.Arguments[last].Text == f.text:
			continue
		case last >= 0:
			twice = true
		case f.name == "command":
			q.Command, f.json = f.text, false
		}
		q.Arguments = append(q.Arguments, Argument{Name: f.name, Text: f.text, JSON: f.json})
	}
	return twice
}

// settle gives a request its status, and the first of the codes in found (section 8). placeStatus
// is as in decide.
func (r *reader) settle(q *Request, b *block, found map[string]bool, placeStatus string) {
	if placeStatus != "" {
		if placeStatus == "reasoning" && r.wasToRun[b.start] {
			// The status before the lone closing tag was read.
			was, foundBefore := *q, maps.Clone(found)
			isStray := func(d defect) bool { return d.code == "stray_closer" && d.at < r.reclassifiedAt }
			foundBefore["stray_closer"] = slices.ContainsFunc(b.defects, isStray)
			r.settle(&was, b, foundBefore, "")
			r.wasReady[b.start] = was.Status == "ready"
		}
		q.Status = placeStatus
		return
	}
	truncated := b.truncated && !b.ended && !r.o.FinishStop
	for _, code := range codes {
		if truncated && code == "unclosed_value" { // more input could remove this error and those after it
			break
		}
		if found[code] {
			q.Status, q.Code = "invalid", code
			return
		}
	}
	q.Status = "ready"
	if truncated {
		q.Status = "incomplete"
	}
}

func sortRepairs(list []Repair) {
	slices.SortStableFunc(list, func(a, b Repair) int {
		bySpan := cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
		return cmp.Or(bySpan, cmp.Compare(a.Name, b.Name))
	})
}
