package model

import (
	"strings"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// The tags that readers of a reply know.
const (
	openThink  = "<think>"
	closeThink = "</think>"
)

// lift tells reasoning from text at the start of a reply, for models whose marks no reader of a reply knows, or whose template has
// written the opening one. It looks for one opening and one closing mark: behind them, all is text, whatever it looks like.
//
//	start ── Open ──▶ marked ── Close ──▶ text     marks become <think> tags in the text, so that readers' policies hold
//	  │└─ prefilled ▶ inside ── Close ──▶ text     goes out as reasoning; as text too, where Close never comes
//	  └─ anything else ─────────────────▶ text
//
// White space before the opening mark is left out; after more than maxLead bytes of it no mark is looked for.
type lift struct {
	open, close string
	prefilled   bool
	place       liftPlace
	lead        strings.Builder // the white space that the reply begins with
	rest        string          // what may be the beginning of a mark
	inside      strings.Builder // the reasoning so far, if the template opened it
	lost        bool            // it is longer than maxInside, and no longer in inside
}

// maxLead is how much white space may come before the opening mark, in bytes.
const maxLead = 4 << 10

// maxInside is how much reasoning is kept to be given as text, in bytes. A reply that goes on with longer reasoning
// and never closes it has no text.
const maxInside = 8 << 20

type liftPlace uint8

const (
	liftText liftPlace = iota
	liftStart
	liftMarked
	liftInside
)

func newLift(f *ReasoningForm) lift {
	l := lift{open: f.Open, close: f.Close, prefilled: f.Prefilled}
	if l.open == "" {
		l.open, l.close = openThink, closeThink
	}
	if f.Requests != parser.ReasoningIgnore {
		// What stands in reasoning may run, so readers must see it. They settle an opening tag that is missing themselves.
		l.prefilled = false
	}
	if f.Open != "" || l.prefilled {
		l.place = liftStart
	}
	return l
}

// apart tells that the server sends reasoning apart from the text, and so has taken marks out of it.
func (l *lift) apart() {
	if l.place == liftStart && l.rest == "" && l.lead.Len() == 0 {
		l.place = liftText
	}
}

// take returns the next text and reasoning of a reply.
func (l *lift) take(piece string) engine.Delta {
	if l.place == liftText {
		return engine.Delta{Text: piece}
	}
	work.Add(len(l.rest) + len(piece))
	if l.place == liftStart && l.rest == "" { // nothing but white space so far
		bare := strings.TrimLeft(piece, " \t\r\n")
		l.lead.WriteString(piece[:len(piece)-len(bare)])
		piece = bare
	}
	s := l.rest + piece
	l.rest = ""
	var d engine.Delta
	if l.place == liftStart {
		after, marked := strings.CutPrefix(s, l.open)
		far := l.lead.Len() > maxLead
		switch {
		case marked && !far && l.prefilled:
			l.place, s = liftInside, after
		case marked && !far:
			l.place, s = liftMarked, after
			d.Text = openThink
		case strings.HasPrefix(l.open, s) && !far:
			l.rest = s
			return d
		case l.prefilled:
			l.place, s = liftInside, l.lead.String()+s
		default:
			l.place = liftText
			d.Text = l.lead.String() + s
		}
		l.lead.Reset()
		if l.place == liftText {
			return d
		}
	}
	reasoning, text, closed := strings.Cut(s, l.close)
	if !closed {
		l.rest = s[len(s)-beginning(s, l.close):]
		reasoning = s[:len(s)-len(l.rest)]
	}
	if l.place == liftMarked {
		d.Text += reasoning
		if closed {
			d.Text += closeThink + text
		}
	} else {
		if !l.lost && l.inside.Len()+len(reasoning) > maxInside {
			l.lost = true
			l.inside.Reset()
		}
		if !l.lost {
			l.inside.WriteString(reasoning)
		}
		d.Reasoning, d.Text = reasoning, text
	}
	if closed {
		l.place = liftText
		l.inside.Reset()
	}
	return d
}

// end returns what is left when the reply is complete. Reasoning that the template opened and that the model, which has said all, never
// closed was the reply itself: the server takes reasoning out, or the model did without.
func (l *lift) end(finish protocol.FinishReason) engine.Delta {
	defer func() { *l = lift{} }()
	switch {
	case l.place != liftInside:
		return engine.Delta{Text: l.lead.String() + l.rest}
	case finish.Complete() && !l.lost:
		return engine.Delta{Text: l.inside.String() + l.rest}
	}
	return engine.Delta{Reasoning: l.rest}
}

// beginning returns how many bytes at the end of s are the beginning of mark.
func beginning(s, mark string) int {
	for n := min(len(s), len(mark)-1); n > 0; n-- {
		if strings.HasSuffix(s, mark[:n]) {
			return n
		}
	}
	return 0
}
