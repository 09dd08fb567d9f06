package secrets

import (
	"slices"
	"strings"
	"unicode/utf8"
)

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
type Filter struct {
	short  []string        // known values that are shorter than a piece
	pieces map[string]bool // the pieces of longer values
	starts [1 << 12]bool   // hashes of the first four bytes of pieces
}

// NewFilter returns a Filter of known values. It ignores values of fewer than 8 bytes, and white
// space at the beginning and the end of a value.
func NewFilter(values []string) *Filter {
	f := &Filter{pieces: map[string]bool{}}
	for _, value := range values {
		value = strings.TrimSpace(value)
		f.add(value)
		f.add(WithoutEscapes(value))
	}
	return f
}

// add adds a known value, unless it is too short.
func (f *Filter) add(value string) {
	switch {
	case len(value) < minKnown:
	case len(value) < knownPiece:
		if !slices.Contains(f.short, value) {
			f.short = append(f.short, value)
		}
	default:
		for i := 0; i+knownPiece <= len(value); i++ {
			piece := value[i : i+knownPiece]
			f.pieces[piece], f.starts[hashStart(piece)] = true, true
		}
	}
}

// hashStart returns a hash of the first four bytes of a piece.
func hashStart(piece string) uint16 {
	start := uint32(piece[0]) | uint32(piece[1])<<8 | uint32(piece[2])<<16 | uint32(piece[3])<<24
	return uint16(start * 2654435761 >> 20)
}

// find calls mark for each part of a text that is secret.
func (f *Filter) find(s string, mark func(from, to int)) {
	f.findKnown(s, mark)
	findForms(s, mark)
}

// findKnown calls mark for each part of a text that is known as a secret.
func (f *Filter) findKnown(s string, mark func(from, to int)) {
	for i := 0; len(f.pieces) > 0 && i+knownPiece <= len(s); i++ {
		if piece := s[i : i+knownPiece]; f.starts[hashStart(piece)] && f.pieces[piece] {
			mark(i, i+knownPiece)
		}
	}
	for _, value := range f.short {
		for from := 0; ; {
			i := strings.Index(s[from:], value)
			if i < 0 {
				break
			}
			mark(from+i, from+i+len(value))
			from += i + 1
		}
	}
}

// spans are parts of a text, from an index to the index after the part.
type spans [][2]int

func (s *spans) add(from, to int) { *s = append(*s, [2]int{from, to}) }

// mask returns a text with Mask in place of the spans, which are first extended to whole
// characters. Spans that touch get one Mask.
func (s spans) mask(text string) string {
	for i := range s {
		from, to := &s[i][0], &s[i][1]
		for *from > 0 && !utf8.RuneStart(text[*from]) {
			*from--
		}
		for *to < len(text) && !utf8.RuneStart(text[*to]) {
			*to++
		}
	}
	slices.SortFunc(s, func(a, b [2]int) int { return a[0] - b[0] })
	var b strings.Builder
	end := 0 // the end of the text that is written or masked
	for i, span := range s {
		if i == 0 || span[0] > end {
			b.WriteString(text[end:span[0]])
			b.WriteString(Mask)
		}
		end = max(end, span[1])
	}
	b.WriteString(text[end:])
	return b.String()
}
