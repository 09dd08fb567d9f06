package provenance

import (
	"bytes"
	"index/suffixarray"
	"slices"

	"github.com/vcpgo/vcp/internal/work"
)

// Up to fewSearches searches are faster without an index.
const fewSearches = 64

// maxPlaces limits how many occurrences of one string are compared to find the last.
const maxPlaces = 64

// substrings finds many strings in one text. The work grows with the text and the strings, not with
// their product.
type substrings struct {
	text  []byte
	index *suffixarray.Index // nil for up to fewSearches searches
}

// newSubstrings prepares for the given number of searches in a text.
func newSubstrings(text []byte, searches int) *substrings {
	s := &substrings{text: text}
	if searches > fewSearches {
		work.Add(len(text))
		s.index = suffixarray.New(text)
	}
	return s
}

// last returns the offset of the last occurrence of sub in the text, or -1 if sub does not occur.
// If there are more than maxPlaces occurrences, it may return the offset of any of them.
func (s *substrings) last(sub []byte) int {
	if s.index == nil {
		work.Add(len(s.text))
		return bytes.LastIndex(s.text, sub)
	}
	work.Add(len(sub))
	if places := s.index.Lookup(sub, maxPlaces); len(places) > 0 {
		return slices.Max(places)
	}
	return -1
}

// hasTwo reports whether sub occurs at two or more offsets of the text.
func (s *substrings) hasTwo(sub []byte) bool {
	if s.index == nil {
		work.Add(len(s.text))
		return bytes.Index(s.text, sub) != bytes.LastIndex(s.text, sub)
	}
	work.Add(len(sub))
	return len(s.index.Lookup(sub, 2)) == 2
}
