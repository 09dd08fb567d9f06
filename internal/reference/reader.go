package reference

import (
	"maps"
	"strings"
)

// reader reads one reply from its start to its end.
type reader struct {
	text   string
	o      Options
	hermes bool // the form is that of docs/hermes.md

	pos      int    // how far the text is read
	l        lines  // Markdown, as it stands on the line of pos
	was      lines  // the same of the line before
	lineAt   int    // where that line begins
	infoLine bool   // the line opens a fence
	mark     bool   // the line opens or closes a fence
	lineText string // what stands on the line before pos, as skip says
	joined   string // the same, with what stands before the requests on the line, if they begin on another

	section    *section // the open reasoning section
	definition int      // where the END of the open definition begins, -1 outside of one
	lone       bool     // C3 has been applied
	dropping   bool     // B14: what is read is dropped text

	blocks   []*block
	sections []section
	dropped  []Span
	notices  []Notice
	closers  []evidence // V15
	ends     []evidence // V15: ENDs that belong to no block
	openers  map[mark]int
	seen     bool // B12: a marker, an opener or a closer stands earlier in the text
	peeks    map[peeked]*block

	fenceEnds map[*fence]int // where the closing lines of fences begin
	takenBack map[int]bool   // C3: the starts of blocks that stood where they could run
	wasReady  map[int]bool   // C3: of these, those that were to run
}

// section is a reasoning section.
type section struct {
	start, end   int    // with its tags
	from, to     int    // without them
	parts        []Span // C3: what it is made of, in place of from and to
	names        []string
	reclassified bool // C3
}

// evidence is a mark in text that may cast doubt on the blocks before it (V15).
type evidence struct {
	at, end  int
	family   family
	code     bool
	fence    *fence
	matched  bool // an opener before it excuses it
	harmless bool // of an END: it stands directly behind a request (T7)
	between  bool // of an END: something stands between the last block and it
}

// Read reads a reply in the form of docs/dialect.md.
func Read(text string, o Options) Reply {
	o.Limits = o.Limits.withDefaults()
	r := newReader(text, o)
	r.read()
	return r.reply()
}

func newReader(text string, o Options) *reader {
	return &reader{text: text, o: o, definition: -1, lineAt: -1, openers: map[mark]int{}, peeks: map[peeked]*block{}, fenceEnds: map[*fence]int{}, takenBack: map[int]bool{}, wasReady: map[int]bool{}}
}

func (r *reader) read() {
	if strings.HasPrefix(r.text, "\ufeff") {
		r.pos = len("\ufeff")
	}
	for r.pos < len(r.text) {
		if isLineStart(r.text, r.pos) {
			r.newLine()
		}
		switch {
		case r.section != nil:
			r.inSection()
		default:
			r.inText()
		}
	}
	r.closeSection(len(r.text), len(r.text))
}

// markerAt reads the marker that begins at p.
func (r *reader) markerAt(p int) (marker, bool) {
	if r.hermes {
		return hermesMarkerAt(r.text, p)
	}
	return markerAt(r.text, p)
}

// newLine takes in the line that begins here.
func (r *reader) newLine() {
	r.noFence()
	r.lineAt, r.lineText, r.joined = r.pos, "", ""
	r.infoLine, r.mark = false, false
	if r.section != nil {
		return // C1: fences are not tracked
	}
	before := r.l.fence
	r.was = r.l
	r.l = r.was.next(r.text, r.pos, lineEnd(r.text, r.pos))
	if p := r.pos + len(r.text[r.pos:r.markEnd(r.pos)]); r.o.Departures && r.was.fence == nil && r.l.fence == nil && p < len(r.text) {
		_, ok := r.markerAt(p)
		if ok && !isBlankText(r.text[r.pos:p]) && isListLead(r.text[r.pos:p]) {
			r.l = r.was.next(r.text, r.pos, p) // DEPARTURE: for the parser a list item that begins with a marker is empty
			r.l.fence, r.l.paragraph = nil, true
		}
	}
	r.infoOfRequest(r.was)
	r.infoLine = r.l.fence != nil && r.l.fence != before
	if before != nil && r.l.fence != before {
		r.fenceEnds[before] = r.pos
	}
	if r.infoLine && r.o.Departures { // DEPARTURE: for the parser the info string ends at a marker, a field or a closer
		if cut := r.was.next(r.text, r.pos, r.markEnd(r.pos)); cut.fence != nil {
			r.l.fence.info = cut.fence.info
		}
	}
	r.mark = r.infoLine || before != nil && r.l.fence == nil && r.l.closed
}

