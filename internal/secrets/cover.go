package secrets

import (
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/work"
)

const (
	// minSecret is the length of the shortest secret that is searched for, in bytes. Shorter ones
	// would be found in any text.
	minSecret = 4
	// pieceLength is the length of the shortest piece of a secret that is searched for, in bytes.
	// Pieces are searched for because errors often repeat only a part of an argument.
	pieceLength = 8
)

// Cover masks the values in texts, in place. It finds a value as it is, and with the escapes of
// JSON, Go, HTML and URLs, also nested. It also finds every piece of 8 bytes or more of a value. It
// does not find values of fewer than 4 bytes. It takes time in proportion to values and texts, and
// memory in proportion to texts.
func Cover(values []string, texts ...*string) {
	if len(values) == 0 {
		return
	}
	values = slices.Clone(values)
	slices.Sort(values)
	values = slices.Compact(values)
	c := coverer{pieces: map[uint64]bool{}}
	textBytes, valueBytes := 0, 0
	for _, text := range texts {
		textBytes += len(*text)
	}
	for _, value := range values {
		valueBytes += len(value)
	}
	plain := make([]plainText, len(texts))
	for i, text := range texts {
		plain[i] = newPlainText(*text)
	}
	if c.onlyInTexts = valueBytes > textBytes; c.onlyInTexts {
		for i, text := range texts {
			c.addText(*text)
			c.addText(string(plain[i].text))
		}
	}
	for _, value := range values {
		if len(value) < minSecret {
			continue
		}
		c.addSecret(value)
		if plain := WithoutEscapes(value); plain != value && len(plain) >= minSecret {
			c.addSecret(plain)
		}
	}
	for i, text := range texts {
		*text = c.cover(*text, &plain[i])
	}
}

// A coverer finds the pieces of secrets in texts, and short secrets as a whole.
type coverer struct {
	pieces      map[uint64]bool              // by piece: whether it is a part of a secret
	onlyInTexts bool                         // pieces has only pieces that occur in the texts, to save memory
	short       [pieceLength]map[string]bool // secrets that are shorter than a piece, by their length
}

// addText adds the pieces of a text, not yet as secrets.
func (c *coverer) addText(text string) {
	work.Add(len(text))
	for i := 0; i+pieceLength <= len(text); i++ {
		c.pieces[pieceAt(text, i)] = false
	}
}

// addSecret adds a secret that is searched for.
func (c *coverer) addSecret(secret string) {
	work.Add(len(secret))
	if n := len(secret); n < pieceLength {
		if c.short[n] == nil {
			c.short[n] = map[string]bool{}
		}
		c.short[n][secret] = true
	}
	for i := 0; i+pieceLength <= len(secret); i++ {
		piece := pieceAt(secret, i)
		if _, known := c.pieces[piece]; known || !c.onlyInTexts {
			c.pieces[piece] = true
		}
	}
}

// cover returns a text without secrets. plain is the text without escapes.
func (c *coverer) cover(text string, plain *plainText) string {
	covered := make([]bool, len(text))
	found := false
	mark := func(from, to int) {
		found = true
		for i := from; i < to; i++ {
			covered[i] = true
		}
	}
	c.find(text, mark)
	c.find(string(plain.text), func(from, to int) { mark(plain.from[from], plain.to[to-1]) })
	if !found {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		from, hidden := i, covered[i]
		for i < len(text) && covered[i] == hidden {
			i++
		}
		if hidden {
			b.WriteString(Mask)
		} else {
			b.WriteString(text[from:i])
		}
	}
	return b.String()
}

// find calls mark for each part of a text that is secret.
func (c *coverer) find(text string, mark func(from, to int)) {
	work.Add(len(text))
	for i := 0; len(c.pieces) > 0 && i+pieceLength <= len(text); i++ {
		if c.pieces[pieceAt(text, i)] {
			mark(i, i+pieceLength)
		}
	}
	for n, secrets := range c.short {
		for i := 0; len(secrets) > 0 && i+n <= len(text); i++ {
			if secrets[text[i:i+n]] {
				mark(i, i+n)
			}
		}
	}
}

// pieceAt returns the piece of a text that begins at i, packed into an integer.
func pieceAt(s string, i int) uint64 {
	var piece uint64
	for _, c := range []byte(s[i : i+pieceLength]) {
		piece = piece<<8 | uint64(c)
	}
	return piece
}
