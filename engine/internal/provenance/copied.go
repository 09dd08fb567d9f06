package provenance

import (
	"bytes"
	"slices"

	"github.com/vcpgo/vcp/internal/work"
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
	resolved, _ := m.options.resolve(req)
	if source, ok = m.sameRequest(&req, &resolved, identify); !ok {
		if source, ok = m.sameWords(&req, &resolved, fullName); !ok {
			return source, false
		}
	}
	if m.userWrote(&resolved, identify) {
		return protocol.Source{}, false
	}
	return source, true
}

// sameRequest returns the source of a foreign request with the same meaning. A foreign request for
// the same method also counts if an argument has the same value. resolved is what Options.resolve
// returns for req.
func (m *Memory) sameRequest(
	req, resolved *protocol.ToolRequest, identify func() string,
) (source protocol.Source, ok bool) {
	var keys []uint64
	for _, p := range slices.Backward(m.foreign) {
		if len(p.requests.entries) == 0 {
			continue
		}
		if keys == nil {
			keys = append(m.argumentKeys(resolved), m.key(canonicalRequest(resolved)), m.key(identify()))
			if req.ToolName != resolved.ToolName || req.Command != resolved.Command {
				// If the foreign text was read before the method was registered, its requests were
				// not resolved, so their keys have the names as written.
				keys = append(append(keys, m.argumentKeys(req)...), m.key(canonicalRequest(req)))
			}
		}
		for _, key := range keys {
			if i, ok := p.requests.find(key); ok {
				return p.parts[i].source, true
			}
		}
	}
	return source, false
}

// argumentKeys returns the keys of the arguments of a request. It omits an argument whose value the
// user wrote, or whose value is so common that it proves nothing (see canonicalArgument).
func (m *Memory) argumentKeys(req *protocol.ToolRequest) (keys []uint64) {
	for i := range req.Arguments {
		a := &req.Arguments[i]
		if canonical, ok := canonicalArgument(req, a); ok && !m.userWroteText(argumentText(*a)) {
			keys = append(keys, m.key(canonical))
		}
	}
	return keys
}

// sameWords returns the source of foreign text that names the method and contains the words of a
// request. These are the words of any one argument, or the whole request as a protocol writes it.
func (m *Memory) sameWords(req, resolved *protocol.ToolRequest, fullName string) (source protocol.Source, ok bool) {
	names := methodNames{folded: m.namesOf(req, fullName), called: m.namesOfCalled(resolved, fullName)}
	if len(names.folded) == 0 && len(names.called) == 0 {
		return source, false
	}
	names.values = map[uint64]bool{} // a name within a value of the request does not count
	search := m.newTextSearch()
	for _, a := range resolved.Arguments {
		for _, value := range argumentTexts(a) {
			list := m.shinglesOf(value)
			for _, h := range list {
				names.values[h] = true
			}
			if len(list) > 0 && !m.userWroteShingles(list) {
				search.add(list)
			}
		}
	}
	if source, ok = search.find(&names); ok || m.userWroteValues(resolved) {
		return source, ok // Copied does not report a request whose values the user wrote
	}
	search = m.newTextSearch()
	search.skipImported = true // an imported conversation continues with similar requests
	for _, p := range m.options.Protocols {
		if text, err := p.FormatToolRequests([]protocol.ToolRequest{*req}); err == nil {
			search.add(m.shinglesOf(text))
		}
	}
	return search.find(&names)
}

// namesOf returns the folded names of a request's method that foreign text may contain.
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

// namesOfCalled returns the folded names of the methods that a script in the request may call:
// those that Options.Calls returns and that a value of the request contains.
func (m *Memory) namesOfCalled(req *protocol.ToolRequest, fullName string) (list [][]byte) {
	if m.options.Calls == nil {
		return nil
	}
	names := m.options.Calls(fullName)
	if len(names) == 0 {
		return nil
	}
	for i := range names {
		if name := fold(nil, names[i]); len(name) > 0 {
			list = append(list, name)
		}
	}
	var values []byte
	for _, a := range req.Arguments {
		values = append(fold(values, argumentText(a)), 0)
	}
	return slices.DeleteFunc(list, func(name []byte) bool { return !bytes.Contains(values, name) })
}

// isNamed reports whether foreign text contains a folded name.
func (m *Memory) isNamed(name []byte) (found bool) {
	m.eachPart(func(_ int, _ *part, folded []byte) bool {
		work.Add(len(folded))
		found = bytes.Contains(folded, name)
		return !found
	})
	return found
}
