package provenance

import (
	"bytes"
	"iter"
	"strings"
)

// A NameIndex tells which names occur in texts. The zero value has no texts. It is safe for
// concurrent use.
type NameIndex struct{ spellings [][]byte }

// IndexNames returns the index of texts in a row. It keeps copies of them, in several spellings.
func IndexNames(texts iter.Seq[string]) NameIndex {
	var n NameIndex
	tail := "" // of the texts so far
	for text := range texts {
		n.spellings = append(n.spellings, fold(nil, text), []byte(strings.ToLower(text)))
		if tail != "" {
			n.spellings = append(n.spellings, fold(nil, tail+text[:min(len(text), maxJoin)]))
		}
		tail = lastBytes(tail, text)
	}
	return n
}

// Contains reports whether a text contains a name, with escapes or without, or whether the name
// begins in one text and ends in a later one. A name without letters and digits always counts.
func (n NameIndex) Contains(name string) bool {
	folded, lower := fold(nil, name), []byte(strings.ToLower(name))
	for _, text := range n.spellings {
		if bytes.Contains(text, folded) || bytes.Contains(text, lower) {
			return true
		}
	}
	return len(folded) == 0
}
