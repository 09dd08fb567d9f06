package reference

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// reply judges what was read.
func (r *reader) reply() Reply {
	var out Reply
	r.doubt()
	r.limitBlocks()
	inside := r.insideSections()
	status := make([]string, len(r.blocks)) // of a block; "" for one that is to be judged
	r.reasoningBlocks(inside, status)
	r.quotedBlocks(status)
	r.afterAmbiguous(status)

	var unread []Span
	for i, b := range r.blocks {
		if i > r.o.Limits.Blocks && status[i] == "" {
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
	number(out.Requests)
	r.noticesOf(&out, unread)
	r.textOf(&out, unread)
	out.Dropped = r.dropped
	return out
}

// limitBlocks, B15: the blocks past the limit of a message are not stored.
func (r *reader) limitBlocks() {
	for i, b := range r.blocks {
		limits := r.o.Limits
		if i >= limits.Blocks {
			b.fields, b.repairs, b.calls = nil, nil, nil
			b.defect("limit_exceeded", b.start)
			continue
		}
		for n, f := range b.fields {
			over := n >= limits.Fields || f.key.end-f.key.start > limits.KeyBytes || f.value.closed && f.value.after-b.start > limits.BlockBytes
			if !f.value.closed && len(r.text)-b.start > limits.BlockBytes {
				over = true
			}
			if over {
				b.fields = b.fields[:n]
				b.defect("limit_exceeded", b.start)
				break
			}
		}
		if b.ended && b.end-b.start > limits.BlockBytes && !b.has("limit_exceeded") {
			b.defect("limit_exceeded", b.start)
		}
	}
}

// insideSections returns for each block the reasoning section that it stands in, nil if it stands in none.
func (r *reader) insideSections() []*section {
	inside := make([]*section, len(r.blocks))
	for i, b := range r.blocks {
		for k := range r.sections {
			if s := &r.sections[k]; s.start <= b.start && b.end <= s.end {
				inside[i] = s
			}
		}
	}
	return inside
}

// reasoningBlocks, C1, C3 and the policy for reasoning.
func (r *reader) reasoningBlocks(inside []*section, status []string) {
	for i, b := range r.blocks {
		if inside[i] == nil || b.swallowed && !inside[i].reclassified {
			continue
		}
		if inside[i].reclassified && i >= r.o.Limits.Blocks {
			continue // nothing of it is stored
		}
		if r.o.Reasoning == Run || r.o.Reasoning == RunIfNothingElse && !r.asksOutside(inside) {
			continue
		}
		status[i] = "reasoning"
		r.takenBack[b.start] = inside[i].reclassified && r.o.Reasoning == Skip && !b.around.quoted() && (b.around.fence == nil || r.fenceRuns(b))
	}
}

// asksOutside reports whether the message asks for something outside of reasoning.
func (r *reader) asksOutside(inside []*section) bool {
	for i, b := range r.blocks {
		if inside[i] == nil && (!b.around.quoted() && b.around.fence == nil || r.fenceRuns(b) || b.swallowed) {
			return true
		}
	}
	return false
}

// quotedBlocks, C5, C6, C9, C10 and B16: requests in code, in quotations and in definitions.
func (r *reader) quotedBlocks(status []string) {
	for i, b := range r.blocks {
		if status[i] != "" || b.swallowed {
			continue
		}
		if b.around.quoted() || b.around.fence != nil && !r.fenceRuns(b) {
			status[i] = "quoted"
		}
	}
}

// fenceRuns, C5, C6 and C7: reports whether the policy lets a request in fenced code run.
func (r *reader) fenceRuns(b *block) bool {
	f := b.around.fence
	if f == nil || b.around.quoted() {
		return false
	}
	switch r.o.Quoted {
	case Run:
		return true
	case Auto:
		open, end := r.fenceEnd(f)
		if open && !r.o.Stop {
			return false
		}
		word, _, _ := strings.Cut(f.info, " ")
		if slices.Contains(r.infos(), word) {
			return true
		}
		return r.onlyRequests(f, end)
	}
	return false
}

// infos are the info strings that ask for a request to run (C6).
func (r *reader) infos() []string {
	if r.hermes {
		return []string{"tool_call", "hermes"}
	}
	return []string{"tool_request", "vcp", "VCPToolCall"}
}

// fenceEnd returns where a fence's closing line begins, and whether the fence is still open at the message's end.
func (r *reader) fenceEnd(f *fence) (bool, int) {
	end, ok := r.fenceEnds[f]
	if !ok {
		return true, len(r.text)
	}
	return false, end
}

// onlyRequests, C6: reports whether a fence holds only requests, with only blanks after it, while no request stands outside of it.
func (r *reader) onlyRequests(f *fence, end int) bool {
	p := f.body
	for _, b := range r.blocks {
		if b.around.fence != f || b.around.infoLine {
			return false
		}
		if !isBlankLines(r.text[min(p, b.start):b.start]) {
			return false
		}
		p = b.end
	}
	if p > end || !isBlankLines(r.text[p:end]) {
		return false
	}
	after := r.text[min(lineEnd(r.text, end), len(r.text)):]
	if len(r.dropped) > 0 {
		after = r.text[lineEnd(r.text, end):max(r.dropped[0].Start, lineEnd(r.text, end))]
	}
	return isBlankLines(after)
}

// isBlankLines reports whether s is nothing but blanks and line breaks.
func isBlankLines(s string) bool { return strings.Trim(s, " \t\r\n") == "" }

// afterAmbiguous, B17: no block behind an ambiguous value is run.
func (r *reader) afterAmbiguous(status []string) {
	ambiguous := false
	for i, b := range r.blocks {
		if ambiguous {
			b.defect("after_ambiguous", b.start)
		}
		live := status[i] == "" || status[i] == "reasoning" && r.taken(b)
		if b.has("ambiguous_value") && live {
			ambiguous = true
		}
	}
}

// taken reports whether C3 has taken back a block that stood outside of reasoning.
func (r *reader) taken(b *block) bool {
	return len(b.around.section) == 0 && (!b.around.quoted() || b.swallowed)
}

// doubt, V15: marks that are left over cast doubt on the blocks before them.
func (r *reader) doubt() {
	if r.hermes {
		for _, e := range r.ends { // T7
			if open, _ := r.fenceEnd(e.fence); !e.harmless && (!e.code || e.fence != nil && open && r.o.Stop) {
				r.doubtBefore(e.at)
			}
		}
	}
	valueless := map[*block]bool{}
	for _, b := range r.blocks {
		code := b.code()
		valueless[b] = code == "bare_value" || code == "no_fields"
	}
	for _, e := range r.closers {
		if e.matched || e.code && !r.codeCounts(e) {
			continue
		}
		r.doubtBefore(e.at)
	}
	for _, e := range r.ends {
		if !e.code && e.between && r.valueWithoutMarksBefore(valueless, e.at) {
			r.doubtBefore(e.at)
		}
	}
	var early []field // those of the block, and of the ones before it
	for _, b := range r.blocks {
		for _, c := range b.strays {
			r.doubtBefore(c.start)
		}
		if !b.bare { // B12: bare fields count as text
			early = append(early, b.early...)
		}
		for _, f := range early {
			if first := r.firstCloser(f); b.beforeMark && (first < 0 || first >= b.end) {
				b.defect("ambiguous_value", b.start)
			}
		}
	}
}

// codeCounts, V15: reports whether a closer in code casts doubt: an END without a block follows, or the code is a fence that a
// complete message never closes.
func (r *reader) codeCounts(e evidence) bool {
	for _, end := range r.ends {
		if end.at > e.at {
			return true
		}
	}
	if e.fence == nil {
		return false
	}
	open, _ := r.fenceEnd(e.fence)
	return open && r.o.Stop
}

// valueWithoutMarksBefore, V15: reports whether a block before p is bare_value or no_fields.
func (r *reader) valueWithoutMarksBefore(valueless map[*block]bool, p int) bool {
	for _, b := range r.blocks {
		if b.end <= p && valueless[b] {
			return true
		}
	}
	return false
}

// code returns the first of the codes that are known of a block so far (section 8).
func (b *block) code() string {
	for _, code := range codes {
		if b.has(code) {
			return code
		}
	}
	return ""
}

// doubtBefore makes every block before p a stray_closer. Behind a value that greedy has ended early the closer may be that value's
// own: then that block is an ambiguous_value, and no other is in doubt.
func (r *reader) doubtBefore(p int) {
	for _, b := range r.blocks {
		for _, f := range b.early {
			if b.bare { // B12: bare fields count as text
				continue
			}
			if first := r.firstCloser(f); b.start < p && f.value.after <= p && (first < 0 || first >= p) {
				b.defect("ambiguous_value", b.start)
				return
			}
		}
	}
	for _, b := range r.blocks {
		if b.end <= p {
			b.defect("stray_closer", b.start)
		}
	}
}

// firstCloser returns where the first closer stands that could be that of a value which greedy has ended early, -1 if none does. One in
// another value is none.
func (r *reader) firstCloser(f field) int {
	first := -1
	could := func(at int) {
		if c, ok := f.op.closesAt(r.text, at); ok && at >= f.value.end && (first < 0 || c.start < first) {
			first = at
		}
	}
	for _, b := range r.blocks {
		for _, c := range b.strays {
			could(c.start)
		}
		for _, g := range b.fields {
			if g.value.closed && g.value.by == nil {
				could(g.value.end)
			}
		}
	}
	for _, e := range r.closers {
		could(e.at)
	}
	return first
}

// requests makes the requests of one block: one, or as many as it has numbered commands (section 4).
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
		r.judge(&one, b, fields, status)
		return []Request{one}
	}
	for _, n := range batch { // what is wrong with one is wrong with all
		own := ofBatch(fields, batch, n)
		if one := q; r.duplicates(&one, own) {
			b.defect("duplicate_key", b.start)
		}
	}
	var list []Request
	for _, n := range batch {
		one := q
		r.judge(&one, b, ofBatch(fields, batch, n), status)
		list = append(list, one)
	}
	return list
}

