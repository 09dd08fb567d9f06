// Package needles searches a text for several pairs of bytes at once.
//
// The marks of a protocol begin with, or contain, a pair that stands in few texts. One search for all such
// pairs finds the next place where a mark may stand; the caller checks what is there. On amd64 with AVX2
// the search looks at 32 bytes at a time; elsewhere, or if built with the tag purego, it makes one search of
// the standard library for each pair.
package needles

import (
	"bytes"
	"fmt"
)

// maxPairs is how many pairs a Set holds: in its tables, each has a bit of its own.
const maxPairs = 8

// A Set holds the pairs of bytes to search for. It is read-only and safe for concurrent use.
type Set struct {
	// first and second tell for a byte in which pairs it is the first or the second: a bit each.
	first, second [256]uint8
	groups        []group
	tables        tables
}

// A group is the pairs that begin with one byte.
type group struct {
	first   byte
	seconds []byte
	pair    []byte // the pair, if it is the only one
}

// tables are first and second as the vector unit looks them up, by the low and the high half of a byte,
// and a mask of the low half.
type tables struct {
	firstLow, firstHigh, secondLow, secondHigh, low [16]uint8
}

// New returns a Set of 1 to 8 different pairs, each two bytes long. It panics on any other list.
func New(pairs ...string) *Set {
	if len(pairs) == 0 || len(pairs) > maxPairs {
		panic(fmt.Sprintf("needles: %d pairs; allowed are 1 to %d", len(pairs), maxPairs))
	}
	s := &Set{}
	for i := range s.tables.low {
		s.tables.low[i] = 0xF
	}
	for i, pair := range pairs {
		if len(pair) != 2 {
			panic(fmt.Sprintf("needles: %q has %d bytes; a pair has 2", pair, len(pair)))
		}
		a, b, bit := pair[0], pair[1], uint8(1)<<i
		s.first[a] |= bit
		s.second[b] |= bit
		t := &s.tables
		t.firstLow[a&0xF] |= bit
		t.firstHigh[a>>4] |= bit
		t.secondLow[b&0xF] |= bit
		t.secondHigh[b>>4] |= bit
		s.group(a, b)
	}
	return s
}

func (s *Set) group(a, b byte) {
	for i := range s.groups {
		if g := &s.groups[i]; g.first == a {
			g.seconds, g.pair = append(g.seconds, b), nil
			return
		}
	}
	s.groups = append(s.groups, group{first: a, seconds: []byte{b}, pair: []byte{a, b}})
}

// Index returns where the first pair begins in b, or -1 if b contains none.
func (s *Set) Index(b []byte) int {
	switch {
	case len(b) < minVector:
		return s.indexBytes(b)
	case useVector:
		return indexVector(&b[0], len(b), &s.tables)
	}
	return s.indexWindows(b)
}

// minVector is the length from which the vector unit is used: 32 bytes and the one after them.
const minVector = 33

// indexBytes is Index for a short text.
func (s *Set) indexBytes(b []byte) int {
	for i := 1; i < len(b); i++ {
		if s.first[b[i-1]]&s.second[b[i]] != 0 {
			return i - 1
		}
	}
	return -1
}

// indexWindows is Index without the vector unit. Each group is searched for apart. So that a group that is
// near bounds the search for the others, the search goes on in windows, each twice as long as the last.
func (s *Set) indexWindows(b []byte) int {
	for from, size := 0, 128; from < len(b); from, size = from+size, 2*size {
		window := b[from:min(len(b), from+size+1)]
		found := -1
		for i := range s.groups {
			if at := s.groups[i].index(window); at >= 0 {
				found, window = at, window[:at+1]
			}
		}
		if found >= 0 {
			return from + found
		}
	}
	return -1
}

// index returns where the first pair of the group begins in b, or -1.
func (g *group) index(b []byte) int {
	if g.pair != nil {
		return bytes.Index(b, g.pair)
	}
	for from := 0; ; {
		at := bytes.IndexByte(b[from:], g.first)
		if at < 0 {
			return -1
		}
		from += at + 1
		if from < len(b) && bytes.IndexByte(g.seconds, b[from]) >= 0 {
			return from - 1
		}
	}
}
