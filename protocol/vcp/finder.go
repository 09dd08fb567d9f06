package vcp

import (
	"bytes"
	"math/bits"
)

// All that means anything begins with an angle bracket or holds one of two words. A finder walks a stream from one such place to
// the next. It remembers for each of them how far it has looked, so that no byte is searched twice for the same thing.

type anchor uint8

const (
	anchorAngle anchor = iota // '<'
	anchorWideAngle
	anchorDoubleAngle
	anchorOpen
	anchorClose
	anchorEntity // '&' and '\\' begin escaped markers: they are looked for at level greedy only
	anchorBackslash
	anchorCount

	plainAnchors = anchorEntity
)

// anchorBytes are what the anchors are searched by: their last byte, which is rare in text of any script, the two before it.
var anchorBytes = [anchorCount]struct {
	last   byte
	before string
}{
	anchorAngle:       {last: '<'},
	anchorWideAngle:   {last: "＜"[2], before: "＜"[:2]},
	anchorDoubleAngle: {last: "《"[2], before: "《"[:2]},
	anchorOpen:        {last: wordOpen[2], before: wordOpen[:2]},
	anchorClose:       {last: wordClose[2], before: wordClose[:2]},
	anchorEntity:      {last: '&'},
	anchorBackslash:   {last: '\\'},
}

// anchorOf tells by a byte which anchor it may end, plus one.
var anchorOf = func() (t [256]uint8) {
	for k, a := range anchorBytes {
		t[a.last] = uint8(k) + 1
	}
	return t
}()

// smallWindow is the length up to which one loop over the bytes is cheaper than a search for each anchor.
const smallWindow = 128

type finder struct {
	// All positions are offsets into the stream. next[k] is the next place of anchor k at or after low, where found has bit k;
	// else there is none in [low, next[k]).
	next  [anchorCount]int
	found uint8
	low   int
	kinds anchor // how many of the anchors are looked for
}

// find returns the first anchor that begins in src[i:]; at is -1 where there is none. base is the offset of src[0].
func (f *finder) find(src []byte, i, base int) (at int, kind anchor) {
	if i+base < f.low {
		// The caller has gone back: what was passed there is looked at again, the rest is still known.
		end := min(len(src), f.low-base+2)
		if at, kind := f.findSmall(src[:end], i); at >= 0 && at+base < f.low {
			return at, kind
		}
		i = min(len(src), f.low-base)
	}
	if len(src)-i <= smallWindow {
		return f.findSmall(src, i)
	}
	f.low = i + base
	at = -1
	for k := range f.kinds {
		p := f.next[k] - base
		if p < i || f.found&(1<<k) == 0 {
			p = f.search(src, max(p, i), k)
			f.next[k] = p + base
		}
		if f.found&(1<<k) != 0 && (at < 0 || p < at) {
			at, kind = p, k
		}
	}
	return at, kind
}

// search sets the bit of k and returns the place where it was found, or clears it and returns how far there is none.
func (f *finder) search(src []byte, i int, k anchor) int {
	a := &anchorBytes[k]
	for j := i + len(a.before); j < len(src); j++ {
		o := bytes.IndexByte(src[j:], a.last)
		if o < 0 {
			break
		}
		if j += o; string(src[j-len(a.before):j]) == a.before && (k > anchorDoubleAngle || doubled(src, j, k)) {
			f.found |= 1 << k
			return j - len(a.before)
		}
	}
	f.found &^= 1 << k
	return max(i, len(src)-len(a.before))
}

// findSmall is find for a short src.
func (f *finder) findSmall(src []byte, i int) (at int, kind anchor) {
	for j := i; j < len(src); j++ {
		t := anchorOf[src[j]]
		if t == 0 || anchor(t) > f.kinds {
			continue
		}
		k := anchor(t - 1)
		a := &anchorBytes[k]
		if start := j - len(a.before); start >= i && string(src[start:j]) == a.before && (k > anchorDoubleAngle || doubled(src, j, k)) {
			return start, k
		}
	}
	return -1, 0
}

// doubled reports whether the angle bracket that ends at src[j] may be followed by another: a lone one begins no marker.
func doubled(src []byte, j int, k anchor) bool {
	rest := src[j+1:]
	a := &anchorBytes[k]
	if len(rest) == 0 || rest[0] == a.last && k == anchorAngle {
		return true
	}
	if k == anchorAngle {
		return false
	}
	n := min(len(rest), len(a.before))
	return string(rest[:n]) == a.before[:n] && (len(rest) <= n || rest[n] == a.last)
}

// hold returns where the tail of src[from:] begins that could become part of an anchor, or of an edge whose word is still to come.
// It is len(src) where there is no such tail.
func hold(src []byte, from int) int {
	end := len(src)
	// A rune of which only some bytes are here.
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
	edge := end - blankBefore(src[from:end])
	for _, pair := range bracketPairs {
		if bytes.HasSuffix(src[from:edge], []byte(pair[0])) {
			return edge - len(pair[0])
		}
	}
	return end
}
