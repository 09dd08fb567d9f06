package secrets

import "strings"

const (
	// minKnown is the length of the shortest known value that a Filter masks, in bytes. Shorter
	// ones are often words or switches.
	minKnown = 8
	// knownPiece is the length of the shortest piece of a known value that a Filter masks, in
	// bytes. Shorter pieces of a passphrase are words.
	knownPiece = 12
)

// A Filter masks secrets in text of any origin: known values, and what has the form of a secret.
// It is safe for concurrent use.
type Filter struct{ known *knownValues }

// NewFilter returns a Filter of known values. It ignores values of fewer than 8 bytes, and white
// space at the beginning and the end of a value.
func NewFilter(values []string) *Filter {
	f := &Filter{newKnownValues(minKnown, knownPiece)}
	for _, value := range values {
		value = strings.TrimSpace(value)
		f.known.add(value)
		f.known.add(WithoutEscapes(value))
	}
	return f
}

// find calls mark for each part of a text that is secret.
func (f *Filter) find(s string, mark func(from, to int)) {
	f.known.find(s, mark)
	findForms(s, mark)
}
