package provenance

import (
	"bytes"
	"slices"

	"github.com/vcpgo/vcp/protocol"
)

// Copied returns the source of the foreign text that a request was copied from. ok is false if the
// request was not copied, or if the user wrote it in this turn. fullName is the name of the method,
// and identify returns the ID of the request, as Options.Identify does.
func (m *Memory) Copied(
	req protocol.ToolRequest, fullName string, identify func() string,
) (source protocol.Source, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.readWaiting()
	if len(m.foreign) == 0 {
		return source, false
	}
	if source, ok = m.sameRequest(&req, identify); !ok {
		if source, ok = m.sameWords(&req, fullName); !ok {
			return source, false
		}
	}
	if m.userWrote(&req, identify) {
		return protocol.Source{}, false
	}
	return source, true
}

// sameRequest finds a foreign request with the same meaning, or for the same method with the same
// value of an argument.
func (m *Memory) sameRequest(req *protocol.ToolRequest, identify func() string) (source protocol.Source, ok bool) {
	var keys []uint64
	for _, p := range slices.Backward(m.foreign) {
		if len(p.requests) == 0 {
			continue
		}
		if keys == nil {
			keys = append(m.sharedKeys(req), m.key(spelling(req)), m.key(identify()))
		}
		for _, key := range keys {
			if i, ok := p.requests[key]; ok {
				return p.texts[i].source, true
			}
		}
	}
	return source, false
}

// sharedKeys returns the keys of the arguments of a request, without values that the user wrote.
func (m *Memory) sharedKeys(req *protocol.ToolRequest) (keys []uint64) {
	for i := range req.Arguments {
		a := &req.Arguments[i]
		if words, ok := argumentSpelling(req, a); ok && !m.userWroteText(argumentText(*a)) {
			keys = append(keys, m.key(words))
		}
	}
	return keys
}

// sameWords finds foreign text that contains the words of a request and names the method. The words
// are those of one argument, whatever the others contain, or the request as a protocol writes it.
func (m *Memory) sameWords(req *protocol.ToolRequest, fullName string) (source protocol.Source, ok bool) {
	names := methodNames{folded: m.namesOf(req, fullName)}
	if len(names.folded) == 0 {
		return source, false
	}
	names.values = map[uint64]bool{}
	var arguments [][]uint64
	for _, a := range req.Arguments {
		for _, value := range argumentTexts(a) {
			list := m.shinglesOf(value)
			for _, h := range list {
				names.values[h] = true
			}
			if len(list) > 0 && !m.userWroteShingles(list) {
				arguments = append(arguments, list)
			}
		}
	}
	for _, list := range arguments {
		if source, ok = m.contains(list, &names); ok {
			return source, true
		}
	}
	if m.userWroteValues(req) {
		return source, false
	}
	for _, p := range m.options.Protocols {
		if text, err := p.FormatToolRequests([]protocol.ToolRequest{*req}); err == nil {
			if source, ok = m.contains(m.shinglesOf(text), &names); ok && source.Origin != protocol.OriginImport {
				return source, true // an imported conversation continues with similar requests
			}
		}
	}
	return protocol.Source{}, false
}

// namesOf returns the folded names of the method of a request that foreign text may contain.
func (m *Memory) namesOf(req *protocol.ToolRequest, fullName string) (list [][]byte) {
	for _, name := range [...]string{fullName, req.ToolName} {
		m.name = fold(m.name[:0], name)
		if m.names.mayOccur(m.name, m.isNamed) {
			list = append(list, bytes.Clone(m.name))
		}
		if req.ToolName == fullName {
			break
		}
	}
	return list
}

// isNamed reports whether a text on a page contains a folded name.
func (m *Memory) isNamed(name []byte) bool {
	for _, p := range m.foreign {
		for i := range p.texts {
			folded := fold(m.folded[:0], p.texts[i].text)
			m.folded = folded[:0]
			if bytes.Contains(folded, name) {
				return true
			}
		}
	}
	return false
}

// contains finds foreign text with most of the shingles, if it names the method.
func (m *Memory) contains(shingles []uint64, names *methodNames) (source protocol.Source, ok bool) {
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
			if source, ok = m.naming(i, set, names); ok {
				return source, true
			}
		}
	}
	return source, false
}

// naming finds a text of the page at an index that contains some of the shingles. That text, or the
// one before or after it, must name the method.
func (m *Memory) naming(at int, shared map[uint64]bool, names *methodNames) (source protocol.Source, ok bool) {
	texts := m.foreign[at].texts
	if at > 0 {
		before := m.foreign[at-1].texts
		texts = append(slices.Clone(before[len(before)-1:]), texts...)
	}
	if at+1 < len(m.foreign) {
		texts = append(slices.Clip(texts), m.foreign[at+1].texts[0])
	}
	var next struct{ shares, named bool }
	for i := range slices.Backward(texts) {
		folded := fold(m.folded[:0], texts[i].text)
		named, shares := names.occurIn(folded), false
		shingles(folded, func(h uint64) { shares = shares || shared[h] })
		m.folded = folded[:0]
		switch {
		case shares && (named || next.named):
			return texts[i].source, true
		case named && next.shares:
			return texts[i+1].source, true
		}
		next.shares, next.named = shares, named
	}
	return source, false
}
