package provenance

import (
	"cmp"
	"slices"
	"sort"
)

// A keySet contains the keys of the requests on a page (see Memory.key). For each key it has the
// part of the page that contains the request. It takes less memory than a map. The zero value is an
// empty set.
type keySet struct {
	keys     []uint64
	parts    []int32 // parts[i] is the index of the part with the request of keys[i]
	isSorted bool
}

// add adds the keys of the requests in a part. Parts must be added in their order, oldest first.
func (s *keySet) add(keys map[uint64]bool, part int) {
	s.keys = slices.Grow(s.keys, len(keys))
	s.parts = slices.Grow(s.parts, len(keys))
	for key := range keys {
		s.keys, s.parts = append(s.keys, key), append(s.parts, int32(part))
	}
	s.isSorted = s.isSorted && len(keys) == 0
}

// find returns the index of the newest part with a request of that key.
func (s *keySet) find(key uint64) (part int, ok bool) {
	if !s.isSorted {
		sort.Sort(s)
		s.isSorted = true
	}
	i, ok := slices.BinarySearch(s.keys, key)
	if !ok {
		return 0, false
	}
	return int(s.parts[i]), true
}

// Len is a method of sort.Interface, as are Less and Swap.
func (s *keySet) Len() int { return len(s.keys) }

// Less sorts equal keys with the newest part first.
func (s *keySet) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(s.keys[i], s.keys[j]), cmp.Compare(s.parts[j], s.parts[i])) < 0
}

func (s *keySet) Swap(i, j int) {
	s.keys[i], s.keys[j] = s.keys[j], s.keys[i]
	s.parts[i], s.parts[j] = s.parts[j], s.parts[i]
}
