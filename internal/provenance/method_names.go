package provenance

import "bytes"

// minShare is the least share of shingles that two texts with the same words have in common, in
// percent.
const minShare = 80

func isMost(found, all int) bool { return all > 0 && found*100 >= all*minShare }

// methodNames are the names by which foreign text may name the method of a request.
type methodNames struct {
	folded [][]byte
	values map[uint64]bool // the shingles of all values of the request
}

// occurIn reports whether a folded text names the method. A name within a value of the request
// does not count: a request to edit a text that names a method does not ask for a call of it.
func (n *methodNames) occurIn(folded []byte) bool {
	for _, name := range n.folded {
		for start := 0; len(name) > 0; start++ {
			at := bytes.Index(folded[start:], name)
			if at < 0 {
				break
			}
			start += at
			if !n.isInValue(folded, start, start+len(name)) {
				return true
			}
		}
	}
	return false
}

// isInValue reports whether the bytes around folded[start:end] are those of a value.
func (n *methodNames) isInValue(folded []byte, start, end int) bool {
	known := false
	for _, at := range []int{end - shingleBytes, start} {
		if at < 0 || at+shingleBytes > len(folded) {
			continue
		}
		if !n.values[hash(folded[at:])] {
			return false
		}
		known = true
	}
	return known
}
