package reference

import "strings"

// reader reads one reply from its start to its end.
type reader struct {
	input

	pos        int    // offset up to which the text was read
	line       lines  // the state of Markdown on the line of pos
	lineBefore lines  // the state on the line before
	lineAt     int    // start of the line of pos
	infoLine   bool   // the line opens a fence
	bareTried  bool   // it was examined whether the reply is nothing but calls (T14)
	fenceLine  bool   // the line opens or closes a fence
	lineText   string // the line up to pos, with a sign for each request and reasoning tag
	joined     string // like lineText; if a request ends on the line, from the line of its start

	section    *section // the open reasoning section
	definition int      // where the END of the open definition begins, or -1 outside of definitions
	// For the Hermes form: definitionAt is the offset of the mark that opened the definition, or of
	// the last END after which it continued. noDefinition has the offsets of marks that open or
	// continue no definition, because no END follows.
	definitionAt int
	noDefinition map[int]bool
	loneSeen     bool // a closing tag of reasoning without its opening tag was found (C3)
	dropping     bool // the text that is being read is dropped (B14)

	blocks   []*block
	sections []section
	dropped  []Span
	notices  []Notice
	closers  []evidence // closers in text (V15)
	ends     []evidence // ENDs in text that belong to no block (V15)
	openers  []mark     // openers in text; a closer that matches one is not stray (V15)
	markSeen bool       // a marker, an opener or a closer is earlier in the text (B12)
	peeks    map[peeked]*block

	fenceEnds      map[*fence]int // where the closing lines of fences begin
	reclassifiedAt int            // C3: where the lone closing tag is
	// For C3, the starts of blocks: wasToRun has those that were to run until the lone closing tag
	// made them reasoning, and wasReady those of them that were ready.
	wasToRun, wasReady map[int]bool
}

// section is a reasoning section.
type section struct {
	start, end   int      // the section with its tags
	from, to     int      // the section without its tags
	parts        []Span   // its parts, in place of from and to, if it is reclassified
	names        []string // the open tags, the outermost first
	reclassified bool     // a lone closing tag made it reasoning (C3)
}

// evidence is a mark in text that may cast doubt on the blocks before it (V15).
type evidence struct {
	at, end  int
	code     bool   // the mark is in code
	fence    *fence // around the mark; nil outside of fenced code
	matched  bool   // an opener before it matches it
	isEnd    bool   // the mark is an END
	harmless bool   // the mark is an END that directly follows a request (T7)
	between  bool   // the mark is an END, and something is between the last block and it
}

// peeked is a START that was examined, and the text before it on its line.
type peeked struct {
	at     int
	before string
}

func newReader(text string, o Options) *reader {
	r := &reader{
		input: input{text: text, o: o}, definition: -1, lineAt: -1,
		peeks: map[peeked]*block{}, fenceEnds: map[*fence]int{},
		wasToRun: map[int]bool{}, wasReady: map[int]bool{},
	}
	if strings.HasPrefix(text, "\ufeff") {
		r.pos = len("\ufeff")
	}
	return r
}

// lastEnd returns where the last block ends, or 0 before the first block.
func (r *reader) lastEnd() int {
	if n := len(r.blocks); n > 0 {
		return r.blocks[n-1].end
	}
	return 0
}

// markerAt reads the marker that begins at p.
func (r *reader) markerAt(p int) (marker, bool) {
	if r.hermes {
		return hermesMarkerAfter(r.text, min(p, r.lastEnd()), p)
	}
	return markerAt(r.text, p)
}

// markerOf reads the marker at p in a block. A block that begins with an escaped START ends only at
// an END in the same style (B5).
func (r *reader) markerOf(b *block, p int) (marker, bool) {
	if p >= len(r.text) {
		return marker{}, false
	}
	if b.style == "" {
		return markerAt(r.text, p)
	}
	m, ok := escapedMarkerAt(r.text, p)
	if !ok {
		return markerAt(r.text, p)
	}
	return m, m.kind == requestEnd && m.style == b.style && r.alone(m, m.end)
}

// alone reports whether the marker m is alone on its line. end is where it ends, or where the
// second START of a doubled START ends (B8).
func (r *reader) alone(m marker, end int) bool {
	before := r.text[lineStart(r.text, m.start):m.start]
	if m.start == r.pos {
		before = afterSign(r.lineText, requestSign) // after the last request
	}
	return isBlankWide(strings.TrimPrefix(before, "\ufeff")) && isBlankWide(r.text[end:lineEnd(r.text, end)])
}

// around returns the surroundings of a block that begins here.
func (r *reader) around() surroundings {
	s := surroundings{definition: r.definition, quoteLine: !r.dropping && quoteLine(r.lineText)}
	if r.section != nil {
		s.section = r.section.names
		return s
	}
	if !r.dropping { // B14: in dropped text nothing is quoted
		s.fence, s.infoLine = r.line.fence, r.infoLine
		s.quote = s.quoteLine
	}
	return s
}

// inQuote reports whether the line is in a blockquote (C10).
func (r *reader) inQuote() bool { return quoteLine(r.lineText) }

// noFence withdraws the fence that the line seemed to open, if the text after the request on the
// line shows that it opens none (C5).
func (r *reader) noFence() {
	if r.infoLine && r.lineBefore.next(r.lineText, 0, len(r.lineText)).fence == nil {
		r.line.fence, r.infoLine, r.fenceLine = nil, false, false
	}
}

// skip continues at p, after something that is not text. In lineText and joined sign stands for it:
// requestSign or tagSign.
func (r *reader) skip(p int, sign string) {
	if lineStart(r.text, p) > r.lineAt {
		r.lineAt = lineStart(r.text, p)
		r.lineText = ""
		r.infoLine, r.fenceLine = false, false
		if n := len(r.blocks); n > 0 {
			if last := r.blocks[n-1]; last.end == p && last.around.quoteLine && !last.pastSurroundings {
				r.lineText = ">" // C10
			}
		}
	}
	r.lineText += sign
	r.joined += sign
	r.pos = p
}

// pass reads n bytes as text.
func (r *reader) pass(n int) {
	s := r.text[r.pos : r.pos+n]
	if r.infoLine && r.line.fence.mark == '`' && strings.HasPrefix(s, "`") && !strings.HasSuffix(r.lineText, "`") &&
		r.lineBefore.next(r.lineText, 0, len(r.lineText)).fence != nil {
		// C5: the info string of a fence of backticks contains no backtick.
		r.line.fence, r.infoLine, r.fenceLine = nil, false, false
	}
	if r.line.fence != nil && strings.ContainsAny(s, "\r\n") {
		r.line.fence.hasLines = true
	}
	r.lineText += s
	r.joined += s
	r.pos += n
}
