// Package redact prepares foreign text for display: one short line, without control characters and
// without any part of a secret, in any of the usual spellings.
package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/text"
)

// Mask replaces each part of a secret.
const Mask = "[secret]"

const (
	// shortest is the length of the shortest secret, in bytes. Shorter ones are parts of words.
	shortest = 4
	// distinct is the length of the shortest piece that is searched for in decoded text, in bytes.
	// Shorter pieces occur there by chance.
	distinct = 6
	// named is the least number of letters and digits of a secret that is searched for without its
	// other characters. A secret with fewer may be a name.
	named = 16
	// input limits the bytes of a text that are examined. The rest is never shown.
	input = 8 << 10
)

// A Redactor masks secrets that it knows. It is safe for concurrent use. A nil Redactor knows no
// secrets.
type Redactor struct {
	visible pieces // of the visible characters of secrets, in lower case
	letters pieces // of the letters and digits of secrets
}

// New returns a Redactor of those secrets. Secrets of fewer than 4 bytes are ignored.
func New(secrets ...string) *Redactor {
	r := &Redactor{visible: pieces{}, letters: pieces{}}
	for _, secret := range secrets {
		secret = strings.TrimSpace(secret)
		if len(secret) < shortest {
			continue
		}
		r.add(secret)
		if strings.Contains(secret, " ") { // in a query
			r.add(strings.ReplaceAll(secret, " ", "+"))
		}
		backwards := []rune(secret)
		slices.Reverse(backwards)
		r.add(string(backwards))
	}
	return r
}

func (r *Redactor) add(secret string) {
	r.visible.windows(fold(plain(secret), isVisible))
	for i := range len(secret) - window + 1 {
		// A decoder may begin and end within a character. White space at the ends of a part counts
		// towards its length, but is not searched for.
		part := secret[i : i+window]
		shown := textOf(fold(plain(part), isVisible))
		if !utf8.ValidString(part) || strings.TrimSpace(part) != part && len(shown) >= distinct {
			r.visible.put(shown)
		}
	}
	if letters := textOf(fold(plain(secret), isLetter)); len(letters) >= named {
		for i := range len(letters) - window + 1 {
			r.letters.put(letters[i : i+window])
		}
	}
}

// Line returns s as one line of at most limit bytes, or 3 more for the ellipsis if it is
// shortened. It removes control characters, invisible characters and those that change the order of
// reading, and joins white space. Mask replaces each part of a secret of 8 bytes or more, and each
// shorter secret.
//
// It finds secrets in upper and lower case, with separators between their characters, and
// backwards. It finds them escaped as in URLs, JSON, HTML, mail and programs, in base64, in
// hexadecimal and as lists of numbers. Up to 4 of these may be nested. A part that is decoded from
// base64, from digits or from numbers must have 6 bytes besides white space.
func (r *Redactor) Line(s string, limit int) string {
	return text.TruncateBytes(r.masked(clean(s[:min(len(s), input)])), limit)
}

// clean returns a text as one line of visible characters.
func clean(s string) string {
	return text.OneLine(strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case !isVisible(c):
			return -1
		}
		return c
	}, text.Valid(s)))
}

// masked replaces each part of a secret with Mask.
func (r *Redactor) masked(text string) string {
	if r == nil || len(r.visible) == 0 || len(text) < shortest {
		return text
	}
	s := search{Redactor: r, hit: make([]bool, len(text)+1), byKind: map[string]int{}}
	s.look(plain(text), 0, true)
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case !s.hit[i]:
			b.WriteByte(text[i])
		case !s.hit[i+1] || i+1 == len(text):
			b.WriteString(Mask)
		}
	}
	return b.String()
}

// pieces are parts of secrets, by their lengths.
type pieces map[int]map[string]bool

func (p pieces) put(part string) {
	if len(part) < shortest {
		return
	}
	if p[len(part)] == nil {
		p[len(part)] = map[string]bool{}
	}
	p[len(part)][part] = true
}

// windows adds the visible characters of each part of window bytes of a secret. Invisible
// characters count towards the window. A shorter secret is added as a whole.
func (p pieces) windows(secret []unit) {
	if len(secret) == 0 {
		return
	}
	text, last := textOf(secret), secret[len(secret)-1].end
	if last-secret[0].start < window {
		p.put(text)
		return
	}
	for i := range secret {
		if secret[i].start+window > last {
			return
		}
		if i > 0 && secret[i].start == secret[i-1].start {
			continue // within a character
		}
		end := i
		for end < len(secret) && secret[end].end <= secret[i].start+window {
			end++
		}
		p.put(text[i:end])
	}
}

// A search marks the secrets of one text.
type search struct {
	*Redactor
	hit    []bool         // bytes of the text that belong to a secret
	byKind map[string]int // texts that lookByKind has searched, and the level of each
}

// depth is how many decoders are applied one after the other.
const depth = 4

// look marks the parts of secrets in a view of the text and in its decoded forms. It searches for
// short pieces only in text: in decoded noise they occur by chance.
func (s *search) look(view []unit, level int, written bool) {
	s.mark(s.visible, fold(view, isVisible), written)
	s.mark(s.letters, fold(view, isLetter), written)
	if level == depth {
		return
	}
	unescaped, kinds := unescape(view, everyKind)
	if kinds != 0 {
		s.look(unescaped, level+1, written)
	}
	if kinds&(kinds-1) != 0 { // more than one kind
		s.lookByKind(view, kinds, level, written)
	}
	for _, decoded := range decodings(view) {
		s.mark(s.visible, fold(decoded, isVisible), false)
		if inner := readable(decoded); len(inner) > 0 {
			s.look(inner, level+1, false)
		}
	}
}

// lookByKind undoes escapes of one kind after the other, in every order. A secret may contain what
// looks like an escape of another kind: that part must not be decoded.
func (s *search) lookByKind(view []unit, kinds escapeKind, level int, written bool) {
	if level == depth {
		return
	}
	for kind := escapeKind(1); kind < everyKind; kind <<= 1 {
		if kinds&kind == 0 {
			continue
		}
		one, _ := unescape(view, kind)
		key := textOf(one)
		if at, seen := s.byKind[key]; seen && at <= level {
			continue // the same escapes were undone in another order
		}
		s.byKind[key] = level
		s.mark(s.visible, fold(one, isVisible), written)
		_, left := unescape(one, everyKind)
		s.lookByKind(one, left, level+1, written)
	}
}

// mark marks each piece that occurs in a view.
func (s *search) mark(p pieces, view []unit, short bool) {
	text := textOf(view)
	for size, known := range p {
		if size < distinct && !short {
			continue
		}
		for i := 0; i+size <= len(text); i++ {
			if known[text[i:i+size]] {
				for at := view[i].start; at < view[i+size-1].end; at++ {
					s.hit[at] = true
				}
			}
		}
	}
}
