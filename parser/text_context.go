package parser

import (
	"bytes"

	"github.com/vcpgo/vcp/internal/forms"
	"github.com/vcpgo/vcp/internal/markdown"
	"github.com/vcpgo/vcp/internal/needles"
)

// textContext determines the place of a byte in the text outside of requests. It reads the text
// only when a mark needs that, from the last such byte on.
type textContext struct {
	w *window
	d *draft

	protocol string // its ID
	tags     *needles.Set
	marks    *needles.Set // tags and fences
	line     lineState
	fence    fenceContent

	// Before noTag no reasoning tag begins, and before noFence no fence. noParagraph is the offset up
	// to which paragraphs were searched.
	noTag, noFence, noParagraph int
	// found are fences that nextTag has passed, if toMark is set: then a mark follows, which asks
	// where it stands.
	found  foundFences
	toMark bool
	// breakAt is the offset of the line break of the last line, if it is known; otherwise it is before
	// that line.
	breakAt int
	// foreign are requests in other forms in plain text, at most maxForeign. open is the form of the
	// last one until it ends.
	foreign []foreignRequest
	open    *forms.Form
	// looked is the offset up to which lines were examined.
	looked int
}

// reset makes t ready for a reply in the form of the protocol of that ID. infos are the info
// strings that ask for requests in code to run.
func (t *textContext) reset(protocol string, infos []string) {
	*t = textContext{
		w: t.w, d: t.d, protocol: protocol, tags: tagNeedles.For(protocol), marks: markNeedles.For(protocol), breakAt: -1,
		line: lineState{prefix: true, first: true, bare: true, infos: infos},
	}
}

// standing returns the standing of a block that begins here.
func (t *textContext) standing() standing {
	f := &t.line
	s := standing{place: f.place(), fence: t.fence.number, asked: f.fence.Run > 0 && f.fence.runs, defined: f.definition}
	s.barred = s.place == placeFence && (f.quote || f.candidate)
	s.live = t.d.runsAt(s.place) && !s.defined && !s.barred
	return s
}

// follow advances the line state to the offset to. The text continues up to the offset limit, and
// after says what follows there. The line at to is begun, unless it is empty and nothing follows.
// follow returns false if more input could change what that line is. If a reasoning section opens
// at to, it returns the length of its tag.
func (t *textContext) follow(to, limit int, after next) (tagLen int, ok bool) {
	f := &t.line
	if f.at == 0 && to > 0 && !t.passByteOrderMark(limit, after) {
		return 0, false
	}
	for f.at < to || f.prefix && (to < limit || after != nextUnknown && after != nextEOF) {
		if f.prefix {
			t.skipLines(to)
			tagAt, tagLen, ok := t.beginLine(limit, after)
			if !ok {
				return 0, false
			}
			if tagLen > 0 {
				f.at += tagAt
				return tagLen, true
			}
			continue
		}
		b := t.w.bytes(f.at, to)
		end := t.breakAt - f.at
		if end < 0 || end >= len(b) {
			end = lineEnd(b)
		}
		if end >= 0 && b[end] == '\r' && end+1 == len(b) && to == limit && after == nextUnknown {
			if end > 0 { // a line feed may follow
				t.pass(end)
			}
			return 0, false
		}
		if end < 0 {
			t.pass(len(b))
			continue
		}
		n := end + 1
		if b[end] == '\r' && n < len(b) && b[n] == '\n' {
			n++
		}
		t.pass(n)
		f.endLine()
		f.ticksAt, f.lineAt = f.at, f.at
	}
	return 0, true
}

// pass advances the line state by n bytes of the current line, with or without its line break.
func (t *textContext) pass(n int) {
	f := &t.line
	b := t.w.bytes(f.at, f.at+n)
	t.w.examined += n
	if f.candidate {
		end := n
		for end > 0 && isBreak(b[end-1]) {
			end--
		}
		t.checkInfo(f.at + end)
	}
	f.bare = f.bare && isEmphasis(b)
	f.first = f.first && onlySpace(b)
	if !t.d.dropping {
		t.fence.text(f, b)
	}
	f.at += n
}

