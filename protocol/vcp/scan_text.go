package vcp

import (
	"bytes"
	"slices"

	"github.com/vcpgo/vcp/internal/markdown"
	"github.com/vcpgo/vcp/protocol/scan"
)

// openerWindow is how far after a start marker the first opener may be, in bytes (B7).
const openerWindow = 1024

// scanText reads outside of requests.
func (s *scanner) scanText(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	i := from + s.looked
	for {
		at, kind := s.find(src, i, s.base-from)
		if at < 0 {
			if !atEOF {
				if end := s.holdBare(src, from, hold(src, from)); end < len(src) {
					return s.until(from, end, scan.TokenText)
				}
			}
			return s.rest(src, from, atEOF, scan.TokenText)
		}
		i = at + 1
		if kind == anchorEntity || kind == anchorBackslash {
			m, st, alone, found := escapedAt(src, s.textFloor(from), at, atEOF)
			if found == matchShort {
				return s.until(from, at, scan.TokenText)
			}
			if found == matchNo {
				continue
			}
			if !alone || m.end || s.endless || !s.allows(bitMarkerEscaped) {
				s.bare.marked = true
				continue
			}
			n, to, verdict := s.requestStart(src, from, at, m, atEOF)
			if verdict == matchShort {
				return s.until(from, at, scan.TokenText)
			}
			if verdict == matchYes && s.mark.Code == "" {
				s.style, s.earlyBefore = st, s.early
				s.mark.Tentative = true
				return s.emitBefore(src, from, at-from, scan.TokenText, "", n, to)
			}
			s.bare.marked = true
			continue
		}
		if kind == anchorOpen || kind == anchorClose {
			e, start, m := edgeAround(src, from, at, atEOF)
			switch {
			case m == matchShort:
				return s.until(from, s.holdBare(src, from, start), scan.TokenText)
			case m == matchNo:
				continue
			case kind == anchorClose:
				s.bare.marked = true
				closer := scan.EvidenceCloser
				if s.text.match(&e) || s.early.any() {
					closer = scan.EvidenceMatchedCloser
				}
				s.newEvidence(closer)
				s.closer = e
				return s.emitBefore(src, from, start-from, scan.TokenText, "", e.n, modeText)
			}
			k, names := s.textOpener(src, from, start)
			if names && s.bareStart(src, from, start, k) {
				return s.startBare(src, from, k.start)
			}
			s.bare.marked = true // the text before it may be a field of the same request
			s.text.open(&e)
			if !names {
				continue
			}
			tok := s.newEvidence(scan.EvidenceField)
			tok.NameStart, tok.NameEnd = k.nameStart-start, k.nameEnd-start
			n := e.n
			if e.family == familyBadTag { // marks in its tail count (V16)
				n = at + len(wordOpen) - start
			}
			return s.emitBefore(src, from, start-from, scan.TokenText, "", n, modeText)
		}
		m, found := markerAt(src, at, atEOF)
		if found == matchShort {
			return s.until(from, at, scan.TokenText)
		}
		if found == matchNo {
			continue
		}
		if m.escaped {
			s.bare.marked = true
			continue
		}
		n, to, verdict := s.textMarker(src, from, at, m, atEOF)
		switch verdict {
		case matchShort:
			return s.until(from, at, scan.TokenText)
		case matchYes:
			s.bare.marked = s.bare.marked || s.mark.Kind != scan.TokenRequestStart
			return s.emitBefore(src, from, at-from, scan.TokenText, "", n, to)
		}
		s.bare.marked = true
	}
}

// textOpener reads the key of an opener in text. names reports that the key names a tool.
func (s *scanner) textOpener(src []byte, from, start int) (k key, names bool) {
	k, ok := s.keyBefore(src, historyFloor(from), start, s.o.MaxKey)
	return k, ok && !k.hidden && foldsTo(string(k.name), foldedToolName)
}

// startBare opens a request at the key at src[at:] (B12).
func (s *scanner) startBare(src []byte, from, at int) (int, *scan.Token, error) {
	s.bare.open, s.bare.fresh, s.bare.fields = true, true, 0
	s.text.clean = true
	tok := s.newMark(scan.TokenRequestStart)
	tok.Tentative, tok.Repairs = true, s.tokenRepairs(s.repaired[:0], bitBareFields, 0, 0)
	return s.emitBefore(src, from, at-from, scan.TokenText, "", 0, modeBlock)
}

