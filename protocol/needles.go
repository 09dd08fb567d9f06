package protocol

import "fmt"

// What one search looks for at most: as many as the registers of a vector unit hold beside the text.
const (
	maxPairs   = 4
	maxSingles = 3
)

// Needles are bytes and pairs of bytes that are searched for all at once, so that one pass over a text finds where its next mark may
// stand. A character of three bytes is found by two of them, and the rest is checked where it is found. Needles are read-only and safe
// for concurrent use.
type Needles struct {
	// vector holds the pairs, first byte and second, then the singles. Unused places repeat a needle.
	vector [2*maxPairs + maxSingles]byte
	// table tells of a byte whether it is a single (needleSingle) or the second of a pair (its index plus one).
	table [256]uint8
	// singles are the singles alone; alone tells that there are no pairs.
	singles [maxSingles]byte
	alone   bool
}

const needleSingle = 0x80

// NewNeedles returns needles for the bytes of singles, at most 3 and at least one, and for the pairs of bytes, at most 4, whose second bytes
// differ. Anything else is a mistake in the program, and panics.
func NewNeedles(singles string, pairs ...string) *Needles {
	if len(singles) < 1 || len(singles) > maxSingles || len(pairs) > maxPairs {
		panic(fmt.Sprintf("protocol: %d single needles and %d pairs; allowed are 1 to %d and 0 to %d", len(singles), len(pairs), maxSingles, maxPairs))
	}
	n := &Needles{alone: len(pairs) == 0}
	for i := range n.vector[2*maxPairs:] {
		c := singles[min(i, len(singles)-1)]
		n.vector[2*maxPairs+i], n.singles[i] = c, c
		n.table[c] |= needleSingle
	}
	for i := range maxPairs {
		if i >= len(pairs) {
			n.vector[2*i], n.vector[2*i+1] = singles[0], singles[0] // found as a single all the same
			continue
		}
		if len(pairs[i]) != 2 || n.table[pairs[i][1]]&^needleSingle != 0 {
			panic(fmt.Sprintf("protocol: the needle %q is no pair of bytes, or another pair ends like it", pairs[i]))
		}
		n.vector[2*i], n.vector[2*i+1] = pairs[i][0], pairs[i][1]
		n.table[pairs[i][1]] |= uint8(i + 1)
	}
	return n
}

// Index returns where the first needle begins in b, -1 where there is none.
func (n *Needles) Index(b []byte) int {
	if len(b) >= minVector && useVector {
		if n.alone {
			return indexSingles(&b[0], len(b), &n.singles)
		}
		if at := indexVector(&b[0], len(b), &n.vector); at >= 0 {
			return at
		}
		if n.table[b[len(b)-1]]&needleSingle != 0 {
			return len(b) - 1
		}
		return -1
	}
	for i, c := range b {
		t := n.table[c]
		if t == 0 {
			continue
		}
		if pair := int(t &^ needleSingle); pair > 0 && i > 0 && b[i-1] == n.vector[2*pair-2] {
			return i - 1
		}
		if t&needleSingle != 0 {
			return i
		}
	}
	return -1
}