// byteOrderMark may begin a message. Its first line begins after it.
const byteOrderMark = "\ufeff"

// passByteOrderMark skips a byte order mark at the start of the message, whose text is available up
// to the offset limit. It returns false if more input is needed.
func (t *textContext) passByteOrderMark(limit int, after next) bool {
	b := t.w.bytes(0, min(limit, len(byteOrderMark)))
	switch {
	case string(b) != byteOrderMark[:len(b)]:
	case len(b) == len(byteOrderMark):
		t.line.at = len(b)
	default:
		return after != nextUnknown
	}
	return true
}

// beginLine decides what the line at the line state is, as lineState.beginLine does.
func (t *textContext) beginLine(limit int, after next) (tagAt, tagLen int, ok bool) {
	f := &t.line
	if t.d.dropping {
		f.prefix = false
		return 0, 0, true
	}
	b := t.w.bytes(f.at, min(limit, f.at+maxLinePrefix+1))
	end := lineEnd(b)
	if end >= 0 {
		t.breakAt = f.at + end
		b = b[:end]
	}
	t.w.examined += len(b)
	b = b[:min(len(b), maxLinePrefix)] // what arrives later must not matter
	tagAt, tagLen, ok = f.beginLine(b, end >= 0 || after != nextUnknown, end >= 0 || after == nextEOF, after)
	if ok && f.candidate {
		f.infoAt = f.at + len(b)
		t.fence = fenceContent{number: t.fence.number + 1}
	}
	return tagAt, tagLen, ok
}

// checkInfo searches the info string of a line that may open fenced code for a backtick, which it
// must not contain, up to the offset limit.
func (t *textContext) checkInfo(limit int) {
	f := &t.line
	if !f.candidate || f.opening.Mark != '`' || limit <= f.infoAt {
		return
	}
	t.w.examined += limit - f.infoAt
	f.candidate = bytes.IndexByte(t.w.bytes(f.infoAt, limit), '`') < 0
	f.infoAt = limit
}

// countTicks counts the backticks of the line up to the offset limit.
func (t *textContext) countTicks(limit int) {
	f := &t.line
	f.ticksAt = max(f.ticksAt, t.w.base)
	if f.ticksAt < limit {
		t.w.examined += limit - f.ticksAt
		f.ticks.read(t.w.bytes(f.ticksAt, limit))
		f.ticksAt = limit
	}
}

// ticksClosed reports whether no code span is open before the offset at.
func (t *textContext) ticksClosed(at int) bool {
	t.countTicks(at)
	ticks := t.line.ticks
	if ticks.run > 0 {
		ticks.end()
	}
	return !ticks.any()
}

// placeOf returns the place of a mark from start to end, and whether it is in a code span, as far
// as the rest of its line decides that. A backtick there may end a code span, and shows that the
// line does not open fenced code. ok is false if more input is needed.
func (t *textContext) placeOf(start, end int) (at place, inSpan, ok bool) {
	f := &t.line
	at = f.place()
	if at == placeFence && f.candidate && f.opening.Mark == '`' {
		rest, _, short := t.restOfLine(end)
		if short {
			return at, false, false
		}
		if bytes.IndexByte(rest, '`') >= 0 { // it may belong to a request that follows; then the line opens fenced code for that request
			f.candidate = false
			at = f.place()
			f.candidate = true
		}
	}
	if at != placeText || t.ticksClosed(start) {
		return at, false, true
	}
	closed := t.closedOnLine(&f.ticks, end)
	return at, closed == spanClosed, closed != spanShort
}

// spanEnd says whether an open code span ends on the line.
type spanEnd uint8

const (
	spanOpen   spanEnd = iota // it does not
	spanClosed                // it does
	spanFar                   // it does not end within maxTickLine
	spanShort                 // more input is needed
)

// maxTickLine limits how much of the line after a request is searched for the end of a code span,
// in bytes.
const maxTickLine = 96

// closedOnLine returns whether an open code span ends on the line after the offset end.
func (t *textContext) closedOnLine(open *ticks, end int) spanEnd {
	rest, whole, short := t.restOfLine(end)
	if short {
		return spanShort
	}
	ticks := *open
	if ticks.run > 0 {
		ticks.end()
	}
	switch {
	case ticks.closedBy(rest):
		return spanClosed
	case whole:
		return spanOpen
	}
	return spanFar
}

