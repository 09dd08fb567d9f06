package protocol

import "fmt"

// What one search looks for at most: as many as the registers of a vector unit hold beside the text. Pairs alone may be one more.
const (
	maxPairs     = 4
	maxPairsOnly = 5
	maxSingles   = 3
)

// Needles are bytes and pairs of bytes that are searched for all at once, so that one pass over a text finds where its next mark may
// stand. A character of three bytes is found by two of them, and the rest is checked where it is found. Needles are read-only and safe
// for concurrent use.
type Needles struct {
	search needleSearch
	// pairs holds the pairs, first byte and second. Unused places of pairs and singles repeat a needle.
	pairs   [2 * maxPairsOnly]byte
	singles [maxSingles]byte
	// both holds the pairs and then the singles.
	both [2*maxPairs + maxSingles]byte
	// table tells of a byte whether it is a single (needleSingle) or the second of a pair (its index plus one).
	table [256]uint8
}

// needleSearch is what is searched for.
type needleSearch uint8

const (
	searchBoth needleSearch = iota
	searchSingles
	searchPairs
)

const needleSingle = 0x80

// NewNeedles returns needles for the bytes of singles, at most 3, and for the pairs of bytes, at most 4, whose second bytes differ. There is
// at least one needle; where there are no singles there may be 5 pairs. Anything else is a mistake in the program, and panics.
func NewNeedles(singles string, pairs ...string) *Needles {
	n := &Needles{}
	most := maxPairs
	switch {
	case len(singles) == 0:
		n.search, most = searchPairs, maxPairsOnly
	case len(pairs) == 0:
		n.search = searchSingles
	}
	if len(singles)+len(pairs) == 0 || len(singles) > maxSingles || len(pairs) > most {
		panic(fmt.Sprintf("protocol: %d single needles and %d pairs; allowed are up to 3 and up to 4, or up to 5 pairs alone", len(singles), len(pairs)))
	}
	for i, pair := range pairs {
		if len(pair) != 2 || n.table[pair[1]] != 0 {
			panic(fmt.Sprintf("protocol: the needle %q is no pair of bytes, or another pair ends like it", pair))
		}
		n.table[pair[1]] = uint8(i + 1)
	}
	for i := range len(singles) {
		n.table[singles[i]] |= needleSingle
	}
	for i := range n.pairs {
		switch {
		case len(pairs) > 0:
			n.pairs[i] = pairs[min(i/2, len(pairs)-1)][i%2]
		default:
			n.pairs[i] = singles[0] // found as a single all the same
		}
	}
	for i := 0; i < len(n.singles) && len(singles) > 0; i++ {
		n.singles[i] = singles[min(i, len(singles)-1)]
	}
	copy(n.both[:], n.pairs[:2*maxPairs])
	copy(n.both[2*maxPairs:], n.singles[:])
	return n
}

// Index returns where the first needle begins in b, -1 where there is none.
func (n *Needles) Index(b []byte) int {
	if len(b) < minVector || !useVector {
		return n.indexLoop(b)
	}
	switch n.search {
	case searchSingles:
		return indexSingles(&b[0], len(b), &n.singles)
	case searchPairs:
		return indexPairs(&b[0], len(b), &n.pairs)
	}
	if at := indexBoth(&b[0], len(b), &n.both); at >= 0 {
		return at
	}
	if n.table[b[len(b)-1]]&needleSingle != 0 {
		return len(b) - 1
	}
	return -1
}

// indexLoop is Index where there is no vector unit, or too little for it.
func (n *Needles) indexLoop(b []byte) int {
	for i, c := range b {
		t := n.table[c]
		if t == 0 {
			continue
		}
		if pair := int(t &^ needleSingle); pair > 0 && i > 0 && b[i-1] == n.pairs[2*pair-2] {
			return i - 1
		}
		if t&needleSingle != 0 {
			return i
		}
	}
	return -1
}
