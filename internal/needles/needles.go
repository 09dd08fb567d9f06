// Package needles searches a text for several bytes and pairs of bytes at once, with the vector unit where there is one.
package needles

import "fmt"

// What one search looks for at most: as many as the registers of a vector unit hold beside the text. Pairs alone are looked up in tables, in
// which each has a bit of its own.
const (
	maxPairs     = 4
	maxPairsOnly = 8
	maxSingles   = 3
)

// A Set holds needles: bytes and pairs of bytes that are searched for all at once, so that one pass over a text finds where its next mark may
// stand. A character of three bytes is found by two of them, and the rest is checked where it is found. A Set is read-only and safe
// for concurrent use.
type Set struct {
	search needleSearch
	// pairs holds the pairs, first byte and second. Unused places of pairs and singles repeat a needle.
	pairs   [2 * maxPairsOnly]byte
	singles [maxSingles]byte
	tables  pairTables
	// both holds the pairs and then the singles.
	both [2*maxPairs + maxSingles]byte
	// table tells of a byte whether it is a single (needleSingle) or the second of a pair (its index plus one).
	table [256]uint8
}

// pairTables tell of the low and the high half of a pair's first byte and of its second byte in which pairs they stand, a bit each. At their
// end stand 16 masks of a low half.
type pairTables struct {
	firstLow, firstHigh, secondLow, secondHigh, low [16]uint8
}

// add sets the bit of a pair.
func (t *pairTables) add(bit int, pair string) {
	t.firstLow[pair[0]&0xF] |= 1 << bit
	t.firstHigh[pair[0]>>4] |= 1 << bit
	t.secondLow[pair[1]&0xF] |= 1 << bit
	t.secondHigh[pair[1]>>4] |= 1 << bit
}

// needleSearch is what is searched for.
type needleSearch uint8

const (
	searchBoth needleSearch = iota
	searchSingles
	searchPairs
)

const needleSingle = 0x80

// New returns the needles of the bytes of singles, at most 3, and for the pairs of bytes, at most 4, whose second bytes differ. There is
// at least one needle; where there are no singles there may be 8 pairs. Anything else is a mistake in the program, and panics.
func New(singles string, pairs ...string) *Set {
	n := &Set{}
	for i := range n.tables.low {
		n.tables.low[i] = 0xF
	}
	most := maxPairs
	switch {
	case len(singles) == 0:
		n.search, most = searchPairs, maxPairsOnly
	case len(pairs) == 0:
		n.search = searchSingles
	}
	if len(singles)+len(pairs) == 0 || len(singles) > maxSingles || len(pairs) > most {
		panic(fmt.Sprintf("needles: %d single needles and %d pairs; allowed are up to 3 and up to 4, or up to 8 pairs alone", len(singles), len(pairs)))
	}
	for i, pair := range pairs {
		if len(pair) != 2 || n.table[pair[1]] != 0 {
			panic(fmt.Sprintf("needles: the needle %q is no pair of bytes, or another pair ends like it", pair))
		}
		n.table[pair[1]] = uint8(i + 1)
		n.tables.add(i, pair)
	}
	for i := range len(singles) {
		n.table[singles[i]] |= needleSingle
	}
	for i := 0; i < len(n.pairs) && len(pairs) > 0; i++ {
		n.pairs[i] = pairs[min(i/2, len(pairs)-1)][i%2]
	}
	for i := 0; i < len(n.singles) && len(singles) > 0; i++ {
		n.singles[i] = singles[min(i, len(singles)-1)]
	}
	copy(n.both[:], n.pairs[:2*maxPairs])
	copy(n.both[2*maxPairs:], n.singles[:])
	return n
}

// Index returns where the first needle begins in b, -1 where there is none.
func (n *Set) Index(b []byte) int {
	if len(b) < minVector || !useVector {
		return n.indexLoop(b)
	}
	switch n.search {
	case searchSingles:
		return indexSingles(&b[0], len(b), &n.singles)
	case searchPairs:
		return indexPairs(&b[0], len(b), &n.tables)
	}
	if at := indexBoth(&b[0], len(b), &n.both); at >= 0 {
		return at
	}
	if n.table[b[len(b)-1]]&needleSingle != 0 {
		return len(b) - 1
	}
	return -1
}

// mostListed is up to how many bytes List reads at once.
const mostListed = 1 << 16

// List finds the needles of b at once, where many are looked for one after the other: it writes their places in b to list, in order, and
// returns how many they are and up to where it has read. That is to the end of b, or 64 KB, or to where list may be too short for
// more: it has a length of at least 64. A Set that holds a pair is a mistake in the program, and panic.
func (n *Set) List(list []uint16, b []byte) (count, read int) {
	if n.search != searchSingles {
		panic("needles: pairs of bytes are not listed")
	}
	b = b[:min(len(b), mostListed)]
	if len(b) >= 64 && useVector {
		_ = list[63]
		return listSingles(&b[0], len(b), &n.singles, &list[0], len(list))
	}
	for ; read < len(b) && count < len(list); read++ {
		if n.table[b[read]] != 0 {
			list[count] = uint16(read)
			count++
		}
	}
	return count, read
}

// indexLoop is Index where there is no vector unit, or too little for it.
func (n *Set) indexLoop(b []byte) int {
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
