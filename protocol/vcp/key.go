package vcp

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// keyWindow bounds how far before its opener a key may begin, in bytes, decoration and blanks
// included. It leaves room in scan.History for the marks that hide a field.
const keyWindow = 768

// key is what stands directly before an opener (DIALECT section 2).
type key struct {
	start int    // where the key begins, decoration included
	dress int    // where the first byte of decoration stands
	name  []byte // without decoration
	// nameStart and nameEnd enclose the bare key; sepStart is where what stands between key and
	// opener begins.
	nameStart, nameEnd, sepStart int
	quoted                       bool // a quotation mark stands between the separator and the opener
	hidden                       bool // commented out
	tooLong                      bool
	repairs                      uint64
}

// keyBefore reads the key that ends at the opener at src[at:], looking back no further than floor.
func (s *scanner) keyBefore(src []byte, floor, at, maxKey int) (key, bool) {
	floor = max(floor, at-keyWindow)
	r := keyReader{src: src, floor: floor, i: at}
	k, ok := r.read(maxKey)
	s.examined += at - r.i
	return k, ok
}

// keyReader reads backwards: src[floor:i] is still to be read.
type keyReader struct {
	src   []byte
	floor int
	i     int
}

// decorations hold what may stand before and after a key.
var decorations = [...][2]string{{`"`, `"`}, {"**", "**"}, {"`", "`"}, {"“", "”"}, {"'", "'"}}

func (r *keyReader) read(maxKey int) (k key, ok bool) {
	for _, quote := range [...]string{`"`, "'", "“"} {
		if r.cut(quote) {
			k.quoted = true
			break
		}
	}
	gap := r.blanks(true)
	inner := r.cut("**") // **key:** stands inside of the emphasis
	if inner {
		r.blanks(false)
	}
	switch {
	case r.cut(":"):
	case r.cut("："), r.cut("="), r.cut("＝"):
		k.repairs |= bitSeparator
	case gap == 0 && !inner && !k.quoted:
		k.repairs |= bitSeparator
	default:
		return key{}, false
	}
	r.blanks(false)
	k.sepStart = r.i
	decoration := -1
	if inner {
		decoration = 1
	} else {
		for d, pair := range decorations {
			if r.cut(pair[1]) {
				decoration = d
				break
			}
		}
	}
	if !r.name(&k, maxKey) {
		return key{}, false
	}
	k.start = k.nameStart
	if decoration >= 0 {
		if !r.cut(decorations[decoration][0]) {
			return key{}, false
		}
		k.start, k.dress = r.i, r.i
		k.repairs |= bitKeyDecoration
	}
	if k.quoted {
		if decoration < 0 {
			return key{}, false
		}
		k.repairs |= bitKeyDecoration
	}
	k.hidden = r.hides()
	return k, true
}

// name reads the key itself.
func (r *keyReader) name(k *key, maxKey int) bool {
	end := r.i
	escaped := false
	start := end // where the key begins as far as is known: at a rune that may begin one
	length := 0
	for i := end; i > r.floor; {
		c, n := utf8.DecodeLastRune(r.src[r.floor:i])
		if c == utf8.RuneError && n <= 1 || !isKeyRune(c) {
			if c == '\\' && i < end && r.src[i] == '_' {
				escaped = true
				i--
				continue
			}
			break
		}
		i -= n
		if isKeyStart(c) {
			start = i
		}
		if length += n; length > maxKey+utf8.UTFMax*4 {
			break
		}
	}
	if start == end {
		return false
	}
	k.nameStart, k.nameEnd = start, end
	k.name = r.src[start:end]
	if at := bytes.IndexByte(k.name, '\\'); escaped && at >= 0 {
		k.dress = start + at
		k.name = bytes.ReplaceAll(k.name, []byte(`\_`), []byte("_"))
		k.repairs |= bitKeyDecoration
	}
	k.tooLong = len(k.name) > maxKey
	r.i = start
	return true
}

// hides reports whether a comment mark stands directly before the key.
func (r *keyReader) hides() bool {
	r.i = leadBefore(r.src, r.floor, r.i, wideBlanks+zeroWidth)
	if r.cut("//") || r.cut("<!--") {
		return true
	}
	return r.cut("#") && !r.cut("#")
}

// cut takes text off the end of what is still to be read.
func (r *keyReader) cut(text string) bool {
	if !bytes.HasSuffix(r.src[r.floor:r.i], []byte(text)) {
		return false
	}
	r.i -= len(text)
	return true
}

// blanks takes blanks off, and at most one line break if that is allowed, and returns how many
// bytes they had.
func (r *keyReader) blanks(lineBreak bool) int {
	start := r.i
	for {
		if n := blankBefore(r.src[r.floor:r.i]); n > 0 {
			r.i -= n
			continue
		}
		if lineBreak && (r.cut("\r\n") || r.cut("\n") || r.cut("\r")) {
			lineBreak = false
			continue
		}
		return start - r.i
	}
}

// isKeyRune reports whether c may stand in a key: letters, marks and digits of any script, joiners
// and four signs.
func isKeyRune(c rune) bool {
	if c < utf8.RuneSelf {
		return isASCIIAlnum(byte(c)) || c == '_' || c == '-' || c == '.' || c == '/'
	}
	return unicode.IsLetter(c) || unicode.IsMark(c) || unicode.IsDigit(c) || c == '\u200c' || c == '\u200d'
}

// isKeyStart reports whether a key may begin with c.
func isKeyStart(c rune) bool {
	if c < utf8.RuneSelf {
		return isASCIIAlnum(byte(c)) || c == '_'
	}
	// A variation selector belongs to the sign before it, such as an emoji that stands as a bullet.
	return unicode.IsLetter(c) || unicode.IsMark(c) && !unicode.Is(unicode.Variation_Selector, c) || unicode.IsDigit(c)
}

// validKey reports whether name is a key that reads back as itself.
func validKey(name string, maxKey int) bool {
	if name == "" || len(name) > maxKey || !utf8.ValidString(name) {
		return false
	}
	for i, c := range name {
		if i == 0 && !isKeyStart(c) || !isKeyRune(c) {
			return false
		}
	}
	return true
}