// textMarker makes the mark of a marker in text; matchNo means that the marker is text itself.
func (s *scanner) textMarker(src []byte, from, at int, m marker, atEOF bool) (n int, to mode, verdict match) {
	if m.kind == markerRequest && !m.end {
		return s.requestStart(src, from, at, m, atEOF)
	}
	tok := s.newMark(scan.TokenEvidence)
	tok.Repairs = s.tokenRepairs(s.repaired[:0], m.repairs, 0, m.n)
	switch {
	case m.kind == markerRequest:
		tok.Evidence = scan.EvidenceEnd
	case m.kind == markerResult && !m.end:
		if v := s.resultStands(src, at+m.n, s.lineIsClean(src, from, at), atEOF); v != matchYes {
			return 0, modeText, v
		}
		tok.Evidence = scan.EvidenceResult
	case m.kind == markerDefinition && m.end:
		tok.Evidence = scan.EvidenceDefinitionEnd
	case m.kind == markerDefinition:
		tok.Evidence = scan.EvidenceDefinition
	default:
		return 0, modeText, matchNo
	}
	return m.n, modeText, matchYes
}

// aheadState is the progress of the search for the first opener after a start marker. Offsets are
// relative to the marker's start.
type aheadState struct {
	body    int // end of the marker, or of the doubled markers; 0 if there is no search
	looked  int
	repairs int // how many of scanner.repaired are the marker's
}

// requestStart decides whether a start marker opens a request (B7, B8), and makes its mark.
func (s *scanner) requestStart(src []byte, from, at int, m marker, atEOF bool) (n int, to mode, verdict match) {
	a := &s.ahead
	if at > from || a.body == 0 {
		*a = aheadState{body: m.n, looked: m.n}
		a.repairs = len(s.tokenRepairs(s.repaired[:0], m.repairs, 0, m.n))
		body := at + m.n
		if _, end := cleanField(src[:min(len(src), body+openerWindow)], body, s.o.MaxKey); end > 0 { // as most requests begin: no search is needed
			s.newMark(scan.TokenRequestStart).Repairs = s.repaired[:a.repairs]
			s.text.clean = s.lineIsClean(src, from, at)
			return m.n, modeBlock, matchYes
		}
	}
	stop, found := s.searchAhead(src, at, atEOF)
	body := src[at+a.body : max(stop, at+a.body)]
	tok := s.newMark(scan.TokenRequestStart)
	tok.Repairs = s.repaired[:a.repairs]
	s.examined += len(body)
	switch found {
	case aheadShort:
		return 0, modeText, matchShort
	case aheadOpener:
		if interrupted(body) && !s.alone(src, from, at, at+a.body) {
			return 0, modeText, matchNo
		}
		if !s.beginsFields(src, at+a.body, stop) {
			tok.Code = scan.CodeNoFields
		}
	case aheadNothing:
		if !wantsTool(body) {
			return 0, modeText, matchNo
		}
		tok.Code = scan.CodeNoFields
	}
	s.text.clean = s.lineIsClean(src, from, at)
	return a.body, modeBlock, matchYes
}

type aheadFound uint8

const (
	aheadNothing aheadFound = iota
	aheadOpener
	aheadShort
)

