package parser

import (
	"bytes"

	"github.com/vcpgo/vcp/internal/forms"
	"github.com/vcpgo/vcp/internal/markdown"
)

// textContext determines the place of a byte in the text outside of requests. It reads the text
// only when a mark or a tag needs a place, and continues from the last byte whose place it
// determined.
type textContext struct {
	w *window
	d *draft

	protocol string // ID of the protocol in use
	search   textSearch
	line     lineState
	fence    fenceContent

	// breakAt is the offset of the current line's break. An offset before that line means that the
	// line break is not known.
	breakAt int
	// foreign are requests in other forms in plain text, at most maxForeign. open is the form of
	// the last of them until that request ends; then it is nil.
	foreign []foreignRequest
	open    *forms.Form
	// examinedTo is the offset up to which restOfLine examined lines.
	examinedTo int
}

// foreignRequest is a request in the form of another protocol.
type foreignRequest struct {
	span Span
	form *forms.Form
}

// reset makes t ready for a reply in the form of the protocol with that ID. infos are the info
// strings of fenced code whose requests are meant to run.
func (t *textContext) reset(protocol string, infos []string) {
	*t = textContext{
		w: t.w, d: t.d, protocol: protocol, breakAt: -1,
		line: lineState{prefix: true, onlyBlanks: true, infos: infos},
	}
	t.search.reset(t.w, protocol)
}

// placement returns the placement of a block that begins here.
func (t *textContext) placement() placement {
	f := &t.line
	s := placement{place: f.place(), fence: t.fence.number, defined: f.definition}
	s.fenceRuns = f.fence.Run > 0 && f.fence.runs
	s.barred = s.place == placeFence && (f.quote || f.candidate)
	s.live = t.d.runsAt(s.place) && !s.defined && !s.barred
	return s
}

