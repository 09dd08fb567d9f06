package provenance

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
)

// shingleBytes is the length of a shingle. At each offset of a folded text (see fold) a shingle
// begins: the next shingleBytes bytes. Texts that share many shingles share many words. A text of
// fewer than shingleBytes bytes has no shingle, and so proves nothing.
const shingleBytes = 16

// The hash of a shingle depends on these random numbers, so that nobody can prepare texts with
// equal hashes. They are odd and so never 0: with the factor 0, all hashes would be equal.
var seedLow, seedHigh = rand.Uint64() | 1, rand.Uint64() | 1

// hash returns the hash of the shingle at the start of b.
func hash(b []byte) uint64 {
	high, low := bits.Mul64(binary.LittleEndian.Uint64(b)^seedLow, binary.LittleEndian.Uint64(b[8:])^seedHigh)
	high, low = bits.Mul64(high^low^seedHigh, seedLow)
	return high ^ low
}

// shingles yields the hashes of all shingles of folded text.
func shingles(folded []byte, yield func(uint64)) {
	for i := 0; i+shingleBytes <= len(folded); i++ {
		yield(hash(folded[i:]))
	}
}

// A filter is a set of shingles (a Bloom filter). It contains all shingles that were added. If it
// is full, it also seems to contain 1 in 400 shingles that were not added.
type filter []uint64

const (
	bitsPerShingle = 16 // bits of a filter for each shingle of its capacity
	probes         = 4  // bits that adding a shingle sets, and that contains tests
)

// newFilter returns a filter for at least capacity shingles. Its length is a power of two.
func newFilter(capacity int) filter {
	return make(filter, 1<<bits.Len(uint(capacity*bitsPerShingle/64-1)))
}

// bitOf returns the i-th of the bits that stand for a hash: its word in f, and its mask. From one
// bit to the next it takes a step that depends on the hash, too. The step is odd and the number of
// bits a power of two, so the bits differ.
func (f filter) bitOf(h uint64, i int) (word int, bit uint64) {
	at := (h + uint64(i)*(h>>32|1)) & uint64(len(f)*64-1)
	return int(at / 64), 1 << (at % 64)
}

func (f filter) add(h uint64) {
	for i := range probes {
		word, bit := f.bitOf(h, i)
		f[word] |= bit
	}
}

func (f filter) contains(h uint64) bool {
	for i := range probes {
		if word, bit := f.bitOf(h, i); f[word]&bit == 0 {
			return false
		}
	}
	return true
}
