package vcp

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/markdown"
	"github.com/vcpgo/vcp/protocol/scan"
)

// otherBody reads a body that is written as JSON or as tags instead of fields (B7). It knows
// whether the body is complete when a marker follows. In an incomplete body the marker may be text
// of the body, and so may a whole request after it.
type otherBody struct {
	on      bool // there is such a body
	form    bodyForm
	whole   bool   // everything that was opened is closed
	broken  bool   // the body is malformed
	last    byte   // the last byte that was read
	rune    []byte // the first bytes of a rune that may be white space
	quote   byte   // of the open string or attribute; 0 for none
	escaped bool   // the next byte of the string is escaped

	brackets []byte   // the closing brackets for the open ones
	names    []uint32 // hashes of the names of the open tags
	tag      tagState
}

// tagState is the tag that is being read.
type tagState struct {
	open    bool
	closing bool
	naming  bool   // its name continues
	size    int    // length of its name so far, in bytes
	name    uint32 // hash of its name so far
}

// maxOtherDepth limits the nesting depth of brackets and tags.
const maxOtherDepth = 256

type bodyForm uint8

const (
	formUnknown bodyForm = iota // only white space so far
	formFence                   // in the line that opens a fence around the body
	formJSON
	formTags
	formNone // neither
)

// follow reads more of the body.
func (f *otherBody) follow(text []byte) {
	for _, c := range text {
		switch f.form {
		case formUnknown:
			if !f.space(c) {
				f.begin(c)
			}
		case formFence:
			if c == '\n' || c == '\r' {
				f.form = formUnknown
			}
		case formJSON:
			f.json(c)
		case formTags:
			f.tags(c)
		case formNone:
			return
		}
		f.last = c
	}
}

// space reports whether c is white space, or a byte of a rune that may be white space.
func (f *otherBody) space(c byte) bool {
	if c < utf8.RuneSelf && len(f.rune) == 0 {
		return c == ' ' || '\t' <= c && c <= '\r'
	}
	f.rune = append(f.rune, c)
	if !utf8.FullRune(f.rune) {
		return true
	}
	r, _ := utf8.DecodeRune(f.rune)
	f.rune = f.rune[:0]
	return unicode.IsSpace(r)
}

// begin decides the form of the body by its first byte.
func (f *otherBody) begin(c byte) {
	switch c {
	case '`', '~':
		f.form = formFence
	case '{', '[':
		f.form = formJSON
		f.json(c)
	case '<':
		f.form = formTags
		f.tags(c)
	default:
		f.form = formNone
	}
}

// fail gives up: everything that follows may be text of the body.
func (f *otherBody) fail() { f.form, f.broken = formNone, true }

// json reads a byte of JSON.
func (f *otherBody) json(c byte) {
	n := len(f.brackets)
	switch {
	case f.escaped:
		f.escaped = false
	case f.quote != 0 && c == '\\':
		f.escaped = true
	case f.quote != 0:
		if c == f.quote {
			f.quote = 0
		}
	case f.whole:
		if c != '`' && c != '~' && !f.space(c) { // neither white space nor the end of a fence around it
			f.fail()
		}
	case c == '"' || c == '\'':
		f.quote = c
	case c == '{' && n < maxOtherDepth:
		f.brackets = append(f.brackets, '}')
	case c == '[' && n < maxOtherDepth:
		f.brackets = append(f.brackets, ']')
	case c == '{' || c == '[', (c == '}' || c == ']') && c != f.brackets[n-1]:
		f.fail()
	case c == '}' || c == ']':
		f.brackets = f.brackets[:n-1]
		f.whole = n == 1
	}
}

// tags reads a byte of text with tags.
func (f *otherBody) tags(c byte) {
	t := &f.tag
	switch {
	case f.quote != 0:
		if c == f.quote {
			f.quote = 0
		}
	case t.naming && t.take(c):
	case c == '<' && (!t.open || t.size == 0):
		*t = tagState{open: true, naming: true}
	case !t.open:
	case t.size == 0: // a bracket in the text, not a tag
		t.open = false
	case c == '>':
		f.endTag()
	case c == '"' || c == '\'':
		t.naming, f.quote = false, c
	default:
		t.naming = false
	}
}

// take reads c as a part of the name of the tag, or as the slash before the name. It reports
// whether c is one of these.
func (t *tagState) take(c byte) bool {
	switch {
	case c == '/' && t.size == 0 && !t.closing:
		t.closing = true
	case 'a' <= c|0x20 && c|0x20 <= 'z', c >= 0x80, t.size > 0 && (isASCIIAlnum(c) || c == '_' || c == '-' || c == '.' || c == ':'):
		t.size++
		t.name = (t.name ^ uint32(c|0x20)) * 16777619 // FNV-1a
	default:
		return false
	}
	return true
}

// endTag decides whether the tag that ended is an opening, a closing or a self-closing one.
func (f *otherBody) endTag() {
	t := f.tag
	f.tag = tagState{}
	n := len(f.names)
	switch {
	case t.closing && (n == 0 || f.names[n-1] != t.name), !t.closing && n == maxOtherDepth:
		f.fail()
	case t.closing:
		f.names = f.names[:n-1]
	case f.last != '/':
		f.names = append(f.names, t.name)
	}
	f.whole = len(f.names) == 0
}

// doubt returns what is wrong with a request if a marker follows what was read of its body.
func (f *otherBody) doubt() scan.ErrorCode {
	begun := f.form == formJSON || f.form == formTags
	if f.on && (f.broken || begun && (!f.whole || f.quote != 0 || f.tag.open)) {
		return scan.CodeAmbiguousValue
	}
	return ""
}

// otherForm reports whether a body begins as a JSON object or as a tag, in a fence or not.
func otherForm(body []byte) bool {
	body = bytes.TrimSpace(body)
	if _, _, fenced := markdown.OpenFence(body[:max(0, bytes.IndexAny(body, "\r\n"))]); fenced {
		body = bytes.TrimSpace(body[bytes.IndexAny(body, "\r\n"):])
	}
	return len(body) > 0 && (body[0] == '{' || body[0] == '<' && len(body) > 1 && 'a' <= body[1]|0x20 && body[1]|0x20 <= 'z')
}