// infoOfRequest, C5: a request on a line that opens a fence, up to where the request begins, is quoted. Backticks of the request
// are none of the info string's, but those behind it are.
func (r *reader) infoOfRequest(was lines) {
	if was.fence != nil || r.l.fence != nil {
		return
	}
	end := lineEnd(r.text, r.pos)
	for p := r.pos; p < end; p++ {
		m, ok := r.markerAt(p)
		if !ok || m.kind != requestStart {
			continue
		}
		if opened := was.next(r.text, r.pos, p); opened.fence != nil {
			opened.fence.body = skipLineBreak(r.text, end)
			r.l = opened
		}
		return
	}
}

// noFence, C5: takes back the fence of a line that, behind its request, turns out to open none.
func (r *reader) noFence() {
	if r.infoLine && r.was.next(r.lineText, 0, len(r.lineText)).fence == nil {
		r.l.fence = nil
	}
}

// skip goes on at p, behind something that is no text: a request, for which a NUL stands on the line, or a tag or reasoning, for which
// a 0x01 does.
func (r *reader) skip(p int, mark string) {
	if lineStart(r.text, p) > r.lineAt {
		r.lineAt = lineStart(r.text, p)
		r.lineText = ""
		r.infoLine, r.mark = false, false
		if n := len(r.blocks); r.o.Departures && n > 0 && r.blocks[n-1].end == p && r.blocks[n-1].around.quote && r.blocks[n-1].inValue(r.lineAt) {
			r.lineText = ">" // DEPARTURE: for the parser a line that begins in a value is the one before it
		}
	}
	r.lineText += mark
	r.joined += mark
	r.pos = p
}

// pass reads n bytes as text.
func (r *reader) pass(n int) {
	s := r.text[r.pos : r.pos+n]
	r.lineText += s
	r.joined += s
	r.pos += n
}

// around returns what a block that begins at p begins in.
func (r *reader) around(p int) surroundings {
	s := surroundings{definition: r.definition, departs: r.o.Departures}
	if r.section != nil {
		s.section = r.section.names
		return s
	}
	s.fence, s.infoLine = r.l.fence, r.infoLine
	s.quote = quoteLine(r.lineText)
	if r.hermes {
		s.quote = quoteLine(r.text[lineStart(r.text, p):p])
		if n := len(r.blocks); n > 0 && lineStart(r.text, p) < r.blocks[n-1].end {
			s.quote = r.blocks[n-1].around.quote // the line begins in the request before it
		}
	}
	return s
}

// inCode reports whether the place is code: a fence, its two lines, or a code span.
func (r *reader) inCode() bool {
	if r.section != nil {
		return false
	}
	return r.l.fence != nil || r.mark || r.inSpan()
}

// inSpan, C9: reports whether the place is in a code span that ends on its line.
func (r *reader) inSpan() bool {
	runs := openRuns(r.lineText)
	return len(runs) > 0 && closingRun(r.textBehind(r.pos, r.lineText), runs) >= 0
}

// inQuote, C10: reports whether the line is one of a blockquote.
func (r *reader) inQuote() bool { return quoteLine(r.lineText) }

// textBehind returns the text from p to the end of its line, less the requests in it: backticks in values never pair. before is
// what stands before p on the line.
func (r *reader) textBehind(p int, before string) string {
	end := lineEnd(r.text, p)
	var b strings.Builder
	for p < end {
		if m, ok := r.markerAt(p); ok && m.kind == requestStart {
			if block := r.peek(m, before+b.String()); block != nil {
				b.WriteByte(0)
				p = block.end
				continue
			}
		}
		b.WriteByte(r.text[p])
		p++
	}
	return b.String()
}

// peeked is a START that was looked at, and what stands before it on its line.
type peeked struct {
	at     int
	before string
}

