package reference

import (
	"slices"
	"strings"
)

// Read reads a reply in the form of docs/dialect.md.
func Read(text string, o Options) Reply {
	o.Limits = o.Limits.withDefaults()
	r := newReader(text, o)
	r.read()
	return r.reply()
}

// ReadHermes reads a reply in the form of docs/hermes.md. Only reading shows whether a definition
// ends. If the last one of a complete reply does not end, its START quotes nothing (B16): the reply
// is read again without that START.
func ReadHermes(text string, o Options) Reply {
	o.Limits = o.Limits.withDefaults()
	noDefinition := map[int]bool{}
	for {
		r := newReader(text, o)
		r.hermes, r.noDefinition = true, noDefinition
		r.read()
		if r.definition < 0 || !o.FinishStop {
			return r.reply()
		}
		noDefinition[r.definitionAt] = true
	}
}

func (r *reader) read() {
	for r.pos < len(r.text) {
		// If a request ended at the start of this line, skip has recorded the line.
		if isLineStart(r.text, r.pos) && r.pos > r.lineAt {
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

// inText reads the next part of the text outside of reasoning.
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

// marker reads a marker that is in text.
func (r *reader) marker(m marker) {
	switch m.kind {
	case requestStart:
		if r.request(m) {
			return
		}
	case requestEnd:
		e := evidence{at: m.start, code: r.inCode(m.end), fence: r.line.fence, between: r.between(m.start) && !r.inQuote()}
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
	r.markSeen = true
	r.pass(m.end - m.start)
}

// drop drops the text from the start of this line to the end of the message (B14). If a request or
// a reasoning tag is on the line, the text before its end stays. The dropped text is still examined
// for V15.
func (r *reader) drop() {
	start := r.lineAt
	if strings.ContainsAny(r.lineText, requestSign+tagSign) {
		start = r.pos - len(afterSign(r.lineText, requestSign+tagSign))
	}
	r.dropped = append(r.dropped, Span{start, len(r.text)})
	c := *r
	c.dropping, c.section, c.definition = true, nil, -1
	c.blocks, c.openers = nil, slices.Clone(r.openers)
	c.notices = nil
	c.ends = nil
	// In the dropped text, too, a closer that an opener matches is not stray. Therefore the fields
	// of a result cast no doubt.
	c.read()
	own := map[int]bool{} // closers of values that a repair has ended early
	for _, e := range c.closers {
		own[e.at] = e.at >= start && c.ownCloser(e.at)
	}
	for _, b := range c.blocks {
		for _, s := range b.strays {
			own[s.start] = c.ownCloser(s.start)
		}
	}
	r.closers = slices.DeleteFunc(slices.Clone(c.closers), func(e evidence) bool { return own[e.at] })
	for _, e := range c.ends { // an END that belongs to no dropped block
		if e.harmless {
			continue
		}
		r.closers = append(r.closers, evidence{at: e.at, isEnd: true, code: e.code, fence: e.fence})
	}
	for _, b := range c.blocks {
		for _, s := range b.strays {
			if !own[s.start] {
				r.closers = append(r.closers, evidence{at: s.start})
			}
		}
	}
	r.pos = len(r.text)
}
