// Package redact prepares foreign text for display: short, without control characters and without
// any part of a secret, in any of the usual spellings.
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
	// minSecret is the length of the shortest secret that is masked, in bytes. Shorter ones occur
	// within words.
	minSecret = 4
	// minDecoded is the length of the shortest piece that is searched for in decoded text, in
	// bytes. Shorter pieces occur there by chance.
	minDecoded = 6
	// minLetters is how many letters and digits a secret must have to be found also without its
	// other characters. Fewer of them may be an ordinary name.
	minLetters = 16
	// maxInput limits the bytes of a text that are examined. Line and Text drop the rest.
	maxInput = 8 << 10
)

// A Redactor masks secrets that it knows. It is safe for concurrent use. A nil Redactor knows no
// secrets.
type Redactor struct {
	visible pieces // of the visible characters of secrets, in lower case
	letters pieces // of the letters and digits of secrets that have enough of them, in lower case
}

// New returns a Redactor that masks the secrets. It ignores secrets of fewer than 4 bytes.
func New(secrets ...string) *Redactor {
	r := &Redactor{visible: pieces{}, letters: pieces{}}
	for _, secret := range secrets {
		secret = strings.TrimSpace(secret)
		if len(secret) < minSecret {
			continue
		}
		r.add(secret)
		if strings.Contains(secret, " ") { // a query of a URL contains + in place of blanks
			r.add(strings.ReplaceAll(secret, " ", "+"))
		}
		backwards := []rune(secret)
		slices.Reverse(backwards)
		r.add(string(backwards))
	}
	return r
}

// add adds the pieces of one spelling of a secret.
func (r *Redactor) add(secret string) {
	r.visible.putWindows(fold(plain(secret), isVisible))
	for i := range len(secret) - window + 1 {
		// Decoded text may begin or end within a character of the secret, so parts that do so are
		// added too. If white space begins or ends a part, only the rest of the part is added.
		part := secret[i : i+window]
		shown := textOf(fold(plain(part), isVisible))
		if !utf8.ValidString(part) || strings.TrimSpace(part) != part && len(shown) >= minDecoded {
			r.visible.put(shown)
		}
	}
	if letters := textOf(fold(plain(secret), isLetterOrDigit)); len(letters) >= minLetters {
		for i := range len(letters) - window + 1 {
			r.letters.put(letters[i : i+window])
		}
	}
}

// Line returns s as one line, and drops all but the first 8 KiB of s. limit is the greatest length
// of the line in bytes; a line that is shortened gets an ellipsis in addition. Line removes control
// characters, invisible characters and those that change the order of reading, and joins white
// space. Mask replaces each run of at least 8 consecutive bytes of a secret. It replaces a shorter
// secret only as a whole.
//
// It finds secrets in upper and lower case, and backwards. It finds them escaped as in URLs, JSON,
// HTML, mail and programs, in base64, in hexadecimal and as lists of numbers. Up to 4 of these may
// be nested. It finds a part in base64, in hexadecimal or in numbers only if the part has at least
// 6 bytes that are not white space. It finds a secret with visible separators between its
// characters only if the secret has at least 16 letters and digits.
func (r *Redactor) Line(s string, limit int) string {
	return text.TruncateBytes(r.masked(clean(s[:min(len(s), maxInput)])), limit)
}

// Text is like Line, but keeps line feeds, tabs and repeated spaces.
func (r *Redactor) Text(s string, limit int) string {
	visible := strings.Map(func(c rune) rune {
		if c == '\n' || c == '\t' || c == ' ' || isVisible(c) {
			return c
		}
		return -1
	}, text.Valid(s[:min(len(s), maxInput)]))
	return text.TruncateBytes(r.masked(visible), limit)
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
	if r == nil || len(r.visible) == 0 || len(text) < minSecret {
		return text
	}
	s := marker{Redactor: r, hit: make([]bool, len(text)+1), byKind: map[string]int{}}
	s.search(plain(text), 0, true)
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case !s.hit[i]:
			b.WriteByte(text[i])
		case !s.hit[i+1]: // the last byte of a secret
			b.WriteString(Mask)
		}
	}
	return b.String()
}

// pieces contains parts of secrets: for each length, the set of parts with that length.
type pieces map[int]map[string]bool

// put adds a part, unless it is too short.
func (p pieces) put(part string) {
	if len(part) < minSecret {
		return
	}
	if p[len(part)] == nil {
		p[len(part)] = map[string]bool{}
	}
	p[len(part)][part] = true
}

// putWindows adds each part of a secret that is window bytes long. It omits the invisible
// characters of the part, but they count as part of the window. It adds a shorter secret as a
// whole.
func (p pieces) putWindows(secret []unit) {
	if len(secret) == 0 {
		return
	}
	text, secretEnd := textOf(secret), secret[len(secret)-1].end
	if secretEnd-secret[0].start < window {
		p.put(text)
		return
	}
	for i := range secret {
		if secret[i].start+window > secretEnd {
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

// A marker marks the secrets in one text.
type marker struct {
	*Redactor
	hit    []bool         // for each byte of the text, whether it belongs to a secret; false for the end
	byKind map[string]int // views that searchByKind has searched, as text, with the level of each
}

// maxDecodings limits how many decoders are applied one after the other.
const maxDecodings = 4

// search marks the parts of secrets in a view of the text and in its decoded forms. level is how
// many decoders were applied. short is as in mark: it is false if the view was decoded from base64,
// hexadecimal digits or numbers, because short pieces occur there by chance.
func (s *marker) search(view []unit, level int, short bool) {
	s.mark(s.visible, fold(view, isVisible), short)
	s.mark(s.letters, fold(view, isLetterOrDigit), short)
	if level == maxDecodings {
		return
	}
	unescaped, kinds := unescape(view, everyKind)
	if kinds != 0 {
		s.search(unescaped, level+1, short)
	}
	if kinds&(kinds-1) != 0 { // more than one kind
		s.searchByKind(view, kinds, level, short)
	}
	for _, decoded := range decodings(view) {
		s.mark(s.visible, fold(decoded, isVisible), false)
		if inner := readable(decoded); len(inner) > 0 {
			s.search(inner, level+1, false)
		}
	}
}

// searchByKind decodes escapes of one kind after the other, in every order. A secret may contain
// text that looks like an escape of another kind and must not be decoded.
func (s *marker) searchByKind(view []unit, kinds escapeKind, level int, short bool) {
	if level == maxDecodings {
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
		s.mark(s.visible, fold(one, isVisible), short)
		_, left := unescape(one, everyKind)
		s.searchByKind(one, left, level+1, short)
	}
}

// mark marks each piece that occurs in a view. short says that pieces of fewer than minDecoded
// bytes count, too.
func (s *marker) mark(p pieces, view []unit, short bool) {
	text := textOf(view)
	for size, known := range p {
		if size < minDecoded && !short {
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