// restOfLine returns the rest of a line from the offset at, up to maxTickLine bytes. whole reports
// that the line ends there, short that more input is needed.
func (t *textContext) restOfLine(at int) (rest []byte, whole, short bool) {
	rest = t.w.bytes(at, t.w.end())
	whole = t.w.atEOF && len(rest) <= maxTickLine
	rest = rest[:min(len(rest), maxTickLine+1)] // the next byte shows whether the line continues after what is searched
	t.looked = max(t.looked, at+len(rest))
	if stop := lineEnd(rest); stop >= 0 {
		return rest[:stop], true, false
	}
	return rest[:min(len(rest), maxTickLine)], whole, !whole && len(rest) <= maxTickLine
}

// emphasis returns the start of the emphasis before the offset end, if only emphasis is there on a
// short line, or after the line's last request or tag. Otherwise it returns end.
func (t *textContext) emphasis(end int) int {
	low := max(t.w.base, end-maxLinePrefix-1)
	lineAt := t.d.endedAt
	if i := bytes.LastIndexAny(t.w.bytes(low, end), "\r\n"); i >= 0 {
		lineAt = max(lineAt, low+i+1)
	}
	start := max(lineAt, t.line.bareAt)
	if end-lineAt > maxLinePrefix || !isEmphasis(t.w.bytes(start, end)) {
		return end
	}
	return max(start, t.d.at())
}

// Tags are the marks that the parser itself searches for in text: reasoning tags, and the start and
// end of requests in other forms. tagNeedles are the pairs of bytes at their start, for each
// protocol.
var (
	tagNeedles  = forms.Needles("<t", "<T", "<r", "<R", "</")
	markNeedles = forms.Needles("<t", "<T", "<r", "<R", "</", "``", "~~")
)

// closingLetters are the first letters of the names of closing tags.
var closingLetters = byteSet("tTrRif")

// nextTag returns the first offset, up to limit, at which a tag may begin in the text that is not
// processed yet.
func (t *textContext) nextTag(limit int) int {
	at := max(t.d.at(), t.noTag)
	if t.d.dropping {
		return limit
	}
	set := t.tags
	if t.toMark && max(t.line.at, t.noFence, t.found.to) >= at {
		set = t.marks
	}
	for at < limit {
		b := t.w.bytes(at, limit)
		i := set.Index(b)
		if i < 0 {
			t.w.examined += len(b)
			at = limit
			if b[len(b)-1] == '<' {
				at--
			}
			break
		}
		t.w.examined += i + 1
		at += i
		if b = b[i:]; b[0] != '<' {
			n := runLen(b)
			if n > 2 && !t.found.add(at) {
				set = t.tags
			}
			at += n
			continue
		}
		if b[1] != '/' || len(b) == 2 || closingLetters[b[2]] {
			break
		}
		at++
	}
	t.noTag = at
	if set == t.marks {
		t.found.to = max(t.found.to, at-2)
	}
	return min(at, limit)
}

// foundFences are the fences that the search for tags has passed on its way, as many as it has room
// for. A search of their own takes 7 percent of the time of a reply of 72 KB with eight calls.
type foundFences struct {
	list    [32]int
	next, n int // list[next:n] are where they begin
	to      int // there is no other before it
}

// add takes note of a fence at the offset at. It returns false if there is no room.
func (f *foundFences) add(at int) bool {
	if f.next == f.n {
		f.next, f.n = 0, 0
	}
	if f.n == len(f.list) {
		f.to = at
		return false
	}
	f.list[f.n] = at
	f.n++
	return true
}

// from returns the first fence from the offset at on, and forgets those before it; -1 if it knows
// none.
func (f *foundFences) from(at int) int {
	for ; f.next < f.n; f.next++ {
		if f.list[f.next] >= at {
			return f.list[f.next]
		}
	}
	return -1
}

