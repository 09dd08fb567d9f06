package model

import (
	"strings"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// The tags that every protocol knows.
const (
	openThink  = "<think>"
	closeThink = "</think>"
)

// Limits in bytes.
const (
	maxLead      = 4 << 10 // white space before the opening mark; after more, no mark is looked for
	maxPrefilled = 8 << 20 // reasoning that is kept in case it turns out to be the reply's text
)

// reasoningReader separates reasoning from text at the start of a reply. It is for families with
// marks that no protocol knows, or with a template that writes the opening mark. It looks for one
// opening and one closing mark. What follows them is text, whatever it looks like.
//
//	atStart ── Open ──▶ inTags ────── Close ──▶ inText   the marks become <think> tags in the text
//	   │└─ prefilled ─▶ inPrefilled ─ Close ──▶ inText   reasoning, and text if Close never comes
//	   └─ anything else ──────────────────────▶ inText
//
// White space before the opening mark is dropped.
type reasoningReader struct {
	open, close string
	prefilled   bool // as in ReasoningForm
	place       reasoningPlace
	lead        strings.Builder // white space at the start of the reply
	held        string          // text that may be the beginning of a mark
	kept        strings.Builder // the reasoning in inPrefilled
	tooLong     bool            // the reasoning exceeded maxPrefilled, and is no longer kept
}

type reasoningPlace uint8

const (
	inText reasoningPlace = iota
	atStart
	inTags
	inPrefilled
)

// newReasoningReader returns a reader for the start of one reply.
func newReasoningReader(f *ReasoningForm) reasoningReader {
	r := reasoningReader{open: f.Open, close: f.Close, prefilled: f.Prefilled}
	if r.open == "" {
		r.open, r.close = openThink, closeThink
	}
	if f.Requests != parser.ReasoningIgnore {
		// Requests in reasoning may run, so the parser must see them. It copes with a missing
		// opening tag itself.
		r.prefilled = false
	}
	if f.Open != "" || r.prefilled {
		r.place = atStart
	}
	return r
}

// skip records that the server sends reasoning apart from the text, so the text has no marks. It
// returns the text so far, which is white space.
func (r *reasoningReader) skip() (d engine.Delta) {
	if r.place == atStart && r.held == "" {
		d.Text = r.lead.String()
		*r = reasoningReader{}
	}
	return d
}

// read separates the next piece of a reply.
func (r *reasoningReader) read(piece string) (d engine.Delta) {
	if r.place == inText {
		return engine.Delta{Text: piece}
	}
	work.Add(len(r.held) + len(piece))
	if r.place == atStart {
		if d.Text, piece = r.readStart(piece); r.place == inText || r.place == atStart {
			return d
		}
	}
	piece = r.held + piece
	reasoning, text, closed := strings.Cut(piece, r.close)
	r.held = ""
	if !closed {
		n := len(piece) - partialMark(piece, r.close)
		reasoning, r.held = piece[:n], piece[n:]
	}
	switch r.place {
	case inTags:
		d.Text += reasoning
		if closed {
			d.Text += closeThink + text
		}
	case inPrefilled:
		r.keep(reasoning)
		d.Reasoning, d.Text = reasoning, text
	}
	if closed {
		r.place = inText
		r.kept.Reset()
	}
	return d
}

// readStart looks for the opening mark. It returns text of the reply, and the rest of the piece if
// the reasoning has begun.
func (r *reasoningReader) readStart(piece string) (text, rest string) {
	if r.held == "" { // only white space so far
		bare := strings.TrimLeft(piece, " \t\r\n")
		r.lead.WriteString(piece[:len(piece)-len(bare)])
		piece = bare
	}
	piece, r.held = r.held+piece, ""
	afterMark, marked := strings.CutPrefix(piece, r.open)
	markCounts := r.lead.Len() <= maxLead
	switch {
	case marked && markCounts && r.prefilled:
		r.place, rest = inPrefilled, afterMark
	case marked && markCounts:
		r.place, text, rest = inTags, openThink, afterMark
	case strings.HasPrefix(r.open, piece) && markCounts:
		r.held = piece
		return "", ""
	case r.prefilled:
		r.place, rest = inPrefilled, r.lead.String()+piece
	default:
		r.place, text = inText, r.lead.String()+piece
	}
	r.lead.Reset()
	return text, rest
}

// keep keeps reasoning that may turn out to be text.
func (r *reasoningReader) keep(reasoning string) {
	if r.tooLong = r.tooLong || r.kept.Len()+len(reasoning) > maxPrefilled; r.tooLong {
		r.kept.Reset()
		return
	}
	r.kept.WriteString(reasoning)
}

// end returns the rest of a reply that has a finish reason. If the template opened the reasoning
// and a complete reply never closes it, what was read is text after all: the server removes
// reasoning, or the model wrote none.
func (r *reasoningReader) end(finish protocol.FinishReason) (d engine.Delta) {
	switch {
	case r.place != inPrefilled:
		d.Text = r.lead.String() + r.held
	case finish.Complete() && !r.tooLong:
		d.Text = r.kept.String() + r.held
	default:
		d.Reasoning = r.held
	}
	*r = reasoningReader{}
	return d
}

// partialMark returns how many bytes at the end of s are the beginning of mark.
func partialMark(s, mark string) int {
	for n := min(len(s), len(mark)-1); n > 0; n-- {
		if strings.HasSuffix(s, mark[:n]) {
			return n
		}
	}
	return 0
}