// named is a field as a request lists it.
type named struct {
	name, text string
}

// namedFields lists the fields of a block with their names read: hidden ones, and such as have no key or no end, are left out. F4:
// tool_name and command in other spellings are read, where the exact key is absent.
func (r *reader) namedFields(b *block) []named {
	var list []named
	exact := map[string]bool{}
	for _, f := range b.fields {
		if f.keyed && !f.key.hidden && f.value.closed { // F4: a key without a value is absent
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

// numberedCommands, section 4: returns the numbers of two or more commands, in their order; or the key of a lone one.
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
	slices.SortFunc(batch, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	return batch, ""
}

func trailingDigits(s string) string { return s[len(strings.TrimRight(s, "0123456789")):] }

// ofBatch, section 4: the fields of one request of a batch: its own, without their digits, and the shared ones that it has not got.
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
			list = append(list, named{name: strings.TrimSuffix(f.name, digits), text: f.text})
		case digits != "" && len(digits) < len(f.name) && slices.Contains(batch, digits):
		case !own[f.name]:
			list = append(list, f)
		}
	}
	return list
}

// judge gives a request its names, arguments, status and code.
func (r *reader) judge(q *Request, b *block, fields []named, status string) {
	found := map[string]bool{}
	for _, d := range b.defects {
		found[d.code] = true
	}
	if r.duplicates(q, fields) {
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
	r.settle(q, b, found, status)
}

// duplicates gives a request its names and arguments, and reports whether a key stands twice with different values (F7, F8).
func (r *reader) duplicates(q *Request, fields []named) bool {
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
			q.Label = f.text // of several the last
			continue
		}
		same := func(a Argument) bool { return a.Name == f.name }
		if i := slices.IndexFunc(q.Arguments, same); i >= 0 {
			last := q.Arguments[i]
			for _, a := range q.Arguments { // F7: the one before
				if same(a) {
					last = a
				}
			}
			if last.Text == f.text {
				continue
			}
			twice = true
		} else if f.name == "command" {
			q.Command = f.text
		}
		q.Arguments = append(q.Arguments, Argument{Name: f.name, Text: f.text})
	}
	return twice
}

