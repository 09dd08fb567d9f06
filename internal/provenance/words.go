package provenance

import (
	"bytes"
	"slices"

	"github.com/vcpgo/vcp/protocol"
)

// minShare is the least share of shingles that two texts with the same words have in common, in
// percent.
const minShare = 80

func isMost(found, all int) bool { return all > 0 && found*100 >= all*minShare }

// words are what decides whether foreign text names the method of a request.
type words struct {
	names  [][]byte        // of the method, folded
	values map[uint64]bool // the shingles of all values; a name within a value does not count
}

// contains finds foreign text with most of the shingles, if it names the method.
func (m *Memory) contains(shingles []uint64, w *words) (source protocol.Source, ok bool) {
	found := 0
	hits := make([]int, len(m.foreign))
	for _, h := range shingles {
		seen := false
		for i, p := range m.foreign {
			if p.shingles.contains(h) {
				hits[i]++
				seen = true
			}
		}
		if seen {
			found++
		}
	}
	if !isMost(found, len(shingles)) {
		return source, false
	}
	set := make(map[uint64]bool, len(shingles))
	for _, h := range shingles {
		set[h] = true
	}
	for i := range slices.Backward(m.foreign) {
		if hits[i] > 0 {
			if source, ok = m.naming(i, set, w); ok {
				return source, true
			}
		}
	}
	return source, false
}

// naming finds a text of m.foreign[at] that contains some of the shingles, if that text or one next
// to it names the method.
func (m *Memory) naming(at int, shared map[uint64]bool, w *words) (source protocol.Source, ok bool) {
	texts := m.foreign[at].texts
	if at > 0 {
		before := m.foreign[at-1].texts
		texts = append(slices.Clone(before[len(before)-1:]), texts...)
	}
	if at+1 < len(m.foreign) {
		texts = append(slices.Clip(texts), m.foreign[at+1].texts[0])
	}
	var next struct{ shares, names bool }
	for i := range slices.Backward(texts) {
		folded := fold(m.folded[:0], texts[i].text)
		names, shares := w.areNamedIn(folded), false
		shingles(folded, func(h uint64) { shares = shares || shared[h] })
		m.folded = folded[:0]
		switch {
		case shares && (names || next.names):
			return texts[i].source, true
		case names && next.shares:
			return texts[i+1].source, true
		}
		next.shares, next.names = shares, names
	}
	return source, false
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