// searchAhead searches for the first opener after the start marker at src[at:]. stop is the offset
// of the opener, or the end of the search.
func (s *scanner) searchAhead(src []byte, at int, atEOF bool) (stop int, found aheadFound) {
	a := &s.ahead
	for {
		window := min(len(src), at+a.body+openerWindow)
		p, kind := s.search(src[:window], at+a.looked)
		if p < 0 {
			if atEOF || window == at+a.body+openerWindow {
				return window, aheadNothing
			}
			a.looked = max(a.looked, hold(src, at)-at)
			return 0, aheadShort
		}
		a.looked = p - at
		switch kind {
		case anchorClose:
		case anchorEntity, anchorBackslash:
			if src[at] != src[p] {
				break
			}
			m, _, alone, found := escapedAt(src, at, p, atEOF)
			if found == matchShort {
				return 0, aheadShort
			}
			if found == matchYes && alone && m.end {
				return p, aheadNothing
			}
		case anchorOpen:
			_, start, m := edgeAround(src, at+a.body, p, atEOF)
			if m == matchShort {
				return 0, aheadShort
			}
			if m == matchYes {
				return start, aheadOpener
			}
		default:
			next, m := markerAt(src, p, atEOF)
			if m == matchShort {
				return 0, aheadShort
			}
			if m == matchNo || next.escaped || next.kind != markerRequest {
				break
			}
			escaped := src[at] == '&' || src[at] == '\\' // which a START without escapes does not double
			if next.end || escaped || len(bytes.TrimSpace(src[at+a.body:p])) > 0 || a.repairs > 0 && s.repaired[a.repairs-1].Repair == repairDoubledStart {
				return p, aheadNothing
			}
			list := s.tokenRepairs(s.repaired[:a.repairs], next.repairs, p-at, p-at+next.n)
			list = s.tokenRepairs(list, bitDoubledStart, p-at, p-at+next.n)
			a.repairs = copy(s.repaired[:], list)
			a.body = p - at + next.n
			a.looked = a.body
			continue
		}
		a.looked++
	}
}

// beginsFields reports whether the first opener of a body, at src[opener:], can belong to a field.
// In a body of JSON or tags its key must have that form, because a field in the text of a string
// does not belong to the request (B7).
func (s *scanner) beginsFields(src []byte, body, opener int) bool {
	if !otherForm(src[body:opener]) {
		return true
	}
	k, ok := s.keyBefore(src, body, opener, s.o.MaxKey)
	if !ok {
		return false
	}
	before := bytes.TrimRight(src[body:k.start], wideBlanks)
	last := before[len(before)-1]
	return last == '{' || last == ',' || last == '\n' || last == '\r'
}

// wantsTool reports whether a body without fields was meant as a request (B7).
func wantsTool(body []byte) bool {
	return bytes.Contains(body, []byte(keyToolName)) || otherForm(body)
}

// otherForm reports whether a body begins as JSON or as a tag, in a fence or not.
func otherForm(body []byte) bool {
	body = bytes.TrimSpace(body)
	if _, _, fenced := markdown.OpenFence(body[:max(0, bytes.IndexAny(body, "\r\n"))]); fenced {
		body = bytes.TrimSpace(body[bytes.IndexAny(body, "\r\n"):])
	}
	return len(body) > 0 && (body[0] == '{' || body[0] == '<' && len(body) > 1 && 'a' <= body[1]|0x20 && body[1]|0x20 <= 'z')
}

// alone reports whether src[start:end] is alone on its line, as far as the kept input shows.
func (s *scanner) alone(src []byte, from, start, end int) bool {
	floor, far := backFloor(from, s.text.since, start)
	if begin := leadBefore(src, floor, start, " \t\u3000\ufeff"); begin == floor && far || !beginsLineAt(src, floor, begin) {
		return false
	}
	after := src[end:]
	if stop := bytes.IndexAny(after, "\r\n"); stop >= 0 {
		after = after[:stop]
	}
	s.examined += len(after)
	return len(bytes.TrimSpace(after)) == 0
}

// interrupted reports whether a line of body begins fenced code or a reasoning section.
func interrupted(body []byte) bool {
	if !bytes.ContainsAny(body, "`~<") {
		return false
	}
	paragraph := true
	for {
		stop := bytes.IndexAny(body, "\r\n")
		if stop < 0 {
			return false
		}
		if body[stop] == '\r' && stop+1 < len(body) && body[stop+1] == '\n' {
			stop++
		}
		body = body[stop+1:]
		line := body
		if end := bytes.IndexAny(line, "\r\n"); end >= 0 {
			line = line[:end]
		}
		if markdown.OpensFence(line, paragraph) {
			return true
		}
		line = bytes.TrimLeft(line, " \t")
		paragraph = len(line) > 0
		if paragraph && line[0] == '<' {
			if tag, _ := markdown.ReadReasoningTag(line); tag.Len > 0 && !tag.Closes {
				return true
			}
		}
	}
}

// maxResultLine limits how much of a line before and after a result's marker is examined, in bytes.
const maxResultLine = 96

