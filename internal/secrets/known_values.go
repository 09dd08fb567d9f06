package secrets

import "github.com/vcpgo/vcp/internal/work"

// knownValues finds values in text: each piece of a value, and as a whole the values that are
// shorter than a piece.
type knownValues struct {
	minValue  int                 // the length of the shortest value that is found, in bytes; at least 4, for hashStart
	pieceSize int                 // the length of a piece, in bytes
	byLength  []map[string]bool   // pieces and shorter values, by their length
	starts    [1 << hashBits]bool // by hashStart: whether a piece or a shorter value has this hash
	onlyIn    *knownValues        // if not nil: to save memory, pieces that are not in it are ignored
}

func newKnownValues(minValue, pieceSize int) *knownValues {
	return &knownValues{minValue: minValue, pieceSize: pieceSize, byLength: make([]map[string]bool, pieceSize+1)}
}

// add adds a value, unless it is too short.
func (k *knownValues) add(value string) {
	if len(value) < k.minValue {
		return
	}
	work.Add(len(value))
	size := min(len(value), k.pieceSize)
	if k.byLength[size] == nil {
		k.byLength[size] = map[string]bool{}
	}
	for i := 0; i+size <= len(value); i++ {
		part := value[i : i+size]
		if size < k.pieceSize || k.onlyIn == nil || k.onlyIn.byLength[size][part] {
			k.byLength[size][part], k.starts[hashStart(part)] = true, true
		}
	}
}

// find calls mark for each part of a text that is known.
func (k *knownValues) find(s string, mark func(from, to int)) {
	work.Add(len(s))
	for size, known := range k.byLength {
		for i := 0; len(known) > 0 && i+size <= len(s); i++ {
			if part := s[i : i+size]; k.starts[hashStart(part)] && known[part] {
				mark(i, i+size)
			}
		}
	}
}

// hashBits is the length of a hash that hashStart returns.
const hashBits = 12

// hashStart returns a hash of the first four bytes of a part. The factor is 2^32 divided by the
// golden ratio, as in Knuth's multiplicative hash.
func hashStart(part string) uint16 {
	start := uint32(part[0]) | uint32(part[1])<<8 | uint32(part[2])<<16 | uint32(part[3])<<24
	return uint16(start * 2654435761 >> (32 - hashBits))
}
