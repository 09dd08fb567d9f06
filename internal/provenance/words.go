package provenance

import "bytes"

// minShare is the least share of shingles that two texts with the same words have in common, in
// percent.
const minShare = 80

func isMost(found, all int) bool { return all > 0 && found*100 >= all*minShare }

// words decide whether foreign text names the method of a request.
type words struct {
	names  [][]byte        // of the method, folded
	values map[uint64]bool // the shingles of all values; a name within a value does not count
}

// areNamedIn reports whether a folded text names the method. A name within a value of the request
// does not count: a request to edit a text that names a method does not ask for a call of it.
func (w *words) areNamedIn(folded []byte) bool {
	for _, name := range w.names {
		for start := 0; len(name) > 0; start++ {
			at := bytes.Index(folded[start:], name)
			if at < 0 {
				break
			}
			start += at
			if !w.isInValue(folded, start, start+len(name)) {
				return true
			}
		}
	}
	return false
}

// isInValue reports whether the bytes around folded[start:end] are those of a value.
func (w *words) isInValue(folded []byte, start, end int) bool {
	known := false
	for _, at := range []int{end - shingleBytes, start} {
		if at < 0 || at+shingleBytes > len(folded) {
			continue
		}
		if !w.values[hash(folded[at:])] {
			return false
		}
		known = true
	}
	return known
}
