package provenance

import (
	"bytes"
	"iter"
	"strings"
)

// A NameIndex finds the names that occur in texts. The zero value has no texts. It is safe for
// concurrent use.
type NameIndex struct{ spellings [][]byte }

// IndexNames returns the index of consecutive texts. It keeps copies of them, in several spellings.
func IndexNames(texts iter.Seq[string]) NameIndex {
	var n NameIndex
	tail := "" // the end of the texts so far
	for text := range texts {
		n.spellings = append(n.spellings, fold(nil, text), []byte(strings.ToLower(text)))
		if tail != "" {
			n.spellings = append(n.spellings, fold(nil, tail+text[:min(len(text), maxJoin)]))
		}
		tail = lastBytes(tail, text)
	}
	return n
}

// Contains reports whether the texts contain a name, with or without escapes. The name may begin in
// one text and end in a later one. A name of which fold leaves nothing, such as a quotation mark,
// is always contained.
func (n NameIndex) Contains(name string) bool {
	folded, lower := fold(nil, name), []byte(strings.ToLower(name))
	for _, text := range n.spellings {
		if bytes.Contains(text, folded) || bytes.Contains(text, lower) {
			return true
		}
	}
	return len(folded) == 0
}
