package reference

import (
	"slices"
	"strings"
	"unicode"
)

// defect is what is wrong at a place of a block.
type defect struct {
	code string
	at   int
}

// block is a request as written, before it gets a status.
type block struct {
	start, end int
	around     surroundings
	fields     []field
	defects    []defect
	repairs    []Repair
	strays     []mark   // closers outside of values (V15)
	ended      bool     // by END, or by a repair
	open       bool     // a value is open at the message's end
	cut        bool     // the message ends in it
	swallowed  bool     // C12: it ran past the end of its surroundings
	bare       bool     // B12
	early      []field  // fields whose value greedy has ended early
	style      string   // of an escaped START (B5)
	calls      []*call  // of the Hermes form
	fieldCount int      // arguments so far
	valueOpen  bool     // no comma or brace has followed the value
	hasEnd     bool     // it ends at an END
	names      []string // the reasoning tags that are open at its end
	paired     bool     // it ends with an END as written
	beforeMark bool     // it ends at an END or at a START
	unmarked   *unmarkedBody

	// Of the Hermes form: its members, the backticks that are open before START, whether a member
	// has a value, and whether the backticks are closed before, so that START is text (C9).
	members []Span // with their keys
	runs    map[int]bool
	keyed   bool
	mention bool

	listed, repairedBrace bool // its calls are in a list; J20 or J21 was applied
}

func (b *block) defect(code string, at int) { b.defects = append(b.defects, defect{code, at}) }

// inField reports whether a line that begins at p begins within a field.
func (b *block) inField(p int) bool {
	for _, f := range b.fields {
		from := f.op.start
		if f.keyed {
			from = f.key.from
		}
		if from < p && p < f.value.after || !f.value.closed && from < p {
			return true
		}
	}
	return slices.ContainsFunc(b.members, func(s Span) bool { return s.Start < p && p <= s.End })
}

func (b *block) has(code string) bool {
	for _, d := range b.defects {
		if d.code == code {
			return true
		}
	}
	return false
}

// block reads the block that START opens, by the rows of section 1; nil if START is text.
func (r *reader) block(m marker) *block {
	if r.hermes {
		return r.hermesBlock(m)
	}
	b := &block{start: m.start, around: r.around(), repairs: m.list(), style: m.style}
	runs := map[int]bool{}
	if !b.around.ends() && !r.dropping { // C9: elsewhere backticks mean nothing
		runs = openRuns(r.lineText)
	}
	at := r.doubledStart(b, m)
	if b.unmarked = r.unmarkedBody(b, m, at); b.unmarked != nil {
		r.fieldsOf(b, m, at, runs)
		return b
	}
	has, text := r.hasField(b, m, at, runs)
	if text || !has && m.style != "" {
		return nil
	}
	if !has {
		return r.noFields(b, at, runs)
	}
	r.fieldsOf(b, m, at, runs)
	if b.style != "" && !b.paired {
		return nil
	}
	return b
}

// markerOf reads the marker at p in a block: in one that begins with an escaped START its own
// spelling only (B5).
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

// doubledStart, B8: START twice with only white space between the two is one block.
func (r *reader) doubledStart(b *block, m marker) int {
	p := m.end
	{
		for p < len(r.text) && isSpaceText(firstRune(r.text[p:])) {
			p += len(firstRune(r.text[p:]))
		}
		next, ok := r.markerOf(b, p)
		if !ok || next.kind != requestStart || b.style != "" {
			return m.end
		}
		if third := len(r.text) - len(strings.TrimLeftFunc(r.text[next.end:], unicode.IsSpace)); third < len(r.text) {
			if m3, ok := r.markerOf(b, third); ok && m3.kind == requestStart {
				return m.end // the row is about two; of three the first is text
			}
		}
		b.repairs = append(b.repairs, Repair{"doubled_start", Span{next.start, next.end}})
		b.repairs = append(b.repairs, next.list()...)
		return next.end
	}
}

// alone reports whether START, or a doubled START (B8), is alone on its line. end is its end.
func (r *reader) alone(m marker, end int) bool {
	before := r.text[lineStart(r.text, m.start):m.start]
	if m.start == r.pos {
		before = r.lineText[strings.LastIndexAny(r.lineText, "\x00")+1:] // after the last request
	}
	return isBlankWide(strings.TrimPrefix(before, "\ufeff")) && isBlankWide(r.text[end:lineEnd(r.text, end)])
}

// hasField, B7: reports whether the block has an opener. It also reports whether START is text for
// any body: by C9, in a code span that is closed before the opener, or by the second point of B7.
func (r *reader) hasField(b *block, m marker, at int, runs map[int]bool) (has, text bool) {
	inLine, before := !r.alone(m, at), false
	paragraph := true // neither the surroundings of START nor the lines before matter
	for p := at; p < len(r.text) && p-at <= 1024; p++ {
		if inLine && p > at && isLineStart(r.text, p) {
			end := r.openerOrEnd(p, lineEnd(r.text, p))
			before = before || lines{paragraph: paragraph}.next(r.text, p, end).fence != nil
			paragraph = !isBlankText(r.text[p:end])
		}
		line := lineStart(r.text, p)
		if t, ok := tagAt(r.text, p); ok && inLine && !t.closes && isBlankText(r.text[line:p]) && line > at {
			before = true
		}
		if r.text[p] == '`' && p < lineEnd(r.text, m.end) {
			n := runAt(r.text, p)
			if runs[n] {
				return false, true
			}
			p += n - 1
			continue
		}
		if next, ok := r.markerOf(b, p); ok && (next.kind == requestStart || next.kind == requestEnd) {
			return false, false
		}
		if _, ok := openerAt(r.text, p); ok {
			return !before, before
		}
	}
	return false, false
}

// openerOrEnd returns where the first opener in text[from:to] begins, to if there is none.
func (r *reader) openerOrEnd(from, to int) int {
	for p := from; p < to; p++ {
		if _, ok := openerAt(r.text, p); ok {
			return p
		}
	}
	return to
}
