package parser

import (
	"cmp"
	"slices"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// report adds the requests of the block to the reply. raw is the text of the block, and end is the
// offset at which it ends.
func (b *block) report(readings []scan.Reading, raw string, end int) {
	d := b.d
	if len(readings) == 0 {
		return
	}
	if n := len(readings); b.code == scan.CodeLimitExceeded && n > d.o.Limits.Blocks {
		// Each request would list all repairs of the block, so only the first request is reported.
		d.countUnread(n-1, b.start, end)
		readings = readings[:1]
	}
	var fields []Field
	if b.truncation != nil || b.resumed {
		fields = b.allFields()
	}
	for i := range readings {
		b.reportOne(&readings[i], fields, raw, end)
	}
}

// reportOne adds one request that was read from the block.
func (b *block) reportOne(r *scan.Reading, fields []Field, raw string, end int) {
	d := b.d
	id := d.nextID()
	n := len(d.requests)
	d.requests = slices.Grow(d.requests, 1)[:n+1]
	q := &d.requests[n]
	*q = pending{placement: b.placement}
	d.anyDefined = d.anyDefined || b.defined
	q.ID, q.ToolRequest, q.RawBlock, q.Span, q.Fields = id, protocol.RequestOf(r), raw, Span{b.start, end}, fields
	q.commandAt = min(max(0, r.CommandAt), len(q.Arguments)+1) // a protocol may set any number
	if b.truncation != nil {
		q.Truncation = &Truncation{b.truncation.At, b.truncation.Argument}
	}
	b.listRepairs(q, r)
	if q.Err = r.Err; q.Err != nil && q.Err.Message == "" {
		q.Err = d.requestError(q.Err.Code)
	}
	if b.code != "" && (r.Err == nil || !r.Err.Code.Before(b.code)) {
		q.Err = d.requestError(b.code)
	}
	if bits := d.repairs.refused(q.repaired); q.Err == nil && bits != 0 {
		q.Err = d.refusal(bits)
	}
	q.readErr = q.Err
	q.castsDoubt = b.ambiguous || r.Err != nil && r.Err.Code == scan.CodeAmbiguousValue
	q.Status = q.ownStatus()
	switch {
	case q.live:
	case q.place == placeReasoning:
		q.Status = StatusReasoning
	default:
		q.Status = StatusQuoted
	}
	if d.mute {
		return
	}
	if !b.started && q.live && q.ToolName != "" {
		d.emit(Event{Kind: EventRequestStarted, RequestID: q.ID, Name: []byte(q.ToolName)})
	}
	done := q.Request
	d.emit(Event{Kind: EventRequestDone, RequestID: q.ID, Request: &done})
}

// listRepairs lists the repairs of a request, in the order of the text.
func (b *block) listRepairs(q *pending, r *scan.Reading) {
	list := b.d.repairs.list
	for _, x := range b.repairs {
		q.repaired |= 1 << x.repair
		q.Repairs = append(q.Repairs, Repair{list[x.repair].Name, Span{x.start, x.end}})
	}
	index := 0 // of the field in the fields that the protocol reads; comments are not among them
	for i := 0; i < len(b.fields) && len(r.Repairs) > 0; i++ {
		f := &b.fields[i]
		if f.role == scan.FieldComment {
			continue
		}
		for _, x := range r.Repairs {
			if x.Field == index {
				q.repaired |= 1 << x.Repair
				q.Repairs = append(q.Repairs, Repair{list[x.Repair].Name, Span{f.nameStart, f.nameEnd}})
			}
		}
		index++
	}
	if len(q.Repairs) > 1 {
		slices.SortFunc(q.Repairs, func(a, b Repair) int {
			return cmp.Or(
				cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End), cmp.Compare(a.Name, b.Name),
			)
		})
	}
}

// allFields returns Request.Fields for the block.
func (b *block) allFields() []Field {
	if b.oversize {
		return nil
	}
	return append(b.listFields(b.fields), b.unclosed...)
}
