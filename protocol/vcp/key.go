package vcp

import (
	"bytes"
	"unicode/utf8"
)

// keyWindow limits how far before its opener a key may begin, in bytes, including decoration and
// blanks. It is less than scan.History, which must also contain a comment mark before the field.
const keyWindow = 768

// fieldKey is the text directly before an opener (docs/dialect.md, section 2).
type fieldKey struct {
	start        int    // start of the key, including decoration
	decorationAt int    // offset of the first byte of decoration
	name         []byte // without decoration
	// nameStart and nameEnd enclose the undecorated key. sepStart is the start of the text between
	// key and opener.
	nameStart, nameEnd, sepStart int
	hidden                       bool // commented out
	tooLong                      bool // longer than the limit of a key
	repairs                      uint64
}

// keyBefore reads the key before the opener at src[at:], and looks back no further than floor.
func (s *scanner) keyBefore(src []byte, floor, at, maxKey int) (fieldKey, bool) {
	floor = max(floor, at-keyWindow)
	r := keyReader{src: src, floor: floor, i: at}
	k, ok := r.readKey(maxKey)
	s.examined += at - r.i
	return k, ok
}

// keyReader reads backwards. src[floor:i] is not read yet.
type keyReader struct {
	src   []byte
	floor int
	i     int
}

// decorations are the marks that may be before and after a key.
var decorations = [...][2]string{{`"`, `"`}, {"**", "**"}, {"`", "`"}, {"“", "”"}, {"'", "'"}}

// readKey reads the separator, the decoration and the name of a key.
func (r *keyReader) readKey(maxKey int) (k fieldKey, ok bool) {
	// A quotation mark may be between the separator and the opener.
	quoted := r.cut(`"`) || r.cut("'") || r.cut("“")
	gap := r.blanks(true)
	inner := r.cut("**") // **key:** has its colon inside the emphasis
	if inner {
		r.blanks(false)
	}
	switch {
	case r.cut(":"):
	case r.cut("："), r.cut("="), r.cut("＝"):
		k.repairs |= bitSeparator
	case gap == 0 && !inner && !quoted: // the opener touches the key (F2)
		k.repairs |= bitSeparator
	default:
		return fieldKey{}, false
	}
	r.blanks(false)
	k.sepStart = r.i
	decoration := -1
	if inner {
		decoration = 1 // **
	} else {
		for d, pair := range decorations {
			if r.cut(pair[1]) {
				decoration = d
				break
			}
		}
	}
	if !r.readName(&k, maxKey) {
		return fieldKey{}, false
	}
	k.start = k.nameStart
	if decoration >= 0 {
		if !r.cut(decorations[decoration][0]) {
			return fieldKey{}, false
		}
		k.start, k.decorationAt = r.i, r.i
		k.repairs |= bitKeyDecoration
	}
	if quoted {
		if decoration < 0 {
			return fieldKey{}, false
		}
		k.repairs |= bitKeyDecoration
	}
	k.hidden = r.hides()
	return k, true
}

// readName reads the undecorated key.
func (r *keyReader) readName(k *fieldKey, maxKey int) bool {
	end := r.i
	escaped := false
	start := end // start of the key so far: a rune that may begin a key
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
	}
	if start == end {
		return false
	}
	k.nameStart, k.nameEnd = start, end
	k.name = r.src[start:end]
	if at := bytes.IndexByte(k.name, '\\'); escaped && at >= 0 {
		k.decorationAt = start + at
		k.name = bytes.ReplaceAll(k.name, []byte(`\_`), []byte("_"))
		k.repairs |= bitKeyDecoration
	}
	k.tooLong = len(k.name) > maxKey
	r.i = start
	return true
}

// hides reports whether a comment mark is before the key, with only blanks and zero-width
// characters between the two. A single # is a comment mark, and several are not.
func (r *keyReader) hides() bool {
	r.i = leadBefore(r.src, r.floor, r.i, wideBlanks+zeroWidth)
	if r.cut("//") || r.cut("<!--") {
		return true
	}
	return r.cut("#") && !r.cut("#")
}

// cut removes text from the end of the unread input, and reports whether it was there.
func (r *keyReader) cut(text string) bool {
	if !bytes.HasSuffix(r.src[r.floor:r.i], []byte(text)) {
		return false
	}
	r.i -= len(text)
	return true
}

// blanks removes blanks, and at most one line break if that is allowed, and returns the number of
// bytes.
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
