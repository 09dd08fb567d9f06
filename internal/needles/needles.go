// Package needles searches a text for several pairs of bytes at once.
//
// Each mark of a protocol begins with, or contains, a pair of bytes that is rare in text. One
// search for all such pairs finds the next place at which a mark may be; the caller checks that
// place. On amd64 with AVX2 the search examines 32 bytes at a time. Elsewhere, or with the build
// tag purego, the search for a Set that New returned uses the standard library: it looks for one
// byte of each pair, the pair's anchor. Pairs with a byte in common share an anchor.
package needles

import (
	"bytes"
	"fmt"
	"slices"
)

// maxClasses limits the classes of a Set: each has its own bit in the tables.
const maxClasses = 8

// A Class is a set of pairs of bytes, described by four sets of numbers from 0 to 15. A pair
// belongs to the Class if each half of its two bytes is in the set for that half. Bit n of a set is
// 1 if the set contains the number n.
type Class struct {
	FirstHigh, FirstLow   uint16 // halves of the pair's first byte
	SecondHigh, SecondLow uint16 // halves of its second byte
}

// A Set contains the pairs of bytes to search for. It is read-only and safe for concurrent use.
type Set struct {
	// first[c] has a bit for each class with pairs whose first byte is c. second[c] has a bit for
	// each class with pairs whose second byte is c.
	first, second [256]uint8
	anchors       []byte // contains a byte of each pair; nil for a Set that Classes returned
	tables        tables
}

// tables contain first and second in the form for the vector unit, which looks up the low half and
// the high half of a byte separately. low is the mask for the low half.
type tables struct {
	firstLow, firstHigh, secondLow, secondHigh, low [16]uint8
}

// New returns a Set of different pairs, each two bytes long. It panics if a pair has another
// length, or if the list is empty or too long. Eight pairs always fit. More fit if some differ only
// in the case of their second letter.
func New(pairs ...string) *Set {
	var classes []Class
	for _, pair := range pairs {
		if len(pair) != 2 {
			panic(fmt.Sprintf("needles: %q has %d bytes; a pair has 2", pair, len(pair)))
		}
		a, b := pair[0], pair[1]
		c := Class{1 << (a >> 4), 1 << (a & 0xF), 1 << (b >> 4), 1 << (b & 0xF)}
		i := slices.IndexFunc(classes, func(d Class) bool {
			return d.FirstHigh == c.FirstHigh && d.FirstLow == c.FirstLow && d.SecondLow == c.SecondLow
		})
		if i < 0 {
			classes = append(classes, c)
		} else {
			classes[i].SecondHigh |= c.SecondHigh
		}
	}
	s := Classes(classes...)
	for _, pair := range pairs {
		s.addAnchor(pair[0], pair[1])
	}
	if n := len(s.anchors); n > maxClasses {
		panic(fmt.Sprintf("needles: the pairs have %d anchors; allowed are up to %d", n, maxClasses))
	}
	return s
}

// Classes returns a Set of the pairs of 1 to 8 classes. It panics for another number of classes.
// Without the vector unit a search for classes examines one byte at a time.
func Classes(classes ...Class) *Set {
	if len(classes) == 0 || len(classes) > maxClasses {
		panic(fmt.Sprintf("needles: %d classes of pairs; allowed are 1 to %d", len(classes), maxClasses))
	}
	s := &Set{}
	t := &s.tables
	for half := range 16 {
		t.low[half] = 0xF
		for i, c := range classes {
			t.firstHigh[half] |= uint8(c.FirstHigh>>half&1) << i
			t.firstLow[half] |= uint8(c.FirstLow>>half&1) << i
			t.secondHigh[half] |= uint8(c.SecondHigh>>half&1) << i
			t.secondLow[half] |= uint8(c.SecondLow>>half&1) << i
		}
	}
	for c := range s.first {
		s.first[c] = t.firstHigh[c>>4] & t.firstLow[c&0xF]
		s.second[c] = t.secondHigh[c>>4] & t.secondLow[c&0xF]
	}
	return s
}

// addAnchor makes the rarer byte of a pair an anchor. It does nothing if one of the two is an
// anchor already.
func (s *Set) addAnchor(a, b byte) {
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

// Index returns the offset of the first pair in b, or -1 if b has no pair.
func (s *Set) Index(b []byte) int {
	switch {
	case len(b) < minVector, !HasVector && s.anchors == nil:
		return s.indexBytes(b)
	case HasVector:
		return indexVector(&b[0], len(b), &s.tables)
	}
	return s.indexAnchors(b)
}

// indexAnchors is Index for a Set with anchors. It is not inlined, so that the other searches need
// no stack for the Cursor.
//
//go:noinline
func (s *Set) indexAnchors(b []byte) int { return new(Cursor).indexAnchors(s, b, 0) }

// minVector is the length from which the vector unit is used, in bytes. The unit examines 32 first
// bytes of pairs at a time; the second byte of the last pair follows them.
const minVector = 33

// indexBytes examines one byte at a time.
func (s *Set) indexBytes(b []byte) int {
	begun := uint8(0) // the classes with pairs whose first byte is the previous byte
	for i, c := range b {
		if begun&s.second[c] != 0 {
			return i - 1
		}
		begun = s.first[c]
	}
	return -1
}

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
