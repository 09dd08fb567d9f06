package reference

import (
	"slices"
	"strings"
)

// calls reads the objects of a request, and what comes after them.
func (r *reader) calls(b *block, j *jsonReader, fenced fence) {
	list := r.text[j.p] == '['
	if list { // J2
		j.repair("several_calls", j.p, j.p+1)
		j.p++
		b.listed = true
	}
	for {
		c := &call{codes: map[string]bool{}, end: len(r.text)}
		b.calls = append(b.calls, c)
		o := j.space()
		c.start = j.p
		if o == whole && r.text[j.p] != '{' {
			o = broken
		}
		if o == whole {
			if o = r.object(b, c, j); o == broken {
				if end, ok := r.wrongBracket(b, c, j, list, fenced, false); ok {
					b.repairedBracket = true
					r.hermesTail(b, j, end, fenced)
					return
				}
			}
		}
		if o != whole {
			r.hermesStops(b, j, o)
			return
		}
		c.end = j.p
		last := j.p
		if !list {
			j.last = last
		}
		o = j.space()
		if list && o == whole {
			closes := r.text[j.p] == ']'
			if r.text[j.p] == ',' {
				comma := j.p
				j.p++
				if o = j.space(); o == whole && r.text[j.p] == ']' {
					j.repair("trailing_comma", comma, comma+1)
					closes = true
				} else if o == whole && r.text[j.p] == '{' {
					continue
				}
			}
			if closes {
				j.p++
				last = j.p
				r.hermesTail(b, j, last, fenced)
				return
			}
		}
		if list {
			if o == whole && partOfTag(r.text[j.p:]) {
				o = truncated
			} else if o == whole {
				o = broken
			}
			r.hermesStops(b, j, o)
			return
		}
		if o == whole && r.text[j.p] == '{' {
			j.repair("several_calls", j.p, j.p+1)
			continue
		}
		j.p = last
		r.hermesTail(b, j, last, fenced)
		return
	}
}

// refusesQuotes reports whether a string is in single quotes that may not be repaired (J9).
func (in *input) refusesQuotes(j *jsonReader) bool {
	isQuotes := func(p Repair) bool { return p.Name == "single_quotes" && !in.o.allows(p.Name) }
	return slices.ContainsFunc(j.repairs, isQuotes)
}

// hermesTail reads what comes after the last bracket (T5, T6, T8 and J12). last is the end of that
// bracket.
func (r *reader) hermesTail(b *block, j *jsonReader, last int, fenced fence) {
	o := j.space()
	hasMarks := false // the line begins with the marks of a closing line, but does not close the body's fence
	if o == ended {
		j.p += len(r.text[j.p:]) - len(strings.TrimLeft(r.text[j.p:], " \t"))
	}
	if o != truncated && fenced.run > 0 && isLineStart(r.text, lineStart(r.text, j.p)) { // J1: the closing line
		line := r.text[j.p:lineEnd(r.text, j.p)]
		marks := len(line) - len(strings.TrimLeft(line, string(fenced.mark)))
		outer := b.around.fence // around the request; the line closes the body's fence even if it could close outer
		if hasMarks = marks >= 3; hasMarks && (o == whole || outer != nil && outer.quotes == 0) {
			j.p += marks
			last, hasMarks = j.p, false
			o = j.space()
		}
	}
	if o == ended {
		b.defect("unclosed_block", last)
		b.end = last
		if !hasMarks && !isBlankText(r.text[j.p:lineEnd(r.text, j.p)]) { // J12
			b.defect("ambiguous_value", b.start)
		}
		return
	}
	if o == truncated || partOfTag(r.text[j.p:]) {
		b.end, b.truncated = last, true
		switch {
		case b.around.ends():
			b.defect("unclosed_block", last)
		case r.o.FinishStop:
			b.ended = true
			if !b.refused() && !r.refusesQuotes(j) && !slices.ContainsFunc(b.calls, func(c *call) bool { return len(c.codes) > 0 }) {
				b.repairs = append(b.repairs, Repair{"missing_block_end", Span{last, last}})
			}
		}
		return
	}
	m, ok := hermesMarkerAt(r.text, j.p)
	switch {
	case ok && m.kind == requestEnd:
		b.repairs = append(b.repairs, m.list()...)
		b.end, b.ended, b.hasEnd = m.end, true, true
	case ok && m.kind == requestStart && r.opensRequest(j.p):
		b.end, b.ended = last, true
		b.repairs = append(b.repairs, Repair{"missing_block_end", Span{last, last}})
	case ok && m.kind == resultStart && r.isHermesResult(m, r.text[lineStart(r.text, m.start):m.start]):
		b.end = j.p
		b.defect("unclosed_block", last)
	default:
		if len(b.calls) == 1 && !b.repairedBracket && !b.listed {
			if end, ok := r.wrongBracket(b, b.calls[0], j, false, fenced, true); ok {
				b.repairedBracket = true
				j.p = end
				r.hermesTail(b, j, end, fenced)
				return
			}
		}
		b.defect("ambiguous_value", b.start)
		r.breakAt(b, j.p, last, false)
	}
}
