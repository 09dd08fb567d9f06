package parser

import (
	"bytes"

	"github.com/vcpgo/vcp/internal/forms"
	"github.com/vcpgo/vcp/internal/needles"
)

// Tags are the marks that the parser itself searches for in text: reasoning tags, and the start and
// end of requests in other forms. tagNeedles are the pairs of bytes at their start, for each
// protocol. markNeedles also find fences.
var (
	tagNeedles  = forms.NewNeedles("<t", "<T", "<r", "<R", "</")
	markNeedles = forms.NewNeedles("<t", "<T", "<r", "<R", "</", "``", "~~")
)

// fenceNeedles are pairs of bytes, one of which is in every line that opens or closes fenced code.
var fenceNeedles = needles.New("``", "~~")

// closingLetters are the first letters of the names of closing tags.
var closingLetters = byteSet("tTrRif")

// textSearch searches the text for tags, fences and paragraphs. It remembers how far it searched,
// so that no byte is searched twice for the same thing.
type textSearch struct {
	w           *window
	tags, marks *needles.Set
	// tagCursor is the search for tags or marks, fenceCursor that for fences.
	tagCursor, fenceCursor needles.Cursor

	// No tag begins before noTag, and no fence begins before noFence. noParagraph is the offset up
	// to which the text was searched for paragraphs.
	noTag, noFence, noParagraph int
	// If toMark is set, a mark follows, and its place must be decided. Then nextTag records in
	// found the fences that it passes.
	found  foundFences
	toMark bool
}

// reset makes s ready for a reply in the form of the protocol with that ID.
func (s *textSearch) reset(w *window, protocol string) {
	*s = textSearch{w: w, tags: tagNeedles.For(protocol), marks: markNeedles.For(protocol)}
}

// nextTag searches the text from at to limit for a place where a tag may begin. It returns the
// first such place, or limit. fenceFrom is the offset from which nextFence will search.
func (s *textSearch) nextTag(at, limit, fenceFrom int) int {
	at = max(at, s.noTag)
	set := s.tags
	if s.toMark && max(fenceFrom, s.noFence, s.found.to) >= at { // nextFence will not search before at
		set = s.marks
	}
	for at < limit {
		b := s.w.bytes(at, limit)
		i := s.tagCursor.Index(set, b, at)
		if i < 0 {
			s.w.examined += len(b)
			at = limit
			if b[len(b)-1] == '<' { // a tag may begin there
				at--
			}
			break
		}
		s.w.examined += i + 1
		at += i
		if b = b[i:]; b[0] != '<' {
			n := runLen(b)
			if n > 2 && !s.found.add(at) {
				set = s.tags
			}
			at += n
			continue
		}
		if b[1] != '/' || len(b) == 2 || closingLetters[b[2]] {
			break
		}
		at++
	}
	s.noTag = at
	if set == s.marks {
		s.found.to = max(s.found.to, at-2) // a fence of three marks may begin in the last two bytes
	}
	return min(at, limit)
}

// nextFence searches the text from at to limit for three backticks or tildes. It returns their
// offset, or limit.
func (s *textSearch) nextFence(at, limit int) int {
	at = max(at, s.noFence)
	if found := s.found.from(at); found >= 0 {
		return min(found, limit)
	}
	at = max(at, s.found.to)
	for at+2 < limit {
		b := s.w.bytes(at, limit)
		i := s.fenceCursor.Index(fenceNeedles, b, at)
		if i < 0 {
			s.w.examined += len(b)
			at = limit - 2 // a fence may begin in the last two bytes
			break
		}
		s.w.examined += i + 2
		if at += i; i+2 >= len(b) {
			break
		}
		if b[i+2] == b[i] {
			s.noFence = at
			return at
		}
		at++
	}
	s.noFence = max(s.noFence, at)
	return limit
}

// lineStart returns the start of the line that contains the offset at, but at least from.
func (s *textSearch) lineStart(from, at int) int {
	b := s.w.bytes(from, at)
	i := len(b)
	for i > 0 && !isBreak(b[i-1]) { // usually no step, because the byte begins its line
		i--
	}
	s.w.examined += len(b) - i
	return from + i
}

// beginsAfresh reports whether a line outside of all containers surely begins at the offset at.
// Such a line follows an empty line after from, and begins with neither a blank nor the mark of a
// container.
func (s *textSearch) beginsAfresh(from, at int) bool {
	if at < from+2 || at == s.w.end() {
		return false
	}
	b := s.w.bytes(at-2, at+1)
	return b[0] == '\n' && b[1] == '\n' && !containerLetters[b[2]]
}

// containerLetters are the first bytes of lines that are blank, or open or continue a container.
var containerLetters = byteSet(">-*+0123456789 \t\r\n")

// paragraphStart returns the start of the last paragraph between from and limit that follows an
// empty line, outside of list items and quotations. It returns from if no paragraph does.
func (s *textSearch) paragraphStart(from, limit int) int {
	at := max(from, s.noParagraph)
	s.noParagraph = max(s.noParagraph, limit-1)
	if at >= limit {
		return from
	}
	for b := s.w.bytes(at, limit); len(b) > 1; {
		i := bytes.LastIndexByte(b[:len(b)-1], '\n')
		if i < 1 {
			s.w.examined += len(b)
			break
		}
		s.w.examined += len(b) - i
		if b[i-1] == '\n' && !blockLetters[b[i+1]] {
			return at + i + 1
		}
		b = b[:i+1]
	}
	return from
}

// blockLetters are the first bytes of lines that may be something other than text of a paragraph,
// such as a heading or a fence.
var blockLetters = byteSet("`~<>-*+_=#0123456789 \t\r\n")

// foundFences are the fences that the search for tags has passed, as many as there is room for. A
// separate search for them takes 7 percent of the time of a reply of 72 KB with eight calls.
type foundFences struct {
	list    [32]int
	next, n int // list[next:n] are the offsets of the fences
	to      int // no other fence begins before this offset
}

// add records where a fence begins. It returns false if there is no room.
func (f *foundFences) add(at int) bool {
	if f.next == f.n {
		f.next, f.n = 0, 0
	}
	if f.n == len(f.list) {
		f.to = at
		return false
	}
	f.list[f.n] = at
	f.n++
	return true
}

// from forgets the fences before an offset, and returns the first one from there on, or -1 if it
// knows none.
func (f *foundFences) from(at int) int {
	for ; f.next < f.n; f.next++ {
		if f.list[f.next] >= at {
			return f.list[f.next]
		}
	}
	return -1
}
