package reference

import "strings"

// section is a reasoning section.
type section struct {
	start, end   int    // with its tags
	from, to     int    // without them
	parts        []Span // C3: its parts, in place of from and to
	names        []string
	reclassified bool // C3
}

// tag is a reasoning tag.
type tag struct {
	name   string
	closes bool
	end    int
}

// tagAt, C1 and C3: reads a reasoning tag, in any case, with attributes if it opens, up to 63 bytes
// in all.
func tagAt(text string, i int) (tag, bool) {
	rest, ok := strings.CutPrefix(text[i:], "<")
	if !ok {
		return tag{}, false
	}
	rest, closes := strings.CutPrefix(rest, "/")
	for _, name := range []string{"think", "thinking", "reasoning", "reason", "thought"} {
		if len(rest) <= len(name) || !strings.EqualFold(rest[:len(name)], name) {
			continue
		}
		tail := rest[len(name):]
		n := strings.IndexAny(tail, "<>\r\n")
		if n < 0 || tail[n] != '>' || n > 0 && tail[0] != ' ' && tail[0] != '\t' || closes && !isBlankText(tail[:n]) {
			continue
		}
		end := len(text) - len(tail) + n + 1
		if end-i <= 63 {
			return tag{name, closes, end}, true
		}
	}
	return tag{}, false
}

// inSection, C1 and C2: reads the next part of a reasoning section.
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
		if m.kind == requestEnd { // T7 and V15: text includes reasoning
			r.ends = append(r.ends, evidence{at: m.start, end: m.end, harmless: r.harmlessEnd(m), code: !r.hermes})
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
		r.seen = true
		r.openers = append(r.openers, o.excuse())
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

// reasoningTag, C1, C3 and C4: reads a tag outside of a section, and reports whether it was more
// than text.
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
	if !r.loneCloser(r.pos) || r.inSpan(t.end) {
		return false
	}
	r.lone = true
	r.reclassify(t)
	r.skip(t.end, "\x01")
	return true
}