// peek reads the block that START opens without going there.
func (r *reader) peek(m marker, before string) *block {
	key := peeked{m.start, before}
	if b, ok := r.peeks[key]; ok {
		return b
	}
	c := *r
	c.pos, c.lineText = m.start, before
	b := c.block(m)
	r.peeks[key] = b
	return b
}

// inSection, C1 and C2: reads on in a reasoning section.
func (r *reader) inSection() {
	if t, ok := tagAt(r.text, r.pos); ok {
		around := surroundings{section: r.section.names, definition: -1}
		ends := around.tagEnds(r.text, r.pos)
		r.section.names = around.section
		if ends {
			r.closeSection(r.pos, t.end)
			r.skip(t.end, "\x01")
			return
		}
		r.pass(t.end - r.pos)
		return
	}
	if m, ok := r.markerAt(r.pos); ok {
		if m.kind == definitionStart || m.kind == definitionEnd {
			r.definitionMark(m)
			return
		}
		if m.kind == requestStart && r.request(m) {
			return
		}
		if m.kind == requestEnd && r.hermes { // T7: text includes reasoning
			r.ends = append(r.ends, evidence{at: m.start, end: m.end, harmless: r.harmlessEnd(m)})
		}
		r.seen = true
		r.pass(m.end - m.start)
		return
	}
	if r.hermes {
		r.pass(1)
		return
	}
	if r.escapedMarker() {
		return
	}
	if c, ok := closerAt(r.text, r.pos); ok { // V15: text includes reasoning
		r.closer(c)
		return
	}
	if o, ok := openerAt(r.text, r.pos); ok {
		r.openers[o.excuse()]++
		r.pass(len(firstRune(r.text[o.start:])))
		return
	}
	r.pass(1)
}

func (r *reader) closeSection(to, end int) {
	if r.section == nil {
		return
	}
	r.section.to, r.section.end = to, end
	r.sections = append(r.sections, *r.section)
	r.section = nil
}

// inText reads on outside of reasoning.
func (r *reader) inText() {
	if t, ok := tagAt(r.text, r.pos); ok && !r.dropping {
		if r.reasoningTag(t) {
			return
		}
	}
	if m, ok := r.markerAt(r.pos); ok {
		r.marker(m)
		return
	}
	if r.hermes {
		r.bareObject()
		r.pass(1)
		return
	}
	if r.escapedMarker() {
		return
	}
	if c, ok := closerAt(r.text, r.pos); ok {
		r.closer(c)
		return
	}
	if o, ok := openerAt(r.text, r.pos); ok {
		r.opener(o)
		return
	}
	r.pass(1)
}

// escapedMarker, B5: reads an escaped marker, and reports whether one stands here.
func (r *reader) escapedMarker() bool {
	m, ok := escapedMarkerAt(r.text, r.pos)
	if ok {
		if m.kind == requestStart && r.o.allows("marker_escaped") && r.alone(m, m.end) && r.request(m) {
			return true
		}
		r.seen = true
		r.pass(m.end - m.start)
	}
	return ok
}

// reasoningTag, C1, C3 and C4: reads a tag outside of a section, and reports whether it was more than text.
func (r *reader) reasoningTag(t tag) bool {
	if r.l.fence != nil || r.mark {
		return false
	}
	if !t.closes {
		if !isListLead(r.text[r.lineAt:r.pos]) || strings.ContainsAny(r.lineText, "\x00\x01") {
			return false
		}
		r.section = &section{start: r.pos, from: t.end, names: []string{t.name}}
		r.skip(t.end, "\x01")
		return true
	}
	if !r.loneCloser(r.around(r.pos), r.pos) || r.inSpan() {
		return false
	}
	r.lone = true
	r.reclassify(t)
	r.skip(t.end, "\x01")
	return true
}

// isListLead, C1: reports whether s is nothing but blanks and the marks of list items.
func isListLead(s string) bool {
	for s != "" {
		if rest := strings.TrimLeft(s, " \t"); rest != s {
			s = rest
			continue
		}
		n := listMarker(s, false)
		if n == 0 || n == len(s) {
			return false
		}
		s = s[n:]
	}
	return true
}

