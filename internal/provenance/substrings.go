package provenance

import (
	"bytes"
	"index/suffixarray"
	"slices"

	"github.com/vcpgo/vcp/internal/work"
)

// fewSearches is up to how many searches an index is not worth its time.
const fewSearches = 64

// maxPlaces limits the places of one string that are compared.
const maxPlaces = 64

// substrings finds many strings in one text. The work grows with the text and the strings, not with
// their product.
type substrings struct {
	text  []byte
	index *suffixarray.Index // nil for few searches
}

// newSubstrings prepares a number of searches in a text.
func newSubstrings(text []byte, searches int) *substrings {
	s := &substrings{text: text}
	if searches > fewSearches {
		work.Add(len(text))
		s.index = suffixarray.New(text)
	}
	return s
}

// last returns the last place of a string in the text, or -1 if the text does not contain it. If it
// has more than maxPlaces, it returns one of them.
func (s *substrings) last(of []byte) int {
	if s.index == nil {
		work.Add(len(s.text))
		return bytes.LastIndex(s.text, of)
	}
	work.Add(len(of))
	if places := s.index.Lookup(of, maxPlaces); len(places) > 0 {
		return slices.Max(places)
	}
	return -1
}

// twice reports whether a string is at two places of the text.
func (s *substrings) twice(of []byte) bool {
	if s.index == nil {
		work.Add(len(s.text))
		return bytes.Index(s.text, of) != bytes.LastIndex(s.text, of)
	}
	work.Add(len(of))
	return len(s.index.Lookup(of, 2)) == 2
}
