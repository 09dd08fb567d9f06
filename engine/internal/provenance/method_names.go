package provenance

import (
	"bytes"

	"github.com/vcpgo/vcp/internal/work"
)

// minShare is the percentage of a text's shingles that another text must contain to have the same
// words.
const minShare = 80

// isMost reports whether found is at least minShare percent of all; nothing is most of 0.
func isMost(found, all int) bool { return all > 0 && found*100 >= all*minShare }

// methodNames are the names by which foreign text may name the method of a request.
type methodNames struct {
	folded [][]byte        // the names of the method, as fold returns them
	called [][]byte        // folded names of methods that the request itself calls; they count in values, too
	values map[uint64]bool // the shingles of all values of the request
	texts  map[int]bool    // the numbers of the foreign texts that name the method (see part.text); nil until searched
}

// textsOf returns the numbers (part.text) of the foreign texts that name the method.
func (n *methodNames) textsOf(m *Memory) map[int]bool {
	if n.texts != nil {
		return n.texts
	}
	n.texts = map[int]bool{}
	previousText := 0
	m.eachPart(func(_ int, p *part, folded []byte) bool {
		skip := len(folded) - len(p.folded)
		if previousText == p.text {
			// isInValue needs the bytes after a name. If a name ended the previous part of this
			// text, these bytes are in this part.
			skip -= shingleBytes
		}
		previousText = p.text
		if !n.texts[p.text] {
			work.Add(len(folded))
			n.texts[p.text] = n.occurIn(folded, skip)
		}
		return true
	})
	return n.texts
}

// occurIn reports whether a folded text names the method. A name that ends within the first skip
// bytes does not count. Neither does a name within a value of the request: a request to edit a text
// that names a method is no request for that method. The names of called methods do count within a
// value, because the script that calls them is a value.
func (n *methodNames) occurIn(folded []byte, skip int) bool {
	for _, name := range n.called {
		if bytes.Contains(folded[min(len(folded), max(0, skip-len(name)+1)):], name) {
			return true
		}
	}
	for _, name := range n.folded {
		for start := max(0, skip-len(name)+1); len(name) > 0; start++ {
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

// isInValue reports whether the bytes around folded[start:end] are part of a value of the request.
func (n *methodNames) isInValue(folded []byte, start, end int) bool {
	compared := false
	for _, at := range []int{end - shingleBytes, start} {
		if at < 0 || at+shingleBytes > len(folded) {
			continue
		}
		if !n.values[hash(folded[at:])] {
			return false
		}
		compared = true
	}
	return compared
}
