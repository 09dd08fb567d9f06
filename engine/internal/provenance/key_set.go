package provenance

import (
	"cmp"
	"slices"
)

// A keySet contains the keys of the requests on a page (see Memory.key). It takes less memory than
// a map. The zero value is an empty set.
type keySet struct {
	entries  []keyEntry
	isSorted bool
}

// A keyEntry is the key of a request, and the index of the part of the page that contains it.
type keyEntry struct {
	key  uint64
	part int
}

// add adds the keys of the requests in a part. Parts must be added in their order, oldest first.
func (s *keySet) add(keys map[uint64]bool, part int) {
	s.entries = slices.Grow(s.entries, len(keys))
	for key := range keys {
		s.entries = append(s.entries, keyEntry{key, part})
	}
	s.isSorted = s.isSorted && len(keys) == 0
}

// find returns the index of the newest part with a request of that key.
func (s *keySet) find(key uint64) (part int, ok bool) {
	if !s.isSorted {
		slices.SortFunc(s.entries, func(a, b keyEntry) int { // of equal keys, the newest part comes first
			return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(b.part, a.part))
		})
		s.isSorted = true
	}
	i, ok := slices.BinarySearchFunc(s.entries, key, func(e keyEntry, key uint64) int { return cmp.Compare(e.key, key) })
	if !ok {
		return 0, false
	}
	return s.entries[i].part, true
}
