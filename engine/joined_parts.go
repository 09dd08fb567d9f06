package engine

import (
	"slices"
	"strings"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// joinParts checks a reply that the model continued after each of parts. A continuation must
// complete the truncated block or write all of the block again. Otherwise neither the block nor any
// request after it runs, because the model may have meant something else. err is the error of the
// requests after the block.
func (it *Iteration) joinParts(parts []*truncatedBlock, err *scan.RequestError) {
	for _, part := range parts {
		list := it.Reply.Requests
		start := part.requests[0].Span.Start
		from := slices.IndexFunc(list, func(q parser.Request) bool { return q.Span.Start >= start })
		if from < 0 {
			continue
		}
		to := from
		for to < len(list) && list[to].Span.Start == start {
			to++
		}
		if now := list[from:to]; !part.completed(now, it.Raw) {
			markIncomplete(now, nil)
			it.settleRewritten(part, from, to, err)
		}
	}
}

// completed reports whether a continued block is whole and contains what was lost. now are the
// requests of the block after the continuation. raw is the whole reply.
func (t *truncatedBlock) completed(now []parser.Request, raw string) bool {
	if len(now) == 0 || now[0].Status != parser.StatusReady || now[0].Truncation != nil {
		return false
	}
	if slices.ContainsFunc(now[0].Repairs, func(r parser.Repair) bool { return r.Name == scan.RepairMissingBlockEnd }) {
		return false // the model has begun something else
	}
	fields, l := now[0].Fields, &t.lost
	if l.end != "" {
		return len(fields) == l.field && strings.HasPrefix(unspaced(raw[t.truncation.At:]), unspaced(l.end))
	}
	if len(fields) <= l.field {
		return false
	}
	f := &fields[l.field]
	brackets := bracketsBefore(raw[t.truncation.At:], f.Start-t.truncation.At)
	if f.Name != l.name || f.Role != l.role || brackets != l.brackets {
		return false
	}
	return l.method == nil ||
		strings.HasPrefix(f.Value, l.prefix) && slices.Contains(l.method.Method.CommandNames(), f.Value)
}

// unspaced returns the text without blanks, line breaks and commas, which may differ between two
// attempts.
func unspaced(text string) string {
	return without(text, func(c rune) bool { return strings.ContainsRune(separators, c) })
}

// settleRewritten handles a continuation that does not complete the truncated block, which is
// it.Reply.Requests[from:to]. Later requests that repeat one before the block are removed. If the
// model wrote all of the block again, the truncated block is removed. Otherwise no request after
// the block runs, and err is the error of these requests.
func (it *Iteration) settleRewritten(part *truncatedBlock, from, to int, err *scan.RequestError) {
	list := it.Reply.Requests
	before, block, after := list[:from:from], list[from:to], list[to:]
	unrepeated := slices.Clone(before)
	var rest []parser.Request
	for _, q := range after {
		same := func(b parser.Request) bool {
			return q.Status == parser.StatusReady && b.Status == q.Status &&
				b.ToolName == q.ToolName && b.Command == q.Command && slices.Equal(b.Arguments, q.Arguments)
		}
		if i := slices.IndexFunc(unrepeated, same); i >= 0 {
			unrepeated = slices.Delete(unrepeated, i, i+1) // each matches one repetition
			it.rewritten = append(it.rewritten, q.Span)
			continue
		}
		rest = append(rest, q)
	}
	if part.rewrittenIn(rest) {
		if len(block) > 0 {
			it.rewritten = append(it.rewritten, block[0].Span)
		}
		block = nil
	} else {
		markIncomplete(rest, err)
	}
	it.Reply.Requests = slices.Concat(before, block, rest)
}

// rewrittenIn reports whether list begins with all requests of the block, written again. A request
// counts as written again if the new one can run, calls the same method, and has every argument of
// the old one, including the truncated argument.
func (t *truncatedBlock) rewrittenIn(list []parser.Request) bool {
	if t.lost.argument == "" && t.lost.end == "" || len(list) < len(t.requests) {
		return false // it is unknown what was lost, or a request is missing
	}
	for i := range t.requests {
		old, written, lost := &t.requests[i], &list[i], ""
		if i == len(t.requests)-1 {
			lost = t.lost.argument
		}
		has := func(name string) bool { // in a batch, the name of the lost argument has a number
			return name == "" || hasArgument(written.Arguments, name) || hasArgument(written.Arguments, unnumbered(name))
		}
		lacks := func(a protocol.Argument) bool { return !has(a.Name) }
		if written.Status != parser.StatusReady || old.ToolName == "" || written.ToolName != old.ToolName ||
			written.Command != old.Command || !has(lost) || slices.ContainsFunc(old.Arguments, lacks) {
			return false
		}
	}
	return true
}
