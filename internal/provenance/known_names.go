package provenance

import "bytes"

const (
	// maxNames limits the names that are remembered.
	maxNames = 64
	// maxName limits the length of a name that is remembered, in bytes.
	maxName = 256
)

// knownNames remembers which names of methods occur in foreign text, so that most calls need no
// search for their words. The keys are folded names. A name stays true when the text that contained
// it is removed.
type knownNames map[string]bool

// addText looks for the names in a new text, which is folded.
func (n knownNames) addText(folded []byte) {
	for name, found := range n {
		if !found && bytes.Contains(folded, []byte(name)) {
			n[name] = true
		}
	}
}

// mayOccur reports whether foreign text may contain a folded name. search searches all foreign
// text; it is called if nothing is remembered about the name.
func (n *knownNames) mayOccur(name []byte, search func(name []byte) bool) bool {
	switch found, known := (*n)[string(name)]; {
	case len(name) == 0:
		return false
	case len(name) > maxName:
		return true
	case known:
		return found
	}
	if *n == nil || len(*n) == maxNames {
		*n = knownNames{}
	}
	found := search(name)
	(*n)[string(name)] = found
	return found
}
