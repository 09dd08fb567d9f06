package terminal

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"github.com/vcpgo/vcp/internal/text"
)

// screen is a size in character cells; 0 is unknown.
type screen struct{ rows, columns int }

const (
	// defaultRows and defaultColumns are the size of a terminal if it is unknown.
	defaultRows, defaultColumns = 24, 80
	// maxRows and maxColumns limit the size; larger screens are used in part.
	maxRows, maxColumns = 200, 400
)

// usable replaces an unknown size by the default, and limits a large size.
func (s screen) usable() screen {
	if s.rows <= 0 {
		s.rows = defaultRows
	}
	if s.columns <= 0 {
		s.columns = defaultColumns
	}
	return screen{min(s.rows, maxRows), min(s.columns, maxColumns)}
}

// glyph is the smallest piece of foreign text on a screen: a character, or the text shown in its
// place.
type glyph struct {
	text       string
	characters int // of the original; more than one if text describes a long run
}

const (
	// maxBlanks is the longest run of white space that is shown as it is.
	maxBlanks = 8
	// maxMarks is how many combining marks may follow a character. More would overlap the rows
	// above.
	maxMarks = 3
	// blankSign represents the blanks of a run. In foreign text it is escaped.
	blankSign = '\u2420'
)

// glyphs yields foreign text much as Visible shows it. A long run of white space is shown by its
// length, as in ␠×3000, and too many combining marks are escaped.
func glyphs(foreign string) iter.Seq[glyph] {
	return func(yield func(glyph) bool) {
		marks := 0
		for rest := foreign; rest != ""; {
			r, size := utf8.DecodeRuneInString(rest)
			g := glyph{rest[:size], 1}
			if marks++; !unicode.IsMark(r) {
				marks = 0
			}
			if length, n := blankRun(rest); n > maxBlanks {
				size, g = length, glyph{runText(rest[:length], n), n}
			} else if marks > maxMarks || r == blankSign || text.Hidden(r) {
				g.text = text.Escape(r)
			} else if r == utf8.RuneError {
				g.text = string(r) // the bytes may not be UTF-8
			}
			if !yield(g) {
				return
			}
			rest = rest[size:]
		}
	}
}

// blankRun returns the length, in bytes and in characters, of the white space at the start of a
// text. If the text starts with another invisible character, its repetitions are counted.
func blankRun(foreign string) (length, n int) {
	first, _ := utf8.DecodeRuneInString(foreign)
	space := unicode.IsSpace(first)
	if !space && !text.Hidden(first) {
		return 0, 0
	}
	for i, r := range foreign {
		if r != first && !(space && unicode.IsSpace(r)) {
			return i, n
		}
		n++
	}
	return len(foreign), n
}

// runText shows a run of n blanks by its kinds, in the order of their first appearance, and its
// length.
func runText(run string, n int) string {
	var kinds []rune
	for _, r := range run {
		if !slices.Contains(kinds, r) { // there are about two dozen kinds
			kinds = append(kinds, r)
		}
	}
	var b strings.Builder
	for _, r := range kinds {
		if r == ' ' {
			b.WriteRune(blankSign)
		} else {
			b.WriteString(text.Escape(r))
		}
	}
	if len(kinds) > 1 {
		return fmt.Sprintf("[%s]×%d", b.String(), n)
	}
	return fmt.Sprintf("%s×%d", b.String(), n)
}

// wide measures the larger width for characters that some terminals show narrow and others wide.
var wide = runewidth.Condition{EastAsianWidth: true}

// cells returns the maximum number of cells in which a terminal shows text.
func cells(text string) int {
	n := 0
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			n++
		case unicode.Is(unicode.Regional_Indicator, r):
			n += 2 // half a flag; some terminals show it alone as a wide letter
		default:
			n += max(1, wide.RuneWidth(r)) // some show a combining mark in a cell of its own
		}
	}
	return n
}

// measure returns the cells that glyphs take.
func measure(text iter.Seq[glyph]) int {
	n := 0
	for g := range text {
		n += cells(g.text)
	}
	return n
}

// shorten returns text that is shortened in the middle until it fits into room, a number of cells.
// It also returns the number of characters that it omitted. It allocates memory in proportion to
// room.
func shorten(room int, text iter.Seq[glyph]) (shown string, omitted int) {
	var begin strings.Builder
	if measure(text) <= room {
		for g := range text {
			begin.WriteString(g.text)
		}
		return begin.String(), 0
	}
	// mark replaces the omitted middle. gap is how many cells are reserved for the mark; 24 are
	// enough for any number.
	mark, gap := func(n int) string { return fmt.Sprintf("…(%d more)…", n) }, 24
	if room < 3*gap { // little text would be left beside the long mark
		mark, gap = func(int) string { return "…" }, cells("…")
	}
	end := tail{room: max(0, (room-gap)/3)} // two thirds are for the beginning
	left := room - gap - end.room
	for g := range text {
		if left -= cells(g.text); left >= 0 {
			begin.WriteString(g.text)
		} else {
			end.push(g)
		}
	}
	return begin.String() + mark(end.dropped) + end.String(), end.dropped
}

// tail keeps the last glyphs of a text that fit into room, and counts the characters before them.
type tail struct {
	room    int // cells that are left
	glyphs  []glyph
	dropped int
}

func (t *tail) push(g glyph) {
	t.glyphs = append(t.glyphs, g)
	for t.room -= cells(g.text); t.room < 0; t.glyphs = t.glyphs[1:] {
		t.room += cells(t.glyphs[0].text)
		t.dropped += t.glyphs[0].characters
	}
}

func (t *tail) String() string {
	var b strings.Builder
	for _, g := range t.glyphs {
		b.WriteString(g.text)
	}
	return b.String()
}

// wrapLead begins a row that continues the one above it.
const wrapLead = "    "

// page is text in rows of a screen. It wraps its rows itself, because a terminal would begin the
// wrapped text at the margin, like a row of vcp.
type page struct {
	columns int // that the rows may use
	rows    int
	text    strings.Builder
}

// newPage returns an empty page. It does not use the last column, because some terminals begin
// another row when that column is filled.
func newPage(s screen) *page { return &page{columns: s.columns - 1} }

// add adds text as rows. The first begins with lead and the others with wrapLead.
func (p *page) add(lead, text string) {
	left := p.columns - cells(lead)
	p.text.WriteString(lead)
	for _, r := range text {
		n := cells(string(r))
		if left < n {
			p.text.WriteString("\n" + wrapLead)
			p.rows++
			left = p.columns - cells(wrapLead)
		}
		p.text.WriteRune(r)
		left -= n
	}
	p.text.WriteByte('\n')
	p.rows++
}

// room returns how many cells of text fit into a number of rows after a lead, in the worst case.
func (p *page) room(lead string, rows int) int {
	perRow := p.columns - max(cells(lead), cells(wrapLead)) - 1 // a wide character may not fit into the last cell
	return int(min(int64(rows)*int64(perRow), math.MaxInt32))
}
