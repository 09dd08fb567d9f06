package parser

import (
	"bytes"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/markdown"
	"github.com/vcpgo/vcp/protocol/scan"
)

// maxTagBlanks limits the blanks after a closing tag without opener that the parser waits for, in
// bytes.
const maxTagBlanks = 64

// textReader reads the text outside of requests.
type textReader struct{ textContext }

// read reads the text up to limit, except for its last bytes if more input could change them. It
// does not determine whether the text is in code or a quotation, because only marks and tags need
// that. It returns false if more input must decide what a tag is.
func (t *textReader) read(limit int, after next) bool {
	for t.d.at() < limit {
		at := limit
		if !t.d.dropping {
			at = t.search.nextTag(t.d.at(), limit, t.line.at)
		}
		if at == t.d.at() {
			if !t.readTag(limit, after) {
				return false
			}
			continue
		}
		if at == limit {
			at = t.finalTo(limit, after)
		}
		if at <= t.d.at() {
			break
		}
		t.show(at - t.d.at())
	}
	return true
}

// readTo reads the text and advances the line state up to the start of a mark. It returns false if
// more input must decide what a tag before the mark is.
func (t *textReader) readTo(start int, after next) bool {
	t.search.toMark = true
	ok := t.read(start, after)
	t.search.toMark = false
	if ok {
		t.follow(start, start, after)
	}
	return ok
}

// show reports the next n bytes of text.
func (t *textReader) show(n int) {
	kind := partText
	switch {
	case t.d.dropping:
		kind = partDropped
	case t.line.tag != "":
		kind = partReasoning
	}
	t.d.add(kind, n)
}

// finalTo returns the offset up to which the text before limit is final. Two things may change: an
// incomplete character, and emphasis that is alone on its line, which is dropped with a fabricated
// result.
func (t *textReader) finalTo(limit int, after next) int {
	if after != nextUnknown && after != nextResult {
		return limit
	}
	b := t.w.bytes(t.d.at(), limit)
	if after == nextUnknown {
		b = wholeRunes(b)
	}
	end := t.d.at() + len(b)
	if len(b) == 0 || !endsEmphasis[b[len(b)-1]] {
		return end
	}
	return t.emphasis(end)
}

// readTag reads what may be a reasoning tag, or a mark of a request in another form, at the
// beginning of the text. The text continues up to limit. readTag returns false if more input is
// needed.
func (t *textReader) readTag(limit int, after next) bool {
	at := t.d.at()
	f := &t.line
	// The longest tag, the blanks that may follow it, and two bytes that show what comes after
	// them.
	b := t.w.bytes(at, min(limit, at+markdown.MaxReasoningTag+maxTagBlanks+2))
	end := lineEnd(b)
	whole := end >= 0 // b reaches to the end of the line
	if whole {
		b = b[:end]
	}
	tag, short := markdown.ReadReasoningTag(b)
	if tag.Len == 0 {
		if short && !whole && after == nextUnknown {
			return false
		}
		if !t.readForeign(limit, after) {
			return false
		}
		t.show(1)
		return true
	}
	openerLen, ok := t.follow(at, limit, after)
	if !ok {
		return false
	}
	t.checkInfo(at)
	switch {
	case openerLen > 0:
		t.takeTag(openerLen)
		return true
	case !tag.Closes:
		f.tagged = true
	case f.tag != "":
		if tag.Name == f.tag {
			f.depth--
		}
		if f.depth == 0 {
			t.takeTag(tag.Len)
			f.tag = ""
			return true
		}
		f.tagged = false // the closing tag belongs to the tag before it
	case f.tagged:
		f.tagged = false // the closing tag belongs to the tag before it
	case f.loneSeen || f.place() != placeText:
	case f.onlyBlanks:
		t.takeLoneCloser(tag.Len)
		return true
	default:
		rest := bytes.TrimLeft(b[tag.Len:], " \t")
		blanks := len(b) - tag.Len - len(rest)
		if len(rest) > 0 || blanks > maxTagBlanks || !whole && (after == nextMark || after == nextResult) {
			break // something other than a few blanks and a request follows on the line
		}
		if !whole && after == nextUnknown {
			return false
		}
		_, inSpan, ok := t.placeOf(at, at+tag.Len)
		if !ok {
			return false
		}
		if inSpan {
			break
		}
		t.takeLoneCloser(tag.Len)
		return true
	}
	t.show(1)
	return true
}

