package reference

import "strings"

// reader reads one reply from its start to its end.
type reader struct {
	text   string
	o      Options
	hermes bool // the form is that of docs/hermes.md

	pos      int    // offset up to which the text was read
	l        lines  // the state of Markdown on the line of pos
	was      lines  // the same of the line before
	lineAt   int    // start of that line
	infoLine bool   // the line opens a fence
	started  bool   // T14 has been applied
	mark     bool   // the line opens or closes a fence
	lineText string // the text on the line before pos, as skip writes it
	joined   string // the same, with what comes before the requests on the line, if they begin on another

	section    *section // the open reasoning section
	definition int      // where the END of the open definition begins, -1 outside of one
	lone       bool     // C3 has been applied
	dropping   bool     // B14: the text being read is dropped

	blocks   []*block
	sections []section
	dropped  []Span
	notices  []Notice
	closers  []evidence // V15
	ends     []evidence // V15: ENDs that belong to no block
	openers  []mark     // V15
	seen     bool       // B12: a marker, an opener or a closer is earlier in the text
	peeks    map[peeked]*block

	fenceEnds      map[*fence]int // where the closing lines of fences begin
	reclassifiedAt int            // C3: where the lone closing tag is
	takenBack      map[int]bool   // C3: the starts of blocks that was where they could run
	wasReady       map[int]bool   // C3: of these, those that were to run
}

// Read reads a reply in the form of docs/dialect.md.
func Read(text string, o Options) Reply {
	o.Limits = o.Limits.withDefaults()
	r := newReader(text, o)
	r.read()
	return r.reply()
}

func newReader(text string, o Options) *reader {
	r := &reader{
		text: text, o: o, definition: -1, lineAt: -1,
		peeks: map[peeked]*block{}, fenceEnds: map[*fence]int{},
		takenBack: map[int]bool{}, wasReady: map[int]bool{},
	}
	if strings.HasPrefix(text, "\ufeff") {
		r.pos = len("\ufeff")
	}
	return r
}

func (r *reader) read() {
	for r.pos < len(r.text) {
		if isLineStart(r.text, r.pos) && r.pos > r.lineAt { // a request may end where a line begins
			r.newLine()
		}
		if r.section != nil {
			r.inSection()
		} else {
			r.inText()
		}
	}
	r.closeSection(len(r.text), len(r.text))
}

// inText reads on outside of reasoning.
func (r *reader) inText() {
	if r.hermes && r.bareReply() {
		return
	}
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

// markerAt reads the marker that begins at p.
func (r *reader) markerAt(p int) (marker, bool) {
	if r.hermes {
		return hermesMarkerBehind(r.text, min(p, r.lastEnd()), p)
	}
	return markerAt(r.text, p)
}

// marker reads a marker that is in text.
func (r *reader) marker(m marker) {
	switch m.kind {
	case requestStart:
		if r.request(m) {
			return
		}
	case requestEnd:
		e := evidence{at: m.start, code: r.inCode(m.end), fence: r.l.fence, between: r.between(m.start) && !r.inQuote()}
		e.end, e.harmless = m.end, r.harmlessEnd(m)
		r.ends = append(r.ends, e)
	case definitionStart, definitionEnd:
		r.definitionMark(m)
		return
	case resultStart:
		plain := !r.inCode(m.end) && !r.inQuote()
		if !r.dropping && plain && r.isResult(m, r.joined, r.text[m.end:lineEnd(r.text, m.end)]) {
			r.drop()
			return
		}
	}
	r.seen = true
	r.pass(m.end - m.start)
}

// escapedMarker, B5: reads an escaped marker, and reports whether one is here.
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

// request reads the request that START opens, and reports whether there is one.
func (r *reader) request(m marker) bool {
	r.noFence()
	b := r.block(m)
	if b == nil {
		return false
	}
	r.add(b)
	return true
}

// add records a block that was read.
func (r *reader) add(b *block) {
	if len(b.fields) > 0 || b.hasEnd { // V15: a START alone does not take back what openers excuse
		r.openers = nil
	}
	r.seen = r.seen || !b.hasEnd && !b.bare // B12: its START counts like one in text
	if r.section != nil && b.names != nil {
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
	if b.around.quote && b.around.fence == nil && !b.swallowed {
		r.followQuote(b)
	}
	if b.around.infoLine && strings.ContainsAny(r.text[b.start:b.end], "\r\n") {
		b.around.fence.lines = true
	}
	r.blocks = append(r.blocks, b)
	if r.definition >= 0 && b.end > r.definition { // B16: in a request it quotes what is before it
		if r.definition = r.definitionEndAfter(b.end); b.swallowed && !b.around.ends() {
			r.definition = -1
		}
	}
	r.skip(b.end, "\x00")
}

// followQuote, C12: a block in a blockquote continues in lines that begin and end containers. A
// line within a value is data.
func (r *reader) followQuote(b *block) {
	for p := b.start + 1; p <= b.end && p < len(r.text); p++ {
		if isLineStart(r.text, p) && !b.inField(p) {
			r.was = r.l
			r.l = r.l.next(r.text, p, lineEnd(r.text, p))
		}
	}
}

// skip continues at p, after something that is not text: a request, for which a NUL is on the line,
// or a tag or reasoning, for which a 0x01 does.
func (r *reader) skip(p int, mark string) {
	if lineStart(r.text, p) > r.lineAt {
		r.lineAt = lineStart(r.text, p)
		r.lineText = ""
		r.infoLine, r.mark = false, false
		if n := len(r.blocks); n > 0 && r.blocks[n-1].end == p && r.blocks[n-1].around.quote && !r.blocks[n-1].swallowed {
			r.lineText = ">" // C10
		}
	}
	r.lineText += mark
	r.joined += mark
	r.pos = p
}

// pass reads n bytes as text.
func (r *reader) pass(n int) {
	s := r.text[r.pos : r.pos+n]
	if r.infoLine && r.l.fence.mark == '`' && strings.HasPrefix(s, "`") && r.was.next(r.lineText, 0, len(r.lineText)).fence != nil && !strings.HasSuffix(r.lineText, "`") {
		r.l.fence, r.infoLine, r.mark = nil, false, false // C5: backticks have none in their info string
	}
	if r.l.fence != nil && strings.ContainsAny(s, "\r\n") {
		r.l.fence.lines = true
	}
	r.lineText += s
	r.joined += s
	r.pos += n
}

// lastEnd returns where the last block ends.
func (r *reader) lastEnd() int {
	if n := len(r.blocks); n > 0 {
		return r.blocks[n-1].end
	}
	return 0
}
