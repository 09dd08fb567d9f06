package reference

import (
	"strings"
	"unicode"
)

// field is one field of a block.
type field struct {
	key   fieldKey
	keyed bool
	op    mark
	value value
}

// defect is what is wrong at a place of a block.
type defect struct {
	code string
	at   int
}

// block is a request as it stands, before it is judged.
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
	swallowed  bool     // C12: it has run past the end of its surroundings
	bare       bool     // B12
	early      []field  // fields whose value greedy has ended early
	style      string   // of an escaped START (B5)
	calls      []*call  // of the Hermes form
	fieldCount int      // arguments so far
	valueOpen  bool     // no comma or brace has followed the value
	opensAt    int      // where a reasoning tag stands at the start of a line between the fields
	opensName  string   // its name
	hasEnd     bool     // it ends at an END
	names      []string // the reasoning tags that are open at its end
	paired     bool     // it ends with an END as written
	beforeMark bool     // it ends at an END or at a START
}

func (b *block) defect(code string, at int) { b.defects = append(b.defects, defect{code, at}) }

// inValue reports whether p lies in one of the values of the block.
func (b *block) inValue(p int) bool {
	for _, f := range b.fields {
		if f.value.start <= p && p <= f.value.end {
			return true
		}
	}
	return false
}

// noteTag keeps in mind that a reasoning tag stands at p, at the start of a line between the fields.
func (b *block) noteTag(text string, p int) {
	if t, ok := tagAt(text, p); ok && b.opensAt == 0 && !t.closes && isListLead(text[lineStart(text, p):p]) && lineStart(text, p) > b.start {
		b.opensAt, b.opensName = p, t.name
	}
}

func (b *block) has(code string) bool {
	for _, d := range b.defects {
		if d.code == code {
			return true
		}
	}
	return false
}

// block reads the block that START opens, by the rows of section 1. It returns nil if START is text.
func (r *reader) block(m marker) *block {
	if r.hermes {
		return r.hermesBlock(m)
	}
	b := &block{start: m.start, around: r.around(m.start), repairs: m.list(), style: m.style}
	runs := map[int]bool{}
	if !b.around.ends() { // C9: elsewhere backticks mean nothing
		runs = openRuns(r.lineText)
	}
	at := r.doubledStart(b, m)
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

// doubledStart, B8: START twice with nothing but white space between the two is one block.
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
		if third := next.end + len(r.text[next.end:]) - len(strings.TrimLeftFunc(r.text[next.end:], unicode.IsSpace)); third < len(r.text) {
			if m3, ok := r.markerOf(b, third); ok && m3.kind == requestStart {
				return m.end // the row speaks of two; of three the first is text
			}
		}
		b.repairs = append(b.repairs, Repair{"doubled_start", Span{next.start, next.end}})
		b.repairs = append(b.repairs, next.list()...)
		return next.end
	}
}

// markerOf reads the marker at p in a block: in one that begins with an escaped START its own spelling only (B5).
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