// loneCloser, C3: reports whether a closing tag without an opener stands at p that makes all before it reasoning.
func (r *reader) loneCloser(around surroundings, p int) bool {
	t, ok := tagAt(r.text, p)
	if !ok || !t.closes || r.lone || r.dropping || len(around.section) > 0 || around.fence != nil {
		return false
	}
	line := r.text[lineStart(r.text, p):p]
	text := line
	if p == r.pos {
		text = r.joined
	}
	if quoteLine(text) || openedBefore(text) {
		return false
	}
	if isBlankWide(line) {
		return true
	}
	rest := strings.TrimLeft(r.text[t.end:], " \t")
	if len(r.text)-t.end-len(rest) > 64 {
		return false
	}
	if rest == "" || rest[0] == '\n' || rest[0] == '\r' {
		return true
	}
	m, ok := r.markerAt(len(r.text) - len(rest))
	return ok && m.kind == requestStart && r.peek(m, r.text[lineStart(r.text, p):m.start]) != nil
}

// openedBefore, C3: reports whether an opener stands as text on the line before a closer.
func openedBefore(line string) bool {
	open := false
	for i := range line {
		if t, ok := tagAt(line, i); ok {
			open = !t.closes
		}
	}
	return open
}

// reclassify, C3: all before the tag becomes reasoning.
func (r *reader) reclassify(t tag) {
	whole := section{start: 0, end: t.end, reclassified: true}
	from := 0
	for _, s := range r.sections {
		whole.parts = append(whole.parts, Span{from, s.start}, Span{s.from, s.to})
		from = s.end
	}
	whole.parts = append(whole.parts, Span{from, r.pos})
	r.sections = []section{whole}
}

// marker reads a marker that stands in text.
func (r *reader) marker(m marker) {
	switch m.kind {
	case requestStart:
		if r.request(m) {
			return
		}
	case requestEnd:
		e := evidence{at: m.start, code: r.inCode(), fence: r.l.fence, between: r.between(m.start) && !r.inQuote()}
		e.end, e.harmless = m.end, r.harmlessEnd(m)
		r.ends = append(r.ends, e)
	case definitionStart, definitionEnd:
		r.definitionMark(m)
		return
	case resultStart:
		if !r.dropping && !r.inCode() && !r.inSpan() && !r.inQuote() && r.isResult(m, r.joined, r.text[m.end:lineEnd(r.text, m.end)]) {
			r.drop()
			return
		}
	}
	r.seen = true
	r.pass(m.end - m.start)
}

// request reads the request that START opens, and reports whether there is one.
func (r *reader) request(m marker) bool {
	b := r.block(m)
	if b == nil {
		return false
	}
	r.add(b)
	return true
}

// add takes in a block that was read.
func (r *reader) add(b *block) {
	r.openers = map[mark]int{}
	r.seen = r.seen || !b.hasEnd && !b.bare // B12: its START stands there like one in text
	if r.section != nil && b.hasEnd && b.names != nil {
		r.section.names = b.names
	}
	if r.section != nil && b.swallowed { // C12: the section is over with the block
		r.closeSection(b.start, b.start)
	}
	if b.swallowed {
		if r.l.fence != nil {
			r.fenceEnds[r.l.fence] = b.start
		}
		r.l = lines{}
	}
	r.blocks = append(r.blocks, b)
	if r.definition >= 0 && b.end > r.definition {
		r.definition = -1
	}
	r.skip(b.end, "\x00")
	if b.opensAt > 0 && b.opensAt < b.end && r.o.Departures && b.around.quote && b.around.fence == nil && r.section == nil {
		// DEPARTURE: for the parser a reasoning tag between the fields of a quoted request opens a section behind it
		r.section = &section{start: b.end, from: b.end, names: []string{b.opensName}}
	}
}

// definitionMark, B16: what stands between a definition's START and its END is quoted.
func (r *reader) definitionMark(m marker) {
	defer r.pass(m.end - m.start)
	r.seen = true
	if m.kind == definitionEnd {
		r.definition = -1
		return
	}
	if r.definition >= 0 || r.section == nil && (r.inCode() || r.inQuote()) {
		return
	}
	for p := m.end; p < len(r.text); p++ {
		if end, ok := r.markerAt(p); ok && end.kind == definitionEnd {
			r.definition = p
			return
		}
	}
	if !r.o.Stop {
		r.definition = len(r.text)
	}
}

