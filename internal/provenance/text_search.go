package provenance

import (
	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/protocol"
)

// A textSearch searches foreign text for several texts at once, so that the work does not grow with
// their number.
type textSearch struct {
	memory       *Memory
	shingles     map[uint64]bool // of each added text, if foreign text contains most of them
	pages        []bool          // pages[i] reports whether m.foreign[i] contains one of shingles
	skipImported bool            // whether imported text is not searched
}

func (m *Memory) newTextSearch() textSearch {
	return textSearch{memory: m, shingles: map[uint64]bool{}, pages: make([]bool, len(m.foreign))}
}

// add adds the shingles of a text to the search, if foreign text contains most of them.
func (w *textSearch) add(shingles []uint64) {
	work.Add(len(shingles))
	found := 0
	for _, h := range shingles {
		for _, p := range w.memory.foreign {
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
		if w.shingles[h] {
			continue
		}
		w.shingles[h] = true
		for i, p := range w.memory.foreign {
			w.pages[i] = w.pages[i] || p.shingles.contains(h)
		}
	}
}

// find returns the source of the newest foreign text that contains some of the shingles, if that
// text or the one before or after it names the method.
func (w *textSearch) find(names *methodNames) (source protocol.Source, ok bool) {
	if len(w.shingles) == 0 {
		return source, false
	}
	var sharing []*part // of each text, the first part that shares a shingle
	w.memory.eachPart(func(page int, p *part, folded []byte) bool {
		if !w.pages[page] || w.skipImported && p.source.Origin == protocol.OriginImport {
			return true
		}
		work.Add(len(folded))
		before := len(folded) - len(p.folded)
		shares := false
		shingles(folded[max(0, before-shingleBytes+1):], func(h uint64) { shares = shares || w.shingles[h] })
		if shares && (len(sharing) == 0 || sharing[len(sharing)-1].text != p.text) {
			sharing = append(sharing, p)
		}
		return true
	})
	if len(sharing) == 0 {
		return source, false
	}
	named := names.textsOf(w.memory)
	for i := len(sharing) - 1; i >= 0; i-- {
		if n := sharing[i].text; named[n] || named[n-1] || named[n+1] {
			return sharing[i].source, true
		}
	}
	return source, false
}
