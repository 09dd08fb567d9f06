package builtin

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sort"
	"strings"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/text"
)

// maxReadText limits the text that one call returns, in bytes.
const maxReadText = 128 << 10

// lineReader collects a range of the lines of a text, and counts all lines. The fields from and to
// are the numbers of the first and the last line of the range, counted from 1. If to is 0, the
// range ends with the text.
type lineReader struct {
	printer    message.Printer // for pageText
	searchable bool            // for pageText: files_search can search the text
	from, to   int

	text      []byte
	count     int  // lines seen
	last      int  // number of the last line in text, or 0 if text is empty
	truncated bool // text was omitted at the end
	uncounted bool // the text may have more lines than were seen
}

// read reads all lines of r.
func (l *lineReader) read(r *bufio.Reader) error {
	lineStart := true
	for {
		piece, err := r.ReadSlice('\n')
		if len(piece) > 0 {
			if lineStart {
				l.count++
			}
			if l.count >= l.from && (l.to == 0 || l.count <= l.to) {
				l.take(piece)
			}
			lineStart = piece[len(piece)-1] == '\n'
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

// take adds a piece of the current line, as far as it fits.
func (l *lineReader) take(piece []byte) {
	room := maxReadText - len(l.text)
	if l.truncated {
		return
	}
	if room > 0 {
		l.last = l.count
	}
	l.text = append(l.text, piece[:min(len(piece), room)]...)
	if len(piece) > room {
		l.truncated, l.text = true, text.WholeRunes(l.text)
	}
}

// total returns the number of lines of the text, or "more than" the number of lines seen.
func (l *lineReader) total() *message.Text {
	if l.uncounted {
		return sentence("more than %d", l.count)
	}
	return sentence("%d", l.count)
}

// pageText returns as many of the collected lines as fit, and sets last and truncated accordingly.
// A note after the lines says which lines they are, how many lines the text has, and how to
// continue. A text that fits as a whole has no note.
func (l *lineReader) pageText(fits func(string) bool) string {
	if whole := string(l.text); l.from == 1 && l.last == l.count && !l.truncated && !l.uncounted && fits(whole) {
		return whole
	}
	lineEnds := []int{} // offsets of the ends of the whole lines in text
	for i, c := range l.text {
		if c == '\n' || i == len(l.text)-1 && !l.truncated {
			lineEnds = append(lineEnds, i+1)
		}
	}
	lastCollected, wasTruncated := l.last, l.truncated
	// shown sets last and truncated for the note, so the call for the result must be the last one.
	shown := func(n int) string {
		l.last, l.truncated = l.from+n-1, wasTruncated || l.from+n-1 < lastCollected
		return withNote(string(l.text[:lineEnds[n-1]]), l.note(""))
	}
	n := sort.Search(len(lineEnds), func(n int) bool { return !fits(shown(n + 1)) })
	if n > 0 {
		return shown(n)
	}
	return l.beginning(fits)
}

// beginning returns as many characters of the first collected line as fit, with a note.
func (l *lineReader) beginning(fits func(string) bool) string {
	line := l.text
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	l.last, l.truncated = l.from, true
	shown := func(n int) string {
		part := text.WholeRunes(line[:n])
		return withNote(string(part), l.note(l.printer.Say("This line is truncated after %d bytes. ", len(part))))
	}
	return shown(sort.Search(len(line), func(n int) bool { return !fits(shown(n + 1)) }))
}

// note returns a note in parentheses: first the given beginning, then which lines are shown, and
// how to read the next lines.
func (l *lineReader) note(beginning string) string {
	say := l.printer.Say
	what := say("Lines %d to %d of %v", l.from, l.last, l.total())
	if l.from == l.last {
		what = say("Line %d of %v", l.from, l.total())
	}
	if l.truncated && (l.last < l.count || l.uncounted) {
		what += say("; to continue, set startLine to %d", l.last+1)
	}
	if l.truncated && l.searchable {
		what += say("; to find a word, use files_search")
	}
	return say("(%s%s.)", beginning, what)
}

// withNote returns text with a note after it, on a line of its own.
func withNote(text, note string) string {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + note
}
