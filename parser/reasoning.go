package parser

import (
	"bytes"

	"github.com/vcpgo/vcp/internal/markdown"
	"github.com/vcpgo/vcp/internal/needles"
)

// tagNeedles are what every reasoning tag begins with.
var tagNeedles = needles.New("<t", "<T", "<r", "<R", "</")

// nextTag returns where in the text between the account and the offset limit a reasoning tag may begin, or
// limit if nowhere.
func (p *Parser) nextTag(limit int) int {
	at := max(p.acc.end, p.noTag)
	if p.dropping {
		return limit
	}
	for at < limit {
		b := p.bytes(at, limit)
		i := tagNeedles.Index(b)
		if i < 0 {
			p.examined += len(b)
			at = limit
			if b[len(b)-1] == '<' {
				at--
			}
			break
		}
		p.examined += i + 1
		at += i
		if b = b[i:]; b[1] != '/' || len(b) == 2 || tagBytes[b[2]] {
			break
		}
		at++
	}
	p.noTag = at
	return min(at, limit)
}

// tagBytes are those that the name of a reasoning tag begins with.
var tagBytes = byteSet("tTrR")

// maxTagBlanks bounds the blanks after a closing tag without opener that are waited for, in bytes (C3).
const maxTagBlanks = 64

// tag deals with what may be a reasoning tag at the end of the account, in text that goes on up to the
// offset limit. It returns false if more input is needed.
func (p *Parser) tag(limit int, after next) bool {
	at := p.acc.end
	f := &p.line
	b := p.bytes(at, min(limit, at+markdown.MaxReasoningTag+maxTagBlanks+2))
	end := lineEnd(b)
	whole := end >= 0
	if whole {
		b = b[:end]
	}
	found, short := markdown.ReadReasoningTag(b)
	n := found.Len
	if n == 0 {
		if short && !whole && after == nextUnknown {
			return false
		}
		p.show(1)
		return true
	}
	opens, ok := p.follow(at, limit, after)
	if !ok {
		return false
	}
	p.checkInfo(at)
	switch {
	case opens > 0:
		p.takeTag(opens)
		return true
	case !found.Closes:
		f.tagged = true
	case f.tag != "":
		if found.Name != f.tag {
			break
		}
		if f.depth--; f.depth == 0 {
			p.takeTag(n)
			f.tag, f.bare = "", true
			return true
		}
	case f.tagged:
		f.tagged = false // it belongs to the tag before it
	case f.loneSeen || f.place() != placeText:
	case f.first:
		p.takeLoneCloser(n)
		return true
	default:
		rest := bytes.TrimLeft(b[n:], " \t")
		blanks := len(b) - n - len(rest)
		if len(rest) > 0 || blanks > maxTagBlanks || !whole && (after == nextMark || after == nextResult) {
			break
		}
		if !whole && after == nextUnknown {
			return false
		}
		p.takeLoneCloser(n)
		return true
	}
	p.show(1)
	return true
}

// takeTag accounts for a reasoning tag of n bytes.
func (p *Parser) takeTag(n int) {
	p.addAs(partTag, n)
	p.line.at, p.line.bareAt = p.acc.end, p.acc.end
	p.line.first = false
}

// takeLoneCloser takes a closing tag without opener: all before it is reasoning (C3).
func (p *Parser) takeLoneCloser(n int) {
	p.line.loneSeen = true
	p.reclassify()
	p.takeTag(n)
	p.line.bare = true
}

// reclassify makes all before it reasoning (C3), but for requests past a limit: of what has been taken out of the text nothing is stored.
func (p *Parser) reclassify() {
	for i := range p.acc.parts {
		switch part := &p.acc.parts[i]; part.kind {
		case partText:
			part.kind = partReasoning
		case partRequest:
			if p.rawOf(part) != "" {
				part.kind = partInner
			}
		case partQuoted:
			part.kind = partInner
		}
	}
	for i := range p.requests {
		q := &p.requests[i]
		if q.live && q.RawBlock == "" {
			continue
		}
		q.wasLive = q.wasLive || q.live
		if quoted := !q.live && !q.defined && q.place != placeReasoning; quoted {
			q.barred = true
			if p.o.Reasoning == ReasoningRun {
				continue // it stays quoted: the policy lets no request in a quotation run
			}
		}
		q.place, q.live = placeReasoning, p.o.Reasoning == ReasoningRun && !q.barred && !q.defined
	}
	p.emit(Event{Kind: EventReclassified})
}
