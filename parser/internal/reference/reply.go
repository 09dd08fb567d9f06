package reference

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// reply gives each request its status and builds the reply.
func (r *reader) reply() Reply {
	var out Reply
	r.doubt()
	r.limitBlocks()
	inside := r.insideSections()
	status := make([]string, len(r.blocks)) // the status of each block; "" means not yet decided
	r.reasoningBlocks(inside, status)
	r.quotedBlocks(status)
	r.afterAmbiguous(status)

	var unread []Span
	for i, b := range r.blocks {
		if i > r.o.Limits.Blocks && status[i] == "" { // B15: of the blocks past the limit only the first is reported
			unread = append(unread, Span{b.start, b.end})
			continue
		}
		if b.has("limit_exceeded") && len(b.calls) > r.o.Limits.Blocks { // B15: the first of a list is reported
			b.calls = b.calls[:1]
			b.repairs = slices.DeleteFunc(b.repairs, func(x Repair) bool { return x.Span.Start >= b.calls[0].end })
			unread = append(unread, Span{b.start, b.end})
		}
		out.Requests = append(out.Requests, r.requests(b, status[i])...)
	}
	for i := range out.Requests {
		out.Requests[i].ID = strconv.Itoa(i + 1) // whatever their status
	}
	r.noticesOf(&out, unread)
	r.textOf(&out, unread)
	out.Dropped = r.dropped
	return out
}

// noticesOf adds the notices: malformed_request, unrun_request and unread_requests.
func (r *reader) noticesOf(out *Reply, unread []Span) {
	list := r.notices[:min(len(r.notices), 64)] // B12
	hasOther := false                           // a request is neither quoted nor in reasoning
	for _, q := range out.Requests {
		hasOther = hasOther || q.Status != "quoted" && q.Status != "reasoning"
	}
	for _, q := range out.Requests {
		if !hasOther && (q.Status == "quoted" || q.Status == "reasoning") || q.Status == "reasoning" && r.wasReady[q.Span.Start] {
			list = append(list, Notice{"unrun_request", q.Span})
		}
	}
	if len(unread) > 0 {
		list = append(list, Notice{"unread_requests", Span{unread[0].Start, unread[len(unread)-1].End}})
	}
	slices.SortStableFunc(list, func(a, b Notice) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	out.Notices = list
}

// textOf sets the text and the reasoning of the reply.
func (r *reader) textOf(out *Reply, unread []Span) {
	taken := make([]bool, len(r.text)) // the bytes of requests
	for _, q := range out.Requests {
		switch q.Status {
		case "ready", "invalid", "incomplete":
			fill(taken, q.Span)
		}
	}
	for _, s := range unread {
		fill(taken, s)
	}
	notText := slices.Clone(taken)        // the bytes that are not part of the reply's text
	unstored := make([]bool, len(r.text)) // the bytes of requests that pass a limit
	for _, s := range unread {
		fill(unstored, s)
	}
	for _, b := range r.blocks {
		if b.unstored {
			fill(unstored, Span{b.start, b.end})
		}
	}
	var reasoning []string
	for _, s := range r.sections {
		fill(notText, Span{s.start, s.end})
		if !s.reclassified {
			s.parts = []Span{{s.from, s.to}}
		}
		for _, p := range s.parts {
			part := r.text[p.Start:p.End]
			if s.reclassified {
				part = untaken(r.text, unstored, p)
			}
			if part != "" {
				reasoning = append(reasoning, part)
			}
		}
	}
	for _, s := range r.dropped {
		fill(notText, s)
	}
	out.Text = untaken(r.text, notText, Span{0, len(r.text)})
	out.Reasoning = strings.Join(reasoning, "\n")
}

// fill marks the bytes of a span as taken.
func fill(taken []bool, s Span) {
	for i := s.Start; i < s.End; i++ {
		taken[i] = true
	}
}

// untaken returns the bytes of a span that are not taken.
func untaken(text string, taken []bool, s Span) string {
	var b strings.Builder
	for i := s.Start; i < s.End; i++ {
		if !taken[i] {
			b.WriteByte(text[i])
		}
	}
	return b.String()
}
