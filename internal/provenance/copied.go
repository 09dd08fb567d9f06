package provenance

import (
	"bytes"
	"slices"

	"github.com/vcpgo/vcp/protocol"
)

// minShare is the least share of a copied request's shingles that foreign text contains, in
// percent.
const minShare = 80

// Copied returns the source of the foreign text that contains a request. ok is false if no foreign
// text contains it, or if the user wrote it in this turn. fullName is that of the method, and
// identify returns the ID of the request, as Options.Identify does.
func (m *Memory) Copied(req protocol.ToolRequest, fullName string, identify func() string) (source protocol.Source, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.settle()
	if len(m.foreign) == 0 {
		return source, false
	}
	if source, ok = m.sameRequest(&req, identify); !ok {
		if source, ok = m.sameText(&req, fullName); !ok {
			return source, false
		}
	}
	if m.liveContains(&req, identify) {
		return protocol.Source{}, false
	}
	return source, true
}

// sameRequest finds a foreign request with the same meaning.
func (m *Memory) sameRequest(req *protocol.ToolRequest, identify func() string) (source protocol.Source, ok bool) {
	var keys []uint64
	for _, p := range slices.Backward(m.foreign) {
		if len(p.requests) == 0 {
			continue
		}
		if keys == nil {
			keys = []uint64{m.key(spelling(req)), m.key(identify())}
		}
		for _, key := range keys {
			if i, ok := p.requests[key]; ok {
				return p.texts[i].source, true
			}
		}
	}
	return source, false
}

// evidence returns the shingles of the values of a request, which can prove that it was copied.
func evidence(req *protocol.ToolRequest) (list []uint64) {
	for _, a := range req.Arguments {
		shingles(fold(nil, argumentText(a)), func(h uint64) { list = append(list, h) })
	}
	return list
}

func covers(found, all int) bool { return all > 0 && found*100 >= all*minShare }

// sameText finds foreign text that names the method and contains the values of the request.
func (m *Memory) sameText(req *protocol.ToolRequest, fullName string) (source protocol.Source, ok bool) {
	all := evidence(req)
	found := 0
	hits := make([]int, len(m.foreign))
	for _, h := range all {
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
	if !covers(found, len(all)) {
		return source, false
	}
	set := make(map[uint64]bool, len(all))
	for _, h := range all {
		set[h] = true
	}
	names := [][]byte{fold(nil, fullName), fold(nil, req.ToolName)}
	for i := range slices.Backward(m.foreign) {
		if hits[i] > 0 {
			if source, ok = m.naming(i, names, set); ok {
				return source, true
			}
		}
	}
	return source, false
}

// naming finds a text of m.foreign[at] that contains some of the shingles in set, if that text or
// one next to it names the method.
func (m *Memory) naming(at int, names [][]byte, set map[uint64]bool) (source protocol.Source, ok bool) {
	texts := m.foreign[at].texts
	if at > 0 {
		before := m.foreign[at-1].texts
		texts = append(slices.Clone(before[len(before)-1:]), texts...)
	}
	if at+1 < len(m.foreign) {
		texts = append(slices.Clip(texts), m.foreign[at+1].texts[0])
	}
	var after evidenceIn
	for i := range slices.Backward(texts) {
		folded := fold(m.folded[:0], texts[i].text)
		var here evidenceIn
		here.named = slices.ContainsFunc(names, func(name []byte) bool { return len(name) > 0 && bytes.Contains(folded, name) })
		shingles(folded, func(h uint64) { here.shares = here.shares || set[h] })
		m.folded = folded[:0]
		switch {
		case here.shares && (here.named || after.named):
			return texts[i].source, true
		case here.named && after.shares:
			return texts[i+1].source, true
		}
		after = here
	}
	return source, false
}

// evidenceIn reports whether a text shares shingles with a request, and names its method.
type evidenceIn struct{ shares, named bool }

// liveContains reports whether the user wrote the request in this turn.
func (m *Memory) liveContains(req *protocol.ToolRequest, identify func() string) bool {
	if m.live == nil {
		return false
	}
	if m.live.shingles == nil {
		words := m.live.texts[0].text
		m.live.shingles = newFilter(m.live.capacity)
		shingles(fold(nil, words), m.live.shingles.add)
		keys := map[uint64]bool{}
		m.read(words, keys)
		for key := range keys {
			m.live.requests[key] = 0
		}
	}
	for _, key := range []uint64{m.key(spelling(req)), m.key(identify())} {
		if _, ok := m.live.requests[key]; ok {
			return true
		}
	}
	all := evidence(req)
	found := 0
	for _, h := range all {
		if m.live.shingles.contains(h) {
			found++
		}
	}
	return covers(found, len(all))
}