// settle, section 8: gives a request its status, and the first of its codes.
func (r *reader) settle(q *Request, b *block, found map[string]bool, status string) {
	if status != "" {
		if status == "reasoning" && r.takenBack[b.start] {
			was := *q
			r.settle(&was, b, found, "")
			r.wasReady[b.start] = was.Status == "ready"
		}
		q.Status = status
		return
	}
	cut := b.cut && !b.ended && !r.o.Stop
	for i, code := range codes {
		if cut && i == 3 {
			break
		}
		if found[code] {
			q.Status, q.Code = "invalid", code
			return
		}
	}
	q.Status = "ready"
	if cut {
		q.Status = "incomplete"
	}
}

func sortRepairs(list []Repair) {
	slices.SortStableFunc(list, func(a, b Repair) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End), cmp.Compare(a.Name, b.Name))
	})
}

// noticesOf adds the notices: malformed_request, unrun_request and unread_requests.
func (r *reader) noticesOf(out *Reply, unread []Span) {
	list := r.notices[:min(len(r.notices), 64)]
	asks := false
	for _, q := range out.Requests {
		asks = asks || q.Status != "quoted" && q.Status != "reasoning"
	}
	for _, q := range out.Requests {
		if !asks && (q.Status == "quoted" || q.Status == "reasoning") || q.Status == "reasoning" && r.wasReady[q.Span.Start] {
			list = append(list, Notice{"unrun_request", q.Span})
		}
	}
	if len(unread) > 0 {
		list = append(list, Notice{"unread_requests", Span{unread[0].Start, unread[len(unread)-1].End}})
	}
	slices.SortStableFunc(list, func(a, b Notice) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	out.Notices = list
}

// textOf cuts the text and the reasoning out of the input.
func (r *reader) textOf(out *Reply, unread []Span) {
	taken := make([]bool, len(r.text)) // a request's, or dropped
	for _, q := range out.Requests {
		switch q.Status {
		case "ready", "invalid", "incomplete":
			fill(taken, q.Span)
		}
	}
	for _, s := range unread {
		fill(taken, s)
	}
	visible := slices.Clone(taken)
	unstored := make([]bool, len(r.text))
	for _, s := range unread {
		fill(unstored, s)
	}
	for _, q := range out.Requests {
		if q.Code == "limit_exceeded" {
			fill(unstored, q.Span)
		}
	}
	var reasoning []string
	for _, s := range r.sections {
		fill(visible, Span{s.start, s.end})
		if !s.reclassified {
			s.parts = []Span{{s.from, s.to}}
		}
		for _, p := range s.parts {
			part := r.text[p.Start:p.End]
			if s.reclassified {
				part = rest(r.text, unstored, p)
			}
			if part != "" {
				reasoning = append(reasoning, part)
			}
		}
	}
	for _, s := range r.dropped {
		fill(visible, s)
	}
	out.Text = rest(r.text, visible, Span{0, len(r.text)})
	out.Reasoning = strings.Join(reasoning, "\n")
}

func fill(taken []bool, s Span) {
	for i := s.Start; i < s.End; i++ {
		taken[i] = true
	}
}

// rest returns the bytes of a span that are not taken.
func rest(text string, taken []bool, s Span) string {
	var b strings.Builder
	for i := s.Start; i < s.End; i++ {
		if !taken[i] {
			b.WriteByte(text[i])
		}
	}
	return b.String()
}