// isResult, B14: reports whether a result's marker stands as one would: its line holds nothing else, or a field follows directly.
// before is what stands before it on its line, with requests as NULs; behind is what stands behind it. Behind a
// request of several lines the line goes on from the one that the request begins on.
func (r *reader) isResult(m marker, before, behind string) bool {
	if r.o.Departures && wideStart(r.text[m.end:lineEnd(r.text, m.end)]) {
		return false // DEPARTURE: for the parser a START that begins with a full-width bracket is text behind a result's marker
	}
	if r.hermes {
		return r.standsAlone(m, before[strings.LastIndexByte(before, 0)+1:], behind)
	}
	for p := range behind { // one that opens no request counts, too
		if next, ok := markerAt(behind, p); ok && next.kind == requestStart && (behind[p] == '<' || !r.o.Departures) {
			behind = behind[:p]
			break
		}
	}
	if isEmphasis(before) && isEmphasis(behind) {
		return true
	}
	for p := m.end; p < len(r.text); p++ {
		if o, ok := openerAt(r.text, p); ok {
			k, ok := keyBefore(r.text, m.end, o.start)
			return ok && isSpaceText(r.text[m.end:k.from])
		}
	}
	return false
}

// wideStart reports whether the first thing in s, behind emphasis, is a START that does not begin with '<'.
func wideStart(s string) bool {
	s = strings.TrimLeft(s, " \t*_")
	if s == "" || s[0] == '<' {
		return false
	}
	m, ok := markerAt(s, 0)
	return ok && m.kind == requestStart
}

// isEmphasis reports whether s holds nothing but blanks, emphasis and requests.
func isEmphasis(s string) bool { return strings.Trim(s, " \t　*_~\x00") == "" }

// resultInBlock, B14: reports whether a made-up result begins between the fields of a block.
func (r *reader) resultInBlock(b *block, m marker, last int) bool {
	if r.dropping || b.around.ends() && !r.o.Departures { // DEPARTURE: for the parser it counts in quotations too
		return false
	}
	before := r.text[max(last, lineStart(r.text, m.start)):m.start]
	if lineStart(r.text, m.start) <= last && !r.o.Departures { // DEPARTURE: for the parser the line begins behind the last field here
		before = r.joined + before
	}
	return r.isResult(m, before, r.text[m.end:lineEnd(r.text, m.end)])
}

// drop, B14: what begins on this line, behind the last request on it, is dropped. It is still examined for V15.
func (r *reader) drop() {
	start := r.lineAt
	if at := strings.LastIndexAny(r.lineText, "\x00\x01"); at >= 0 {
		start = r.pos - len(r.lineText[at+1:])
	}
	r.dropped = append(r.dropped, Span{start, len(r.text)})
	c := *r
	c.dropping, c.section, c.definition = true, nil, -1
	c.blocks, c.openers = nil, maps.Clone(r.openers)
	c.notices = nil
	c.ends = nil
	c.readDropped()
	r.closers = c.closers
	for _, e := range c.ends { // an END that belongs to no dropped block
		r.closers = append(r.closers, evidence{at: e.at, code: e.code, fence: e.fence})
	}
	for _, b := range c.blocks {
		for _, s := range b.strays {
			r.closers = append(r.closers, evidence{at: s.start})
		}
	}
	r.pos = len(r.text)
}

// readDropped reads dropped text. Openers excuse closers in it as in any text: that is how the fields of a result are balanced.
func (r *reader) readDropped() {
	for r.pos < len(r.text) {
		if isLineStart(r.text, r.pos) && r.pos > r.lineAt {
			r.newLine()
		}
		r.inText()
	}
}

// harmlessEnd, T7: reports whether an END stands directly behind a request, or behind another such END.
func (r *reader) harmlessEnd(m marker) bool {
	if !r.hermes || len(r.blocks) == 0 {
		return false
	}
	behind := r.blocks[len(r.blocks)-1].end
	if n := len(r.ends); n > 0 && r.ends[n-1].harmless {
		behind = max(behind, r.ends[n-1].end)
	}
	return strings.Trim(r.text[behind:m.start], " \t\r\n") == ""
}