// resultStands reports whether a result begins at the mark that ends at src[end:]: its line has
// nothing else but emphasis, or a field follows directly (B14). clean says that the line before the
// mark has nothing else.
func (s *scanner) resultStands(src []byte, end int, clean, atEOF bool) match {
	rest := src[end:min(len(src), end+maxResultLine)]
	whole := atEOF || len(src) >= end+maxResultLine
	switch _, start, m := firstOpener(src, end, end+len(rest), atEOF); m {
	case matchYes:
		if k, ok := s.keyBefore(src, end, start, s.o.MaxKey); ok && len(bytes.TrimSpace(src[end:k.start])) == 0 {
			return matchYes
		}
	case matchShort:
		return matchShort
	}
	if line, ends := restOfLine(rest, atEOF && len(src)-end == len(rest)); clean && ends && isEmphasis(line) {
		return matchYes
	}
	if !whole {
		return matchShort
	}
	return matchNo
}

// firstOpener returns the first opener that begins in src[from:to].
func firstOpener(src []byte, from, to int, atEOF bool) (e edge, start int, m match) {
	for at := from; ; at += len(wordOpen) {
		i := bytes.Index(src[at:max(at, to)], []byte(wordOpen))
		if i < 0 {
			return e, 0, matchNo
		}
		at += i
		if e, start, m = edgeAround(src, from, at, atEOF); m != matchNo {
			return e, start, m
		}
	}
}

// restOfLine returns the part of b before a line break or a request; ends is false if b contains
// neither and more may follow.
func restOfLine(b []byte, atEOF bool) (line []byte, ends bool) {
	if stop := bytes.IndexAny(b, "\r\n"); stop >= 0 {
		b, atEOF = b[:stop], true
	}
	for at := range b {
		if c := b[at]; c != '<' && c != "＜"[0] && c != "《"[0] {
			continue
		}
		if m, v := markerAt(b, at, true); v == matchYes && m.kind == markerRequest && !m.end && !m.escaped {
			return b[:at], true
		}
	}
	return b, atEOF
}

// textState describes the text since the last request.
type textState struct {
	since int  // bytes of text since its end
	after bool // there was a request
	clean bool // nothing but emphasis and requests was before it on its line

	openers []edge // those without a closer so far, the oldest first; at most maxOpeners
	fieldAt int    // offset in the stream of the open request's first value, 0 if it has none
}

// maxOpeners is how many openers in the text may excuse a closer. Text of people has fewer.
const maxOpeners = 16

// open remembers an opener in text. If there are many, the last ones count.
func (t *textState) open(e *edge) {
	if len(t.openers) == maxOpeners {
		t.openers = slices.Delete(t.openers, 0, 1)
	}
	opener := *e
	opener.tail = bytes.Clone(e.tail)
	t.openers = append(t.openers, opener)
}

// endRequest takes note that the request ends at an offset in the stream. Openers before a request do
// not excuse closers after it (V15), unless it has no field: then its start marker is text.
func (t *textState) endRequest(at int) {
	if 0 < t.fieldAt && t.fieldAt <= at {
		t.openers = t.openers[:0]
	}
	t.fieldAt = 0
}

// match removes the last opener that closer c closes, and reports whether there is one. An opener
// excuses one closer of its family (V15).
func (t *textState) match(c *edge) bool {
	for i := range slices.Backward(t.openers) {
		if t.openers[i].closes(c) {
			t.openers = slices.Delete(t.openers, i, i+1)
			return true
		}
	}
	return false
}

// textFloor limits how far the scanner looks back in text.
func (s *scanner) textFloor(from int) int { return max(historyFloor(from), from-s.text.since) }

// lineIsClean reports whether the line of src[at] has only emphasis and requests before it.
func (s *scanner) lineIsClean(src []byte, from, at int) bool {
	if at > 0 && src[at-1] == '\n' {
		return true
	}
	floor := s.textFloor(from)
	begin := leadBefore(src, max(floor, at-maxResultLine), at, emphasis)
	if begin == from-s.text.since && s.text.after && !beginsLineAt(src, 0, begin) {
		return s.text.clean
	}
	return beginsLineAt(src, max(floor, at-maxResultLine), begin)
}

// emphasis lists the characters that are ignored next to a result's mark on its line.
const emphasis = " \t*_~\u3000\ufeff"

// isEmphasis reports whether b contains only blanks and the marks of emphasis.
func isEmphasis(b []byte) bool {
	return len(bytes.Trim(b, emphasis)) == 0
}
