package needles

import "math"

// A Cursor searches one text for pair after pair. A search by anchors remembers where the next pair
// with each anchor begins, so that no byte is searched twice for the same anchor. The zero value is
// ready to use.
type Cursor struct {
	set *Set
	// The window is the part of the text in which the anchors are searched for.
	from int // offset at which the last search began; the window is valid from there on
	to   int // offset at which the window ends
	size int // of the window
	// next contains, for each anchor (of which a Set has at most maxClasses), the offset of its
	// next pair in the window. An offset less than from says that the pair is not known; the value
	// none says that no further pair exists.
	next [maxClasses]int
}

// none in Cursor.next says that the window contains no further pair.
const none = math.MaxInt

// unknown is the value of Cursor.next for a new window.
var unknown = [maxClasses]int{-1, -1, -1, -1, -1, -1, -1, -1}

// The sizes of the first window and of the longest ones, in bytes. Each window is twice as long as
// the one before, so that a near pair costs little. Each anchor reads a window again, so the
// longest ones fit into the processor's nearest cache.
const (
	firstWindow   = 512
	longestWindow = 8 << 10
)

// Index returns the offset in b of the first pair of s, or -1 if b has no pair. at is the offset of
// b in the text. An offset of the text must have the same byte in every call.
func (c *Cursor) Index(s *Set, b []byte, at int) int {
	if HasVector || s.anchors == nil || len(b) < minVector {
		return s.Index(b)
	}
	return c.indexAnchors(s, b, at)
}

// indexAnchors searches for each anchor of s separately.
func (c *Cursor) indexAnchors(s *Set, b []byte, at int) int {
	end := at + len(b) - 1                                    // no pair begins here or later
	if s != c.set || at < c.from || c.to < at || end < c.to { // the window says nothing about b
		*c = Cursor{set: s, size: firstWindow / 2} // open doubles the size
		c.open(at, end)
	}
	c.from = at
	for {
		first := none
		for i, anchor := range s.anchors {
			if c.next[i] < c.from {
				c.next[i] = none
				if n := s.indexAnchor(b[c.from-at:c.to-at+1], anchor); n >= 0 {
					c.next[i] = c.from + n
				}
			}
			first = min(first, c.next[i])
		}
		switch {
		case first < none:
			return first - at
		case c.to == end:
			return -1
		}
		c.open(c.to, end)
	}
}

// open moves the window: it begins at from and does not reach beyond end.
func (c *Cursor) open(from, end int) {
	c.size = min(2*c.size, longestWindow)
	c.from, c.to, c.next = from, min(end, from+c.size), unknown
}