// closer, V15: reads a closer that stands in text.
func (r *reader) closer(c mark) {
	r.seen = true
	e := evidence{at: c.start, family: c.family, code: r.inCode(), fence: r.l.fence}
	if r.infoLine && lineEnd(r.text, c.end) == len(r.text) {
		e.fence = nil // V15: a fence without lines does not count
	}
	for _, blank := range []bool{false, true} { // V6: 「始」 closes at 「末」 only
		if o := (mark{family: c.family, blank: blank}).excuse(); (blank || !c.blank) && !e.matched && r.openers[o] > 0 {
			r.openers[o]--
			e.matched = true
		}
	}
	r.closers = append(r.closers, e)
	r.pass(c.end - c.start)
}

// opener reads an opener that stands in text: it may excuse a closer (V15), or be that of a bare field (B12).
func (r *reader) opener(o mark) {
	k, keyed := keyBefore(r.text, r.lastEnd(), o.start)
	if keyed && isToolName(k.name) && !r.inCode() && !r.inQuote() && r.definition < 0 && !r.dropping {
		if r.bareFields(k, o) {
			return
		}
		if !k.hidden {
			r.notices = append(r.notices, Notice{"malformed_request", Span{k.start, o.end}})
		}
	}
	r.seen = true
	r.openers[o.excuse()]++
	r.pass(len(firstRune(r.text[o.start:]))) // V16: a mark may begin in an opener
}

// isToolName, F4: reports whether a key is tool_name in some spelling.
func isToolName(name string) bool { return folded(name) == "toolname" }

func folded(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

// lastEnd returns where the last block ends.
func (r *reader) lastEnd() int {
	if n := len(r.blocks); n > 0 {
		return r.blocks[n-1].end
	}
	return 0
}

// between, V15: reports whether something stands between the last block and p.
func (r *reader) between(p int) bool {
	from := r.lastEnd()
	return from < p && !isSpaceText(r.text[from:p])
}

// excuse, V15: what an opener and the closer that it excuses have in common: family and tag.
func (m mark) excuse() mark { return mark{family: m.family, blank: m.blank} }

// bareFields, B12: at greedy fields at line starts are a request if the first is tool_name and no mark stands before them.
func (r *reader) bareFields(k fieldKey, o mark) bool {
	if r.seen || r.section != nil || !r.o.allows("bare_fields") || !isBlankWide(r.text[lineStart(r.text, k.from):k.from]) {
		return false
	}
	b := &block{start: k.from, bare: true, around: surroundings{definition: -1}}
	b.repairs = append(b.repairs, Repair{"bare_fields", Span{k.from, k.from}})
	floor := r.lastEnd()
	for {
		done := r.field(b, o, floor, false)
		f := b.fields[len(b.fields)-1]
		if r.markerIn(f.value.start, f.value.after) {
			return false
		}
		b.end = f.value.after
		if done {
			break
		}
		if len(b.fields) == 2 && f.key.name == "status" {
			return false
		}
		floor = f.value.after
		next, ok := r.nextBareField(floor)
		if !ok {
			break
		}
		o = next
	}
	b.ended = !b.open
	r.pos = k.from
	r.add(b)
	return true
}

// isBlankWide reports whether s is nothing but the blanks of section 2.
func isBlankWide(s string) bool { return strings.Trim(s, " \t　") == "" }

// nextBareField returns the field that follows a bare field, at the start of a line, with only commas and white space between.
func (r *reader) nextBareField(from int) (mark, bool) {
	for p := from; p < len(r.text); p++ {
		o, ok := openerAt(r.text, p)
		if !ok {
			continue
		}
		k, ok := keyBefore(r.text, from, o.start)
		if !ok || lineStart(r.text, k.from) < from {
			return mark{}, false
		}
		between := strings.Map(func(c rune) rune {
			if isOnlyComma(c) {
				return ' '
			}
			return c
		}, r.text[from:k.from])
		return o, isSpaceText(strings.NewReplacer("\u200b", "", "\ufeff", "", "\u2060", "", "\u200c", "", "\u200d", "").Replace(between))
	}
	return mark{}, false
}
