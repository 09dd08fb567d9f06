package vcp

import (
	"bytes"
	"math/bits"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/needles"
)

// Every mark begins with an angle bracket, which may be escaped, or contains 始 or 末. A finder
// searches a stream for these anchors. It remembers how far it has searched, so that few bytes are
// searched twice.

// anchor is a kind of anchor.
type anchor uint8

const (
	anchorAngle anchor = iota // '<' and its wide forms
	anchorOpen
	anchorClose
	anchorEscaped // '&' and '\\' begin escaped markers, which are searched for at level greedy only
)

// A character of three bytes is searched for by its last two, because that pair is far less
// frequent than either byte.
var (
	plainNeedles  = needles.New("<<", wordOpen[1:], wordClose[1:], "＜"[1:], "《"[1:])
	greedyNeedles = needles.New("<<", wordOpen[1:], wordClose[1:], "＜"[1:], "《"[1:], "&l", `\<`)
)

// finder searches one stream for anchors. The zero value is ready to use once needles is set.
type finder struct {
	needles *needles.Set
	cursor  needles.Cursor
	// Offsets in the stream: no anchor begins in the range [low, at). If found is set, an anchor
	// begins at the offset at, and kind is its kind.
	low, at int
	found   bool
	kind    anchor

	examined int // number of bytes examined; those examined twice count twice
}

// find returns the index in src of the first anchor that begins in src[i:], or -1 if no anchor
// does. base is the offset of src[0] in the stream.
func (f *finder) find(src []byte, i, base int) (at int, kind anchor) {
	if f.at > base+len(src) {
		f.low, f.at, f.found = 0, 0, false // the caller has removed the end of the text
	}
	if i+base < f.low {
		// The caller has gone back: search only the part before low again.
		end := min(len(src), f.low-base+len(wordOpen)-1)
		if at, kind := f.search(src[:end], i); at >= 0 && at+base < f.low {
			return at, kind
		}
		i = f.low - base
	}
	if i+base <= f.at {
		if f.found {
			return f.at - base, f.kind
		}
		i = f.at - base
	} else {
		f.low = i + base
	}
	if i > len(src) {
		return -1, 0
	}
	at, kind = f.searchWith(&f.cursor, src, i, base)
	if f.found = at >= 0; f.found {
		f.at, f.kind = at+base, kind
	} else {
		f.at = max(i, len(src)-len(wordOpen)+1) + base
	}
	return at, kind
}

// search is find without the record of what was searched.
func (f *finder) search(src []byte, i int) (at int, kind anchor) {
	var c needles.Cursor
	return f.searchWith(&c, src, i, 0)
}

// searchWith is search with a cursor for the text, in which src begins at the offset base.
func (f *finder) searchWith(c *needles.Cursor, src []byte, i, base int) (at int, kind anchor) {
	for j := i; j < len(src); j++ {
		n := c.Index(f.needles, src[j:], base+j)
		if n < 0 {
			f.examined += len(src) - j
			if last := len(src) - 1; last >= i && f.halfPair(src[last]) {
				return anchorAt(src, last)
			}
			break
		}
		f.examined += n + 1
		j += n
		if at, kind := anchorAt(src, j); at >= i {
			return at, kind
		}
	}
	return -1, 0
}

// halfPair reports whether c, at the end of the input, is the first byte of an ASCII needle.
func (f *finder) halfPair(c byte) bool {
	return c == '<' || f.needles == greedyNeedles && (c == '&' || c == '\\')
}

// anchorAt returns the anchor whose needle is at src[j:]; at is -1 if the needle is part of
// something else.
func anchorAt(src []byte, j int) (at int, kind anchor) {
	switch src[j] {
	case '<':
		// A single bracket begins no marker.
		if j+1 == len(src) || src[j+1] == '<' {
			return j, anchorAngle
		}
		return -1, 0
	case '&', '\\':
		return j, anchorEscaped
	}
	if j == 0 {
		return -1, 0
	}
	switch at = j - 1; string(src[at : j+2]) {
	case wordOpen:
		return at, anchorOpen
	case wordClose:
		return at, anchorClose
	case "＜", "《":
		rest := src[j+2:] // a single bracket begins no marker
		if n := min(len(rest), 3); bytes.Equal(rest[:n], src[at:at+n]) {
			return at, anchorAngle
		}
	}
	return -1, 0
}

// holdBytes[b] reports that hold may hold back a character whose last byte is b. holdMiddle[b]
// reports the same for the byte before the last one. ASCII blanks are not included.
var holdBytes, holdMiddle = func() (last, middle [256]bool) {
	last["\u3000"[2]], middle["\u3000"[1]] = true, true
	for _, pair := range bracketPairs {
		bracket := pair[0]
		last[bracket[len(bracket)-1]] = true
		if len(bracket) > 1 {
			middle[bracket[1]] = true
		}
	}
	return last, middle
}()

// endsPlainly[b] reports, for an ASCII byte b, that mayHold is false for every text that ends in b.
var endsPlainly = func() (t [256]bool) {
	for c := range utf8.RuneSelf {
		t[c] = c != ' ' && c != '\t' && !holdBytes[c]
	}
	return t
}()

// mayHold is a fast check: if it returns false, hold holds back nothing of b.
func mayHold(b []byte) bool {
	last := b[len(b)-1]
	if last >= utf8.RuneSelf && (len(b) < 3 || b[len(b)-3]>>4 != 0xE || utf8.RuneStart(b[len(b)-2]) || utf8.RuneStart(last)) {
		return true // not a rune of three bytes
	}
	if last == ' ' || last == '\t' {
		return len(b) > 1 && holdBytes[b[len(b)-2]]
	}
	return holdBytes[last] && (last < utf8.RuneSelf || holdMiddle[b[len(b)-2]])
}

// hold returns the start of the tail of src[from:] that could become part of an anchor or of an
// edge: an incomplete character, or a bracket before a 始 or 末 that may follow. It is len(src) if
// there is no such tail. A single '<', '&' or '\\' at the end is not held back, because find returns
// it as an anchor.
func hold(src []byte, from int) int {
	end := len(src)
	// The tail may be the first bytes of a rune. The first byte of a rune begins with as many ones
	// as the rune has bytes.
	for back := 1; back <= 3 && end-back >= from; back++ {
		c := src[end-back]
		if c < 0x80 {
			break
		}
		if c >= 0xC0 {
			if bits.LeadingZeros8(^c) > back {
				end -= back
			}
			break
		}
	}
	if pair, start := bracketBefore(src[from:end]); pair >= 0 {
		return from + start
	}
	return end
}
