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
	c := checkedCall{memory: m, req: req, fullName: fullName}
	if source, ok = m.sameRequest(&c, identify); !ok {
		if source, ok = m.sameWords(&c); !ok {
			return source, false
		}
	}
	if m.userWrote(c.asRun(), identify) {
		return protocol.Source{}, false
	}
	return source, true
}

// A checkedCall is a request that is compared with foreign text.
type checkedCall struct {
	memory     *Memory
	req        protocol.ToolRequest // as written
	resolved   protocol.ToolRequest // valid if isResolved
	isResolved bool
	fullName   string // of the method
}

// asRun returns the request as Options.resolve returns it. It resolves the request on its first
// call, because most requests occur in no foreign text and need not be resolved.
func (c *checkedCall) asRun() *protocol.ToolRequest {
	if !c.isResolved {
		c.resolved, _ = c.memory.options.resolve(c.req)
		c.isResolved = true
	}
	return &c.resolved
}

// sameRequest returns the source of a foreign request with the same meaning. A foreign request for
// the same method also counts if an argument has the same value.
func (m *Memory) sameRequest(c *checkedCall, identify func() string) (source protocol.Source, ok bool) {
	var keys []uint64
	for _, p := range slices.Backward(m.foreign) {
		if len(p.requests.entries) == 0 {
			continue
		}
		if keys == nil {
			resolved := c.asRun()
			keys = append(m.argumentKeys(resolved), m.key(canonicalRequest(resolved)), m.key(identify()))
			if c.req.ToolName != resolved.ToolName || c.req.Command != resolved.Command {
				// If the foreign text was read before the method was registered, its requests were
				// not resolved, so their keys have the names as written.
				keys = append(append(keys, m.argumentKeys(&c.req)...), m.key(canonicalRequest(&c.req)))
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
func (m *Memory) sameWords(c *checkedCall) (source protocol.Source, ok bool) {
	names := methodNames{folded: m.namesOf(c), called: m.namesOfCalled(c)}
	if len(names.folded) == 0 && len(names.called) == 0 {
		return source, false
	}
	resolved := c.asRun()
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
		if text, err := p.FormatToolRequests([]protocol.ToolRequest{c.req}); err == nil {
			search.add(m.shinglesOf(text))
		}
	}
	return search.find(&names)
}

// namesOf returns the folded names of a request's method that foreign text may contain.
func (m *Memory) namesOf(c *checkedCall) (list [][]byte) {
	for _, name := range [...]string{c.fullName, c.req.ToolName} {
		m.name = fold(m.name[:0], name)
		if m.names.mayOccur(m.name, m.isNamed) {
			list = append(list, bytes.Clone(m.name))
		}
		if c.req.ToolName == c.fullName {
			break
		}
	}
	return list
}

// namesOfCalled returns the folded names of the methods that a script in the request may call:
// those that Options.Calls returns and that a value of the request contains.
func (m *Memory) namesOfCalled(c *checkedCall) (list [][]byte) {
	if m.options.Calls == nil {
		return nil
	}
	names := m.options.Calls(c.fullName)
	if len(names) == 0 {
		return nil
	}
	for i := range names {
		if name := fold(nil, names[i]); len(name) > 0 {
			list = append(list, name)
		}
	}
	var values []byte
	for _, a := range c.asRun().Arguments {
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