// hasField, B7: reports whether an opener stands behind START before anything that takes it from the block; and whether START is text
// whatever its body holds: by C9, in a code span that is closed before the opener, or by the second point of B7.
func (r *reader) hasField(b *block, m marker, at int, runs map[int]bool) (has, text bool) {
	inLine, before := !r.alone(m, at), false
	l := lines{paragraph: true} // what START stands in does not matter
	for p := at; p < len(r.text) && p-at <= 1024; p++ {
		if inLine && p > at && isLineStart(r.text, p) {
			l = l.next(r.text, p, r.openerOrEnd(p, lineEnd(r.text, p)))
			before = before || l.fence != nil
		}
		if t, ok := tagAt(r.text, p); ok && inLine && !t.closes && isBlankText(r.text[lineStart(r.text, p):p]) && lineStart(r.text, p) > at {
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

// markEnd returns where the line of p ends, or the first marker, opener or closer on it begins.
func (r *reader) markEnd(p int) int {
	end := lineEnd(r.text, p)
	for q := p; q < end; q++ {
		m, marker := r.markerAt(q)
		marker = marker && m.kind <= requestEnd
		if r.hermes {
			if marker {
				return q
			}
			continue
		}
		o, opens := openerAt(r.text, q)
		_, closes := closerAt(r.text, q)
		if k, ok := keyBefore(r.text, p, q); opens && ok && o.start == q {
			return k.from
		}
		if marker || opens || closes {
			return q
		}
	}
	return end
}

// alone reports whether START stands alone on its line, with its double (B8), behind which is end.
func (r *reader) alone(m marker, end int) bool {
	before := r.text[lineStart(r.text, m.start):m.start]
	if m.start == r.pos {
		before = r.lineText[strings.LastIndexAny(r.lineText, "\x00")+1:] // behind the last request
	}
	return isBlankWide(strings.TrimPrefix(before, "\ufeff")) && isBlankWide(r.text[end:lineEnd(r.text, end)])
}

// noFields, B7: a START without a field is text, unless its body shows that a request was meant in another form.
func (r *reader) noFields(b *block, at int, runs map[int]bool) *block {
	stop, kind := len(r.text), markerKind(0)
	last := at // where the last closer ends
	for p := at; p < len(r.text) && kind == 0; p++ {
		if next, ok := markerAt(r.text, p); ok && (next.kind == requestStart || next.kind == requestEnd) {
			stop, kind, b.end = p, next.kind, next.end
			if kind == requestEnd {
				b.repairs = append(b.repairs, next.list()...)
			}
		}
	}
	body := r.text[at:stop]
	if !otherForm(body) && !strings.Contains(body, "tool_name") {
		return nil
	}
	b.defect("no_fields", b.start)
	around := b.around
	for p := at; p < stop; p++ {
		if p > at && isLineStart(r.text, p) && around.endsAt(r.text, p) || around.tagEnds(r.text, p) {
			r.endsWithSurroundings(b, last)
			return b
		}
		if c, ok := closerAt(r.text, p); ok {
			b.strays = append(b.strays, c)
			b.defect("stray_closer", p)
			last = c.end
		}
		b.names = around.section
		b.noteTag(r.text, p)
		if next, ok := markerAt(r.text, p); ok && next.kind == resultStart && r.resultInBlock(b, next, last) {
			r.without(b, last, "unclosed_block")
			return b
		}
	}
	if kind != 0 && !r.complete(body) {
		b.defect("ambiguous_value", b.start)
	}
	switch {
	case kind == requestEnd:
		b.ended, b.hasEnd = true, true
		r.spanBehind(b, b.end, runs)
	case kind == requestStart:
		r.without(b, last, "unclosed_block")
	case last > at || b.around.ends() || r.fieldToFollow(last):
		r.endsWithMessage(b, last)
	default:
		b.end, b.cut = len(r.text), true
	}
	return b
}

// otherForm, B7: reports whether a body begins as JSON or as a tag, in a fence or not.
func otherForm(body string) bool {
	body, _ = unfenced(body)
	if isMark(body) {
		return false
	}
	return strings.HasPrefix(body, "{") || len(body) > 1 && body[0] == '<' && isLetter(body[1])
}

// isMark reports whether s begins with an opener.
func isMark(s string) bool {
	_, opens := openerAt(s, 0)
	return opens
}

// withoutClosers takes closers out of a body: they are no text of it.
func withoutClosers(body string) string {
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		if c, ok := closerAt(body, i); ok {
			i = c.end - 1
			continue
		}
		b.WriteByte(body[i])
	}
	return b.String()
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// unfenced takes away the line of a fence that opens the body, and its closing line.
func unfenced(body string) (string, bool) {
	body = strings.TrimFunc(body, unicode.IsSpace)
	f, ok := fenceOpener(body[:lineEnd(body, 0)])
	if !ok {
		return body, false
	}
	body = body[lineEnd(body, 0):]
	last := lineStart(body, len(body))
	if f.closes(body[last:]) {
		body = body[:last]
	}
	return strings.TrimFunc(body, unicode.IsSpace), true
}

// complete, B7: reports whether the brackets or tags of a body are all closed, each by its own, with nothing behind the last. One that
// is in no such form is complete.
func (r *reader) complete(body string) bool {
	body = strings.TrimFunc(withoutClosers(body), unicode.IsSpace)
	for body != "" && strings.ContainsRune("`~", rune(body[0])) { // the line of a fence around it
		body = strings.TrimFunc(body[lineEnd(body, 0):], unicode.IsSpace)
	}
	if strings.HasPrefix(body, "<") {
		return completeTags(body)
	}
	if !strings.HasPrefix(body, "{") && !strings.HasPrefix(body, "[") {
		return true
	}
	var open []byte
	for i := 0; i < len(body); i++ {
		switch c := body[i]; c {
		case '"':
			for i++; i < len(body) && body[i] != '"'; i++ {
				if body[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			open = append(open, c+2) // the bracket that closes it
		case '}', ']':
			if len(open) == 0 || open[len(open)-1] != c {
				return false
			}
			open = open[:len(open)-1]
			if len(open) == 0 {
				isMark := func(c rune) bool { return c == '`' || c == '~' || unicode.IsSpace(c) }
				return strings.TrimFunc(body[i+1:], isMark) == "" // the marks of a fence are no text
			}
		}
	}
	return false
}

func completeTags(body string) bool {
	var open []string
	closed := false
	for i := 0; i < len(body); i++ {
		if body[i] != '<' {
			continue
		}
		n := strings.IndexByte(body[i:], '>')
		if n < 0 {
			return false
		}
		inner := body[i+1 : i+n]
		name := strings.ToLower(strings.TrimPrefix(inner, "/"))
		if end := strings.IndexFunc(name, func(c rune) bool { return unicode.IsSpace(c) || c == '/' }); end >= 0 {
			name = name[:end]
		}
		if name == "" || !isLetter(name[0]) {
			continue
		}
		switch {
		case strings.HasPrefix(inner, "/"):
			if len(open) == 0 || open[len(open)-1] != name {
				return false
			}
			open = open[:len(open)-1]
		case strings.HasSuffix(inner, "/"):
		default:
			open = append(open, name)
		}
		i += n
		if len(open) == 0 {
			closed = true
		}
	}
	return closed && len(open) == 0
}

// fieldsOf reads the fields of a block and what stands between them, up to the place where the block ends.
func (r *reader) fieldsOf(b *block, m marker, at int, runs map[int]bool) {
	around := b.around
	startLine := lineEnd(r.text, m.end)
	last := at // where the last field has ended
	other := otherForm(r.text[at:r.openerOrEnd(at, len(r.text))])
	floor := at
	for p := at; p < len(r.text); p++ {
		if p > at && isLineStart(r.text, p) && p >= floor {
			if around.endsAt(r.text, p) {
				r.endsWithSurroundings(b, last)
				return
			}
		}
		if p >= floor && isLineStart(r.text, p) {
			r.bareValue(b, p)
		}
		if around.tagEnds(r.text, p) || r.loneCloserInBlock(around, at, p) {
			r.endsWithSurroundings(b, last)
			return
		}
		b.names = around.section
		b.noteTag(r.text, p)
		if r.text[p] == '`' && p < startLine {
			n := runAt(r.text, p)
			if runs[n] && len(b.fields) > 0 && !r.tooLong(b) {
				b.around.span = true
				r.endsWithSurroundings(b, last)
				return
			}
			p += n - 1
			continue
		}
		if next, ok := r.markerOf(b, p); ok {
			switch next.kind {
			case requestEnd:
				b.repairs, b.paired = append(b.repairs, next.list()...), next.style == b.style
				r.endsAt(b, next, at, other, runs)
				return
			case requestStart:
				r.endsAtStart(b, last, at, other, next.start, runs)
				return
			case resultStart:
				if r.resultInBlock(b, next, last) {
					r.without(b, last, "unclosed_block")
					return
				}
			}
			p = next.end - 1
			continue
		}
		if c, ok := closerAt(r.text, p); ok {
			b.strays = append(b.strays, c)
			b.defect("stray_closer", p)
			p, last = c.end-1, c.end
			continue
		}
		op, ok := openerAt(r.text, p)
		if !ok {
			continue
		}
		if r.field(b, op, floor, other) {
			return
		}
		f := b.fields[len(b.fields)-1]
		if f.value.swallowed {
			around = surroundings{definition: -1} // they have ended
		}
		p, last, floor = f.value.after-1, f.value.after, f.value.after
	}
	r.endsWithMessage(b, last)
}

// loneCloserInBlock, C3 and C12: a lone closing tag between the fields of a block ends it.
func (r *reader) loneCloserInBlock(around surroundings, at, p int) bool {
	return !around.quote && r.loneCloser(around, p) && !openedBefore(r.text[at:p])
}

// field reads one field. It reports whether the block has ended with it.
func (r *reader) field(b *block, op mark, floor int, other bool) bool {
	f := field{op: op}
	f.key, f.keyed = keyBefore(r.text, floor, op.start)
	if !f.keyed {
		b.defect("bad_key", op.start)
	}
	if len(b.fields) == 0 && other && !r.belongsToOtherForm(b, f) {
		b.defect("no_fields", op.start)
	}
	if !f.key.hidden {
		b.repairs = append(b.repairs, f.key.repairs...)
	}
	if op.variant() && !f.key.hidden {
		b.repairs = append(b.repairs, Repair{"value_variant", Span{op.start, op.end}})
	}
	if op.form == badTagForm && !f.key.hidden {
		b.defect("bad_tag", op.start)
	}
	f.value = r.value(op, b.around)
	v := f.value
	if v.by != nil {
		b.repairs = append(b.repairs, *v.by)
		if v.by.Name != "unclosed_value" {
			b.early = append(b.early, f)
		}
	}
	if v.ambiguous {
		b.defect("ambiguous_value", op.start)
	}
	if v.swallowed {
		b.swallowed = true
		b.defect("ambiguous_value", op.start)
	}
	b.fields = append(b.fields, f)
	if v.blockEnd != nil {
		b.repairs = append(b.repairs, v.blockEnd.list()...)
		b.end, b.ended, b.hasEnd = v.blockEnd.end, true, true
		return true
	}
	if !v.closed {
		b.open, b.cut, b.end = true, true, len(r.text)
		b.defect("unclosed_value", op.start)
		return true
	}
	return false
}

// belongsToOtherForm, B7: reports whether the first field of a body in JSON or in tags is a field of the block: its key stands
// behind a brace, a comma or a line break.
func (r *reader) belongsToOtherForm(b *block, f field) bool {
	if !f.keyed {
		return false
	}
	before := strings.TrimRight(r.text[b.start:f.key.from], " \t　")
	for _, s := range []string{"{", ",", "\n", "\r"} {
		if strings.HasSuffix(before, s) {
			return true
		}
	}
	return false
}

// bareValue, F12: a line that begins with a key and a separator, with something behind it and no opener.
func (r *reader) bareValue(b *block, p int) {
	end := lineEnd(r.text, p)
	for q := p; q < end; q++ {
		if m, ok := markerAt(r.text, q); ok && (m.kind == requestEnd || m.kind == requestStart) {
			end = q
			break
		}
	}
	line := r.text[p:end]
	for q := range line {
		if _, ok := openerAt(line, q); ok {
			return
		}
	}
	rest, ok := bareKey(line)
	if ok && rest != "" && !strings.HasPrefix(rest, "//") {
		b.defect("bare_value", p)
	}
}

// bareKey, F12: takes the key and the separator from a line, and the blanks behind them.
func bareKey(line string) (string, bool) {
	blanks := " \t　"
	line = strings.TrimLeft(line, blanks)
	n := 0
	for n < len(line) && line[n] < 0x80 && isKeyRune(rune(line[n])) {
		n++
	}
	key := line[:n]
	letter := strings.IndexFunc(key, unicode.IsLetter)
	lower := letter >= 0 && unicode.IsLower(rune(key[letter]))
	if key == "" || len(key) > 128 || !beginsKey(rune(key[0])) || !lower && !strings.Contains(key, "_") {
		return "", false
	}
	rest := strings.TrimLeft(line[n:], blanks)
	for _, s := range []string{":", "：", "=", "＝"} {
		if after, ok := strings.CutPrefix(rest, s); ok {
			return strings.TrimLeft(after, blanks), true
		}
	}
	return "", false
}

// endsAt ends a block with its END.
func (r *reader) endsAt(b *block, m marker, at int, other bool, runs map[int]bool) {
	b.end, b.ended, b.beforeMark, b.hasEnd = m.end, true, true, true
	if other && b.has("no_fields") && !r.complete(r.filler(b, at, m.start)) {
		b.defect("ambiguous_value", b.start)
	}
	r.spanBehind(b, m.end, runs)
}

// spanBehind, C9: a code span that is open before START quotes the request if it is closed behind it, on the line. What cannot be
// told within 96 bytes is quoted too.
func (r *reader) spanBehind(b *block, end int, runs map[int]bool) {
	if len(runs) == 0 || r.tooLong(b) {
		return
	}
	b.around.span = closingRun(r.textBehind(end, r.lineText+"\x00"), runs) >= 0 || lineEnd(r.text, end)-end >= 96
	for n := range runs {
		b.around.span = b.around.span || n >= 64
	}
}

// filler, B7: returns the body of a block without its fields, which are no text of it.
func (r *reader) filler(b *block, at, end int) string {
	var s strings.Builder
	for _, f := range b.fields {
		from := f.op.start
		if f.keyed {
			from = f.key.from
		}
		s.WriteString(r.text[at:from])
		at = f.value.after
	}
	s.WriteString(r.text[at:end])
	return s.String()
}

// endsAtStart, B11: a START outside a value ends the block before it.
func (r *reader) endsAtStart(b *block, last, at int, other bool, start int, runs map[int]bool) {
	r.spanBehind(b, last, runs)
	if other && b.has("no_fields") && !r.complete(r.filler(b, at, start)) {
		b.defect("ambiguous_value", b.start)
	}
	b.beforeMark = true
	if r.o.allows("missing_block_end") && r.o.Level == Greedy && !b.refused() {
		r.without(b, last, "")
		b.ended = true
		b.repairs = append(b.repairs, Repair{"missing_block_end", Span{last, last}})
		return
	}
	r.without(b, last, "unclosed_block")
}

// endsWithSurroundings, C12: a block ends with its surroundings, and B9 does not complete it.
func (r *reader) endsWithSurroundings(b *block, last int) { r.without(b, last, "unclosed_block") }

// endsWithMessage, B9 and B10: there is no END up to the message's end.
func (r *reader) endsWithMessage(b *block, last int) {
	holdsEnd := false
	for _, f := range b.fields {
		holdsEnd = holdsEnd || f.value.holdsEnd
	}
	b.cut = true
	if b.around.ends() || b.around.span || holdsEnd || r.fieldToFollow(last) {
		r.without(b, last, "unclosed_block")
		return
	}
	if !r.o.Stop {
		r.without(b, last, "unclosed_block")
		return
	}
	bare := b.has("bare_value") // B9: one behind the last closer counts here only
	r.without(b, last, "")
	if bare {
		b.defect("bare_value", last)
	}
	b.ended = true
	if !b.refused() {
		b.repairs = append(b.repairs, Repair{"missing_block_end", Span{last, last}})
	}
}

// refused reports whether a block is refused whatever its end is: it lists no missing_block_end.
func (b *block) refused() bool {
	return b.has("ambiguous_value") || b.has("bad_tag") || b.has("bad_key") || b.has("stray_closer") || b.has("no_fields") || b.has("bare_value")
}

// fieldToFollow, B9: reports whether the last line is a key and a separator, and nothing more.
func (r *reader) fieldToFollow(last int) bool {
	tail := strings.TrimRightFunc(r.text[last:], unicode.IsSpace)
	rest, key := bareKey(tail[strings.LastIndexAny(tail, "\r\n")+1:])
	return key && rest == ""
}

// without ends a block that has no END at its last closer. What stands behind it is read afresh, so it is no part of the block.
func (r *reader) without(b *block, last int, code string) {
	b.end = last
	var defects []defect
	for _, d := range b.defects {
		if d.at < last {
			defects = append(defects, d)
		}
	}
	b.defects = defects
	var strays []mark
	for _, c := range b.strays {
		if c.start < last {
			strays = append(strays, c)
		}
	}
	b.strays = strays
	if code != "" {
		b.defect(code, last)
	}
}

// tooLong, B15 and C9: reports whether one of the values of a block ends past the limit of its size.
func (r *reader) tooLong(b *block) bool {
	for _, f := range b.fields {
		if f.value.after-b.start > r.o.Limits.BlockBytes {
			return true
		}
	}
	return false
}