// runLen returns how often the first byte of b stands at its start.
func runLen(b []byte) int {
	n := 1
	for n < len(b) && b[n] == b[0] {
		n++
	}
	return n
}

// fenceNeedles are pairs of bytes, one of which is in every line that opens or closes fenced code.
var fenceNeedles = needles.New("``", "~~")

// nextFence returns the offset of the first three backticks or tildes between the line state and
// the offset to; to if there are none.
func (t *textContext) nextFence(to int) int {
	at := max(t.line.at, t.noFence)
	if found := t.found.from(at); found >= 0 {
		return min(found, to)
	}
	at = max(at, t.found.to)
	for at+2 < to {
		b := t.w.bytes(at, to)
		i := fenceNeedles.Index(b)
		if i < 0 {
			t.w.examined += len(b)
			at = to - 2
			break
		}
		t.w.examined += i + 2
		if at += i; i+2 >= len(b) {
			break
		}
		if b[i+2] == b[i] {
			t.noFence = at
			return at
		}
		at++
	}
	t.noFence = max(t.noFence, at)
	return to
}

// skipLines advances the line state from the start of a line to the start of a later line, at most
// to the offset to. It skips lines that cannot change the place of a byte at to.
func (t *textContext) skipLines(to int) {
	f := &t.line
	if f.at == to {
		return
	}
	var line int
	switch {
	case t.d.dropping, f.tag != "" && !f.blocks.Nested():
		line = t.lineStart(to)
	case f.tag != "":
		return
	case f.fence.Run > 0:
		if !f.blocks.Unchanged() {
			return
		}
		line = t.lineStart(t.nextFence(to))
	default:
		at := t.nextFence(to)
		if line = at; !t.beginsAfresh(at) {
			line = t.paragraphStart(at)
		}
	}
	if line <= f.at {
		return
	}
	if !t.d.dropping {
		t.fence.text(f, t.w.bytes(f.at, line))
	}
	if f.fence.Run == 0 && f.tag == "" {
		f.blocks = markdown.Containers{}
	}
	f.at, f.ticksAt, f.lineAt = line, line, line
}

// beginsAfresh reports whether a line outside of all containers begins at the offset at. Such a
// line follows an empty line, and begins with neither a blank nor the mark of a container.
func (t *textContext) beginsAfresh(at int) bool {
	if at < t.line.at+2 || at == t.w.end() {
		return false
	}
	b := t.w.bytes(at-2, at+1)
	return b[0] == '\n' && b[1] == '\n' && !containerLetters[b[2]]
}

// containerLetters are the first bytes of lines that are blank, or open or continue a container.
var containerLetters = byteSet(">-*+0123456789 \t\r\n")

// lineStart returns the start of the line of the byte at the offset at, but at least the line
// state's offset.
func (t *textContext) lineStart(at int) int {
	b := t.w.bytes(t.line.at, at)
	i := len(b)
	for i > 0 && !isBreak(b[i-1]) { // most often at once: what is searched for begins its line
		i--
	}
	t.w.examined += len(b) - i
	return t.line.at + i
}

// paragraphStart returns the start of the last paragraph before the offset end that follows an
// empty line, outside of list items and quotations. It returns the line state's offset if there is
// none.
func (t *textContext) paragraphStart(end int) int {
	at := max(t.line.at, t.noParagraph)
	t.noParagraph = max(t.noParagraph, end-1)
	if at >= end {
		return t.line.at
	}
	for b := t.w.bytes(at, end); len(b) > 1; {
		i := bytes.LastIndexByte(b[:len(b)-1], '\n')
		if i < 1 {
			t.w.examined += len(b)
			break
		}
		t.w.examined += len(b) - i
		if b[i-1] == '\n' && !blockLetters[b[i+1]] {
			return at + i + 1
		}
		b = b[:i+1]
	}
	return t.line.at
}

// blockLetters are the first bytes of lines that may be more than lines of a paragraph.
var blockLetters = byteSet("`~<>-*+_=#0123456789 \t\r\n")

// byteSet returns the set of the bytes of a string.
func byteSet(bytes string) (t [256]bool) {
	for i := range len(bytes) {
		t[bytes[i]] = true
	}
	return t
}
