package provenance

import "bytes"

const (
	// maxNames limits the names that are remembered.
	maxNames = 64
	// maxName limits the length of a name that is remembered, in bytes.
	maxName = 256
)

// names says which names of methods the foreign texts on pages contain, so that most calls need no
// search for their words. Keys are folded names. A name that only forgotten texts contained counts
// as contained.
type names map[string]bool

// searchIn looks for the names in a new text, which is folded.
func (n names) searchIn(folded []byte) {
	for name, found := range n {
		if !found && bytes.Contains(folded, []byte(name)) {
			n[name] = true
		}
	}
}

// mayName reports whether foreign text may contain a folded name. It is exact for texts that are
// not forgotten.
func (m *Memory) mayName(name []byte) bool {
	if len(name) == 0 {
		return false
	}
	found, known := m.names[string(name)]
	if known || len(name) > maxName {
		return found || !known
	}
	found = m.findName(name)
	if m.names == nil {
		m.names = names{}
	} else if len(m.names) == maxNames {
		clear(m.names)
	}
	m.names[string(name)] = found
	return found
}

// findName searches all foreign texts on pages for a folded name.
func (m *Memory) findName(name []byte) bool {
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
