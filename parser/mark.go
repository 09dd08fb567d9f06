package parser

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol"
)

// maxTickLine bounds how much of the line behind a request is searched for the end of a code span, in bytes.
const maxTickLine = 96

// spanEnd says whether a code span that is open ends on the line.
type spanEnd uint8

const (
	spanOpen   spanEnd = iota // it does not
	spanClosed                // it does
	spanFar                   // it does not within maxTickLine
	spanShort                 // more input is needed to tell
)

// closedOnLine says whether a code span that is open ends on the line behind the offset end.
func (p *Parser) closedOnLine(open *ticks, end int) spanEnd {
	rest := p.buf[end-p.base:]
	rest = rest[:min(len(rest), maxTickLine+1)] // whether the line goes on behind what is searched the next byte tells
	stop := lineEnd(rest)
	whole := stop >= 0 || p.atEOF && end-p.base+len(rest) == len(p.buf) && len(rest) <= maxTickLine
	switch {
	case stop >= 0:
		rest = rest[:stop]
	case !whole && len(rest) <= maxTickLine:
		return spanShort
	}
	rest = rest[:min(len(rest), maxTickLine)]
	t := *open
	if t.run > 0 {
		t.end()
	}
	switch {
	case t.closedBy(rest):
		return spanClosed
	case whole:
		return spanOpen
	}
	return spanFar
}

// textToken deals with a token outside of requests.
func (p *Parser) textToken(start, end int, tok *protocol.Token) bool {
	switch tok.Kind {
	case protocol.TokenText:
		p.pos += end - start
		// The text is accounted for when the next token is known, or the input at hand is used up.
		return true
	case protocol.TokenRequestStart:
		p.textTo(start, nextRequest)
		p.beginBlock(start, end, tok)
		return true
	}
	if tok.Evidence == protocol.EvidenceResult {
		p.textTo(start, nextResult)
		fabricated := !p.dropping && p.line.place() == placeText
		if fabricated && !p.line.ticksClosed(p, start) {
			at := p.closedOnLine(&p.line.ticks, end)
			if at == spanShort {
				return false
			}
			fabricated = at == spanOpen
		}
		p.pos += end - start
		if fabricated {
			p.drop(end)
			return true
		}
	} else {
		p.textTo(start, nextMark)
		if !p.textMark(start, end, tok) {
			return false
		}
		p.pos += end - start
	}
	p.text(end, nextMark)
	return true
}

// ticksClosed reports whether no code span is open before the offset at.
func (f *lineState) ticksClosed(p *Parser, at int) bool {
	p.countTicks(at)
	t := f.ticks
	if t.run > 0 {
		t.end()
	}
	return !t.any()
}

// textTo accounts for the text up to a mark at the offset start, and follows the line state to there.
func (p *Parser) textTo(start int, after next) {
	p.text(start, after)
	p.follow(start, start, after)
}

// textMark deals with a mark that stands in text. It returns false where more input must settle it.
func (p *Parser) textMark(start, end int, tok *protocol.Token) bool {
	place := p.line.place()
	if tok.Evidence == protocol.EvidenceDefinitionEnd {
		p.barDefined()
		p.line.definition = p.line.definition && place != placeText
		return true
	}
	inSpan, far := false, false
	if place == placeText && !p.line.ticksClosed(p, start) {
		at := p.closedOnLine(&p.line.ticks, end)
		if at == spanShort {
			return false
		}
		inSpan, far = at == spanClosed, at == spanFar
	}
	switch tok.Evidence {
	case protocol.EvidenceDefinition:
		p.line.definition = p.line.definition || (place == placeText || place == placeReasoning && p.o.Reasoning != ReasoningIgnore) && !inSpan && !far
	case protocol.EvidenceField:
		if place == placeText && !inSpan && !p.dropping && len(p.notices)+len(p.unsureNotices) < protocol.MaxBlocks {
			p.notice(Notice{
				Code: NoticeMalformedRequest, Span: Span{start + tok.NameStart, end},
				Message: "a field that names a tool stands outside of a request block and was not run; write the whole block",
			})
		}
	case protocol.EvidenceEnd:
		if p.dropping || place == placeText && !inSpan && p.mayBeOwn(start) {
			p.strayAt = len(p.requests)
		}
		p.strayAt = max(p.strayAt, p.doubtAt)
	case protocol.EvidenceCloser:
		switch {
		case !p.dropping && (place == placeFence || inSpan):
			// It may be shown. But what closed a value may have opened the code too: then the request's own end follows.
			p.doubtAt = len(p.requests)
			if place == placeFence {
				p.doubtFence = p.fence.number
			}
		default:
			p.strayAt = len(p.requests)
		}
	}
	return true
}

// maxEndGap is how much white space may stand before an end mark that is written twice, in bytes.
const maxEndGap = 64

// mayBeOwn reports whether the end mark in the text at the offset start may be that of a request which seems to have ended before: one whose
// value was written without marks may have held what looked like its end and like further requests (V15).
func (p *Parser) mayBeOwn(start int) bool {
	gap := start - p.endedAt
	return p.unmarked && (gap > maxEndGap || len(bytes.TrimSpace(p.bytes(p.endedAt, start))) > 0)
}

// notice tells of something in the text. Where that may be part of a definition, it is told of when there turns out to be none.
func (p *Parser) notice(n Notice) {
	if p.line.definition {
		p.unsureNotices = append(p.unsureNotices, n)
		return
	}
	p.notices = append(p.notices, n)
	p.emit(Event{Kind: EventNotice, Notice: &n})
}

// drop begins to drop: the line that holds a result that the model made up, and all after it (B14).
func (p *Parser) drop(end int) {
	p.dropping = true
	p.acc.drop(p.line.lineAt)
	p.addAs(partDropped, end-p.acc.end)
	p.line.at = end
}