// follow advances the line state to target. The text continues up to limit, and after says what
// follows there. If a line begins at target, follow also decides what that line is, unless it is
// empty and nothing follows. It returns false if more input could change what a line is, or where
// its line break ends. If a reasoning section opens at target, follow returns the length of its
// tag.
func (t *textContext) follow(target, limit int, after next) (tagLen int, ok bool) {
	f := &t.line
	if f.at == 0 && target > 0 && !t.passByteOrderMark(limit, after) {
		return 0, false
	}
	for f.at < target || f.prefix && (target < limit || after != nextUnknown && after != nextEOF) {
		if f.prefix {
			t.skipLines(target)
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
		b := t.w.bytes(f.at, target)
		end := t.breakAt - f.at
		if end < 0 || end >= len(b) {
			end = lineEnd(b)
		}
		if end >= 0 && b[end] == '\r' && end+1 == len(b) && target == limit && after == nextUnknown {
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

// skipLines advances the line state from the start of a line to the start of a later line, but not
// beyond target. It skips lines that cannot change the place of a byte at target.
func (t *textContext) skipLines(target int) {
	f := &t.line
	if f.at == target {
		return
	}
	switch {
	case t.d.dropping, f.tag != "" && !f.containers.Nested():
		t.skipTo(t.search.lineStart(f.at, target))
	case f.tag != "":
	case f.fence.Run > 0:
		if f.containers.Unchanged() {
			t.skipTo(t.search.lineStart(f.at, t.search.nextFence(f.at, target)))
		}
	default:
		for {
			at := t.search.nextFence(f.at, target)
			if !t.search.beginsAfresh(f.at, at) {
				t.skipTo(t.search.paragraphStart(f.at, at))
				return
			}
			t.skipTo(at)
			if !t.skipFence(target) {
				return
			}
		}
	}
}

// skipTo advances the line state to the start of a line. Outside of fenced code and reasoning, that
// line is outside of all containers, too.
func (t *textContext) skipTo(line int) {
	f := &t.line
	if line <= f.at {
		return
	}
	if !t.d.dropping {
		t.fence.text(f, t.w.bytes(f.at, line))
	}
	if f.fence.Run == 0 && f.tag == "" {
		f.containers = markdown.Containers{}
	}
	f.at, f.ticksAt, f.lineAt = line, line, line
}

// skipFence skips the fenced code that opens on the current line, outside of all containers, if the
// code ends before target. The first and the last line of the code must be short and begin with the
// fence. skipFence returns false if it skipped nothing. Then the code is read line by line, which
// is slower.
func (t *textContext) skipFence(target int) bool {
	f := &t.line
	b := t.w.bytes(f.at, target)
	first := shortLine(b)
	fence, _, ok := markdown.OpenFence(first)
	if !ok {
		return false
	}
	code := len(first) + 1
	at := t.search.nextFence(f.at+code, target) - f.at
	if at == len(b) || b[at-1] != '\n' {
		return false
	}
	last := shortLine(b[at:])
	if !fence.ClosedBy(last) {
		return false
	}
	end := f.at + at + len(last) + 1
	t.w.examined += len(first) + len(last)
	t.fence = fenceContent{number: t.fence.number + 1, other: !onlyASCIISpace(b[code:at])}
	f.at, f.ticksAt, f.lineAt = end, end, end
	return true
}

// shortLine returns the first line of b without its line feed. It returns nil if the line is longer
// than lineState examines, or has another line break or none.
func shortLine(b []byte) []byte {
	b = b[:min(len(b), maxLinePrefix)]
	end := lineEnd(b)
	if end < 0 || b[end] != '\n' {
		return nil
	}
	return b[:end]
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
	f.onlyBlanks = f.onlyBlanks && onlySpace(b)
	if !t.d.dropping {
		t.fence.text(f, b)
	}
	f.at += n
}

// byteOrderMark may begin a reply. The first line begins after it.
const byteOrderMark = "\ufeff"

// passByteOrderMark skips a byte order mark at the start of the reply, whose text is available up
// to limit. It returns false if more input is needed.
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

// beginLine decides what the current line is, as lineState.beginLine does.
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
	b = b[:min(len(b), maxLinePrefix)] // the decision must not depend on input that arrives later
	tagAt, tagLen, ok = f.beginLine(b, end >= 0 || after != nextUnknown, end >= 0 || after == nextEOF, after)
	if ok && f.candidate {
		f.infoAt = f.at + len(b)
		t.fence = fenceContent{number: t.fence.number + 1}
	}
	return tagAt, tagLen, ok
}

// checkInfo searches the info string of the current line for a backtick, up to limit. A fence of
// backticks opens no fenced code if its info string contains a backtick.
func (t *textContext) checkInfo(limit int) {
	f := &t.line
	if !f.candidate || f.opening.Mark != '`' || limit <= f.infoAt {
		return
	}
	t.w.examined += limit - f.infoAt
	f.candidate = bytes.IndexByte(t.w.bytes(f.infoAt, limit), '`') < 0
	f.infoAt = limit
}

// emphasis looks at the text before an offset, on the same line and after the line's last request
// or tag. It returns the start of that text if the text is only emphasis. Otherwise, and on a long
// line, it returns the offset.
func (t *textContext) emphasis(end int) int {
	low := max(t.w.base, end-maxLinePrefix-1)
	b := t.w.bytes(low, end)
	if n := emphasisBefore(b); n > 0 && !isBreak(b[n-1]) && low+n > max(t.d.endedAt, t.line.textAt) {
		return end // the usual case: a word precedes end
	}
	lineAt := t.d.endedAt
	if i := bytes.LastIndexAny(b, "\r\n"); i >= 0 {
		lineAt = max(lineAt, low+i+1)
	}
	start := max(lineAt, t.line.textAt)
	if end-lineAt > maxLinePrefix || !isEmphasis(t.w.bytes(start, end)) {
		return end
	}
	return max(start, t.d.at())
}
