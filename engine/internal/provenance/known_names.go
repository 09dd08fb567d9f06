package provenance

import "bytes"

const (
	// maxNames limits the names that are remembered. If there are more, all are forgotten.
	maxNames = 64
	// maxNameBytes limits the length of a name that is remembered.
	maxNameBytes = 256
)

// knownNames maps folded names of methods to whether foreign text contains them. A call whose
// method no foreign text names needs no further search. A name that was found stays true after the
// text that contained it is removed.
type knownNames map[string]bool

// addText looks for the names in a new text, which must be folded.
func (n knownNames) addText(folded []byte) {
	for name, found := range n {
		if !found && bytes.Contains(folded, []byte(name)) {
			n[name] = true
		}
	}
}

// mayOccur reports whether foreign text may contain a folded name. It calls search, which searches
// all foreign text, only if it does not know the name. Without a search it returns true for a name
// longer than maxNameBytes, and false for an empty name.
func (n *knownNames) mayOccur(name []byte, search func(name []byte) bool) bool {
	switch found, known := (*n)[string(name)]; {
	case len(name) == 0:
		return false
	case len(name) > maxNameBytes:
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
