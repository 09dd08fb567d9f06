package parser_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// damaged is a message with the edits that damage it.
type damaged struct {
	*message
	proto  protocol.Protocol
	rnd    *rand.Rand
	edits  []edit
	hit    map[int]bool           // damaged blocks
	gone   map[int]bool           // blocks that are no longer recognizable
	barred map[int]bool           // blocks that must not run
	meant  []protocol.ToolRequest // the request that each block still means
	finish protocol.FinishReason
}

func newDamaged(t testing.TB, rnd *rand.Rand, s subject) *damaged {
	d := &damaged{
		message: s.draw(t, rnd), proto: s.proto, rnd: rnd, finish: protocol.FinishStop,
		hit: map[int]bool{}, gone: map[int]bool{}, barred: map[int]bool{},
	}
	for _, b := range d.blocks {
		d.meant = append(d.meant, b.request)
	}
	return d
}

type edit struct {
	at   parser.Span
	with string
}

func (d *damaged) edit(at parser.Span, with string) { d.edits = append(d.edits, edit{at, with}) }

func (d *damaged) insert(at int, with string) { d.edit(parser.Span{Start: at, End: at}, with) }

func (d *damaged) replace(b blockAt, start, end string) {
	d.edit(b.start(), start)
	d.edit(b.end(), end)
}

func (b blockAt) start() parser.Span {
	return parser.Span{Start: b.span.Start, End: b.span.Start + len(startMarker)}
}

func (b blockAt) end() parser.Span {
	return parser.Span{Start: b.span.End - len(endMarker), End: b.span.End}
}

// head returns the range from the start of a field's key to its opener.
func (f fieldAt) head() parser.Span { return parser.Span{Start: f.key.Start, End: f.opener.Start} }

func (f fieldAt) whole() parser.Span { return parser.Span{Start: f.key.Start, End: f.closer.End} }

func (f fieldAt) separator() parser.Span { return parser.Span{Start: f.key.End, End: f.opener.Start} }

// block chooses a suitable block and marks it as hit.
func (d *damaged) block(fits func(i int, b blockAt) bool) (blockAt, bool) {
	for _, i := range d.rnd.Perm(len(d.blocks)) {
		if fits == nil || fits(i, d.blocks[i]) {
			d.hit[i] = true
			return d.blocks[i], true
		}
	}
	return blockAt{}, false
}

// field chooses a suitable field, and marks its block as hit.
func (d *damaged) field(fits func(b blockAt, i int) bool) (blockAt, int, bool) {
	for _, n := range d.rnd.Perm(len(d.blocks)) {
		for _, i := range d.rnd.Perm(len(d.blocks[n].fields)) {
			if fits(d.blocks[n], i) {
				d.hit[n] = true
				return d.blocks[n], i, true
			}
		}
	}
	return blockAt{}, 0, false
}

// apply returns the damaged text and the places of the blocks in it.
func (d *damaged) apply() (string, []parser.Span) {
	slices.SortStableFunc(d.edits, func(a, b edit) int { return cmp.Compare(a.at.Start, b.at.Start) })
	var text strings.Builder
	done := 0
	for _, e := range d.edits {
		text.WriteString(d.text[done:max(done, e.at.Start)])
		text.WriteString(e.with)
		done = max(done, e.at.End)
	}
	text.WriteString(d.text[done:])
	spans := make([]parser.Span, len(d.blocks))
	for i, b := range d.blocks {
		spans[i] = parser.Span{Start: d.moved(b.span.Start, false), End: d.moved(b.span.End, true)}
	}
	return text.String(), spans
}

// moved returns where an offset in the clean text is in the damaged text. If text was inserted at
// the offset, that is the start of the inserted text, or its end if afterInserted is set.
func (d *damaged) moved(at int, afterInserted bool) int {
	to := at
	for _, e := range d.edits {
		switch {
		case e.at.End < at || e.at.End == at && (afterInserted || e.at.Start < at):
			to += len(e.with) - (e.at.End - e.at.Start)
		case e.at.Start < at:
			to += len(e.with) - (at - e.at.Start)
		}
	}
	return to
}
