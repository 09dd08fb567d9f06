package provenance

import (
	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/protocol"
)

// A textSearch searches for several texts in one pass over the foreign text.
type textSearch struct {
	memory       *Memory
	shingles     map[uint64]bool // hashes of the shingles to search for; see add
	pages        []bool          // pages[i] reports whether memory.foreign[i] may contain one of shingles
	skipImported bool            // whether find ignores imported text
}

// newTextSearch returns a search without texts.
func (m *Memory) newTextSearch() textSearch {
	return textSearch{memory: m, shingles: map[uint64]bool{}, pages: make([]bool, len(m.foreign))}
}

// add adds the shingles of a text to the search, if foreign text contains most of them.
func (s *textSearch) add(shingles []uint64) {
	work.Add(len(shingles))
	found := 0
	for _, h := range shingles {
		for _, p := range s.memory.foreign {
			if p.shingles.contains(h) {
				found++
				break
			}
		}
	}
	if !isMost(found, len(shingles)) {
		return
	}
	for _, h := range shingles {
		if s.shingles[h] {
			continue
		}
		s.shingles[h] = true
		for i, p := range s.memory.foreign {
			s.pages[i] = s.pages[i] || p.shingles.contains(h)
		}
	}
}

// find returns the source of the newest foreign text that contains one of the shingles. A text
// counts only if the text itself, or the one before or after it, names the method.
func (s *textSearch) find(names *methodNames) (source protocol.Source, ok bool) {
	if len(s.shingles) == 0 {
		return source, false
	}
	var sharing []*part // of each text, the first part that shares a shingle
	s.memory.eachPart(func(page int, p *part, folded []byte) bool {
		if !s.pages[page] || s.skipImported && p.source.Origin == protocol.OriginImport {
			return true
		}
		work.Add(len(folded))
		start := len(folded) - len(p.folded) // of the part in folded
		shares := false
		shingles(folded[max(0, start-shingleBytes+1):], func(h uint64) { shares = shares || s.shingles[h] })
		if shares && (len(sharing) == 0 || sharing[len(sharing)-1].text != p.text) {
			sharing = append(sharing, p)
		}
		return true
	})
	if len(sharing) == 0 {
		return source, false
	}
	named := names.textsOf(s.memory)
	for i := len(sharing) - 1; i >= 0; i-- {
		if n := sharing[i].text; named[n] || named[n-1] || named[n+1] {
			return sharing[i].source, true
		}
	}
	return source, false
}
