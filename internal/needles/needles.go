// Package needles searches a text for several pairs of bytes at once.
//
// Each mark of a protocol begins with, or contains, a pair of bytes that is rare in text. One
// search for all such pairs finds the next place at which a mark may be; the caller checks that
// place. On amd64 with AVX2 the search examines 32 bytes at a time. Elsewhere, or with the build
// tag purego, it uses the standard library to search for one byte of each pair. Pairs with a byte
// in common share a search.
package needles

import (
	"bytes"
	"fmt"
	"slices"
)

// maxPairs is how many pairs a Set contains: each has its own bit in the tables. Pairs that differ
// only in the case of their second letter share a bit: the low halves of the two letters are equal,
// so the tables match nothing else.
const maxPairs = 8

// A Set holds the pairs of bytes to search for. It is read-only and safe for concurrent use.
type Set struct {
	// first and second contain, for a byte, one bit for each pair in which it is the first or the
	// second.
	first, second [256]uint8
	anchors       []byte // each pair has one of them
	tables        tables
}

// tables contain first and second in the form for the vector unit: by the low half and the high
// half of a byte, with a mask for the low half.
type tables struct {
	firstLow, firstHigh, secondLow, secondHigh, low [16]uint8
}

// New returns a Set of 1 to 8 different pairs, each two bytes long. Pairs that differ in the case
// of their second letter count as one. It panics on any other list.
func New(pairs ...string) *Set {
	s := &Set{}
	for i := range s.tables.low {
		s.tables.low[i] = 0xF
	}
	bits := 0
	for i, pair := range pairs {
		if len(pair) != 2 {
			panic(fmt.Sprintf("needles: %q has %d bytes; a pair has 2", pair, len(pair)))
		}
		a, b := pair[0], pair[1]
		bit := uint8(1) << bits
		if j := slices.IndexFunc(pairs[:i], func(p string) bool { return p[0] == a && p[1]^b == 0x20 }); j >= 0 {
			bit = s.first[a] & s.second[pairs[j][1]]
		} else {
			bits++
		}
		s.first[a] |= bit
		s.second[b] |= bit
		t := &s.tables
		t.firstLow[a&0xF] |= bit
		t.firstHigh[a>>4] |= bit
		t.secondLow[b&0xF] |= bit
		t.secondHigh[b>>4] |= bit
		s.anchor(a, b)
	}
	if bits == 0 || bits > maxPairs {
		panic(fmt.Sprintf("needles: %d pairs; allowed are 1 to %d", bits, maxPairs))
	}
	return s
}

// anchor makes one byte of a pair an anchor, unless one is already: the rarer one.
func (s *Set) anchor(a, b byte) {
	switch {
	case bytes.IndexByte(s.anchors, a) >= 0, bytes.IndexByte(s.anchors, b) >= 0:
	case rare(a) || !rare(b):
		s.anchors = append(s.anchors, a)
	default:
		s.anchors = append(s.anchors, b)
	}
}

// rare reports whether a byte is rare in English and Chinese prose. It is neither a letter, nor a
// space, nor a byte of many Chinese characters or punctuation marks in UTF-8.
func rare(c byte) bool {
	letter := 'a' <= c|0x20 && c|0x20 <= 'z'
	return !letter && c != ' ' && c < 0xC0 && c != 0x80 && c != 0xBC
}

// Index returns the offset of the first pair in b, or -1 if there is none.
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

// indexWindows is Index without the vector unit. Each anchor is searched for separately. The search
// proceeds in windows, each twice as long as the last, so that a near anchor limits the search for
// the others. Long windows still fit into the processor's nearest cache, because each anchor reads
// them again.
func (s *Set) indexWindows(b []byte) int {
	for from, size := 0, firstWindow; from < len(b); from, size = from+size, min(2*size, lastWindow) {
		window := b[from:min(len(b), from+size+1)]
		found := -1
		for _, anchor := range s.anchors {
			if at := s.indexAnchor(window, anchor); at >= 0 {
				found, window = at, window[:at+1]
			}
		}
		if found >= 0 {
			return from + found
		}
	}
	return -1
}

// The lengths of the first window and of the longest ones, in bytes.
const (
	firstWindow = 128
	lastWindow  = 8 << 10
)

// indexAnchor returns where the first pair with the anchor begins in b, or -1.
func (s *Set) indexAnchor(b []byte, anchor byte) int {
	first, second := s.first[anchor], s.second[anchor]
	for from := 0; ; {
		at := bytes.IndexByte(b[from:], anchor)
		if at < 0 {
			return -1
		}
		at += from
		if at > 0 && s.first[b[at-1]]&second != 0 {
			return at - 1
		}
		if from = at + 1; from < len(b) && first&s.second[b[from]] != 0 {
			return at
		}
	}
}