// takeTag takes a reasoning tag of n bytes out of the text.
func (t *textReader) takeTag(n int) {
	if t.line.fence.Run == 0 {
		t.fence.followed, t.fence.followedAt = true, t.d.at() // even an empty section is something after the fence
	}
	t.d.add(partTag, n)
	t.line.at, t.line.textAt = t.d.at(), t.d.at()
	t.line.onlyBlanks = false
}

// takeLoneCloser takes out a closing tag without opener and makes everything before it reasoning.
func (t *textReader) takeLoneCloser(n int) {
	t.line.loneSeen = true
	t.d.reclassify()
	t.takeTag(n)
}

// readMark processes a mark in the text. It returns false if more input is needed.
func (t *textReader) readMark(start, end int, tok *scan.Token) bool {
	after := nextMark
	if tok.Evidence == scan.EvidenceResult {
		after = nextResult
	}
	if !t.readTo(start, after) {
		return false
	}
	if tok.Evidence == scan.EvidenceDefinitionEnd {
		t.d.barDefined()
		t.line.definition = t.line.definition && t.line.place() != placeText
		return true
	}
	place, inSpan, ok := t.placeOf(start, end)
	if !ok {
		return false
	}
	switch tok.Evidence {
	case scan.EvidenceDefinition:
		reasoning := place == placeReasoning && t.d.o.Reasoning != ReasoningIgnore
		t.line.definition = t.line.definition || (place == placeText || reasoning) && !inSpan
	case scan.EvidenceResult:
		if place == placeText && !inSpan && !t.d.dropping {
			t.dropResult(end)
		}
	case scan.EvidenceField:
		few := len(t.d.notices)+len(t.d.unsureNotices) < scan.MaxBlocks
		if place == placeText && !inSpan && !t.d.dropping && few {
			t.d.notice(Notice{
				Code: NoticeMalformedRequest, Span: Span{start + tok.NameStart, end},
				Message: "a field that names a tool is outside of a request block and was not run; write the whole block",
			}, t.line.definition)
		}
	case scan.EvidenceEnd:
		if t.d.dropping || place == placeText && !inSpan && t.mayBeOwn(start) {
			t.d.strayAt = len(t.d.requests)
		}
		t.d.strayAt = max(t.d.strayAt, t.d.doubtAt)
	case scan.EvidenceCloser:
		if t.d.dropping || place != placeFence && !inSpan {
			t.d.strayAt = len(t.d.requests)
			break
		}
		// The closer may be only an example. But the text that closed a value may also have opened
		// the code; then the request's own end follows.
		t.d.doubtAt = len(t.d.requests)
		if t.line.place() == placeFence { // or the closer is in a code span on the fence's first line
			t.d.doubtFence = t.fence.number
		}
	}
	return true
}

// dropResult drops a fabricated result: its line and everything after it. end is the offset at
// which its mark ends.
func (t *textReader) dropResult(end int) {
	t.d.drop(t.line.lineAt)
	t.fence.followed = t.fence.followed && t.fence.followedAt < t.line.lineAt // dropped text does not count
	t.d.add(partDropped, end-t.d.at())
	t.line.at = end
}

// maxEndGap limits the white space before an end mark that is written twice, in bytes.
const maxEndGap = 64

// mayBeOwn reports whether the end mark that begins at an offset may belong to a request that
// seemed to end earlier. A value of that request, written without marks, may have contained what
// looked like its end and like further requests.
func (t *textReader) mayBeOwn(start int) bool {
	gap := start - t.d.endedAt
	return t.d.unmarked && (gap > maxEndGap || len(bytes.TrimSpace(t.w.bytes(t.d.endedAt, start))) > 0)
}

// plain reports whether b, the next bytes of the stream, can be part of neither a reasoning tag nor
// the line of a fabricated result.
func (t *textReader) plain(b []byte) bool {
	for rest := b; ; {
		i := bytes.IndexByte(rest, '<')
		if i < 0 {
			break
		}
		if rest = rest[i+1:]; len(rest) == 0 || tagSeconds[rest[0]] {
			return false
		}
	}
	last, end := b[len(b)-1], t.w.at()+len(b)
	if last >= utf8.RuneSelf { // the beginning of the character may have been held back
		if held := t.w.bytes(t.d.at(), end); len(wholeRunes(held)) < len(held) {
			return false
		}
	}
	return !endsEmphasis[last] || t.emphasis(end) == end
}

// tagSeconds are the bytes that may follow the first '<' of a tag or of another mark.
var tagSeconds = byteSet("/tTrRif<")
