package vcp

import (
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol/scan"
)

// foreignBody follows a body that is written as JSON or as tags rather than as fields (B7), to tell
// whether it is complete where a marker stands. In one that is not, the marker may be part of its
// text, and so may be a whole request behind it.
type foreignBody struct {
	on      bool // there is such a body
	form    foreignForm
	whole   bool // all that was opened has been closed
	broken  bool // it is not what it began as
	last    byte
	rune    []byte // a rune beyond ASCII that is not complete, where white space may stand
	quote   byte   // of the string or the attribute that is open, 0 for none
	escaped bool   // the next byte of the string is

	brackets []byte   // the counterparts of the brackets that are open
	names    []uint32 // hashes of the names of the tags that are open
	tag      tagState
}

// tagState is the tag that is being read.
type tagState struct {
	open    bool
	closing bool
	naming  bool // its name goes on
	size    int  // of its name
	name    uint32
}

// maxForeignDepth bounds how deep brackets and tags are followed.
const maxForeignDepth = 256

type foreignForm uint8

const (
	foreignUnknown foreignForm = iota // nothing but white space so far
	foreignFence                      // the line that opens a fence around it
	foreignJSON
	foreignTags
	foreignNone // neither
)

// follow reads more of the body.
func (f *foreignBody) follow(text []byte) {
	for _, c := range text {
		switch f.form {
		case foreignUnknown:
			if !f.space(c) {
				f.begin(c)
			}
		case foreignFence:
			if c == '\n' || c == '\r' {
				f.form = foreignUnknown
			}
		case foreignJSON:
			f.json(c)
		case foreignTags:
			f.tags(c)
		case foreignNone:
			return
		}
		f.last = c
	}
}

// space reports whether c is white space, or a byte of a rune that may turn out to be.
func (f *foreignBody) space(c byte) bool {
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

func (f *foreignBody) begin(c byte) {
	switch c {
	case '`', '~':
		f.form = foreignFence
	case '{', '[':
		f.form = foreignJSON
		f.json(c)
	case '<':
		f.form = foreignTags
		f.tags(c)
	default:
		f.form = foreignNone
	}
}

// fail gives up: what follows may be text of the body, however it looks.
func (f *foreignBody) fail() { f.form, f.broken = foreignNone, true }

func (f *foreignBody) json(c byte) {
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
	case c == '{' && n < maxForeignDepth:
		f.brackets = append(f.brackets, '}')
	case c == '[' && n < maxForeignDepth:
		f.brackets = append(f.brackets, ']')
	case c == '{' || c == '[', (c == '}' || c == ']') && c != f.brackets[n-1]:
		f.fail()
	case c == '}' || c == ']':
		f.brackets = f.brackets[:n-1]
		f.whole = n == 1
	}
}

func (f *foreignBody) tags(c byte) {
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
	case t.size == 0: // no tag: a bracket in the text
		t.open = false
	case c == '>':
		f.endTag()
	case c == '"' || c == '\'':
		t.naming, f.quote = false, c
	default:
		t.naming = false
	}
}

// take takes c for the name of the tag, or for the slash before it.
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

// endTag settles what the tag is that has ended: an opening one, a closing one, or one that closes
// itself.
func (f *foreignBody) endTag() {
	t := f.tag
	f.tag = tagState{}
	n := len(f.names)
	switch {
	case t.closing && (n == 0 || f.names[n-1] != t.name), !t.closing && n == maxForeignDepth:
		f.fail()
	case t.closing:
		f.names = f.names[:n-1]
	case f.last != '/':
		f.names = append(f.names, t.name)
	}
	f.whole = len(f.names) == 0
}

// doubt returns what is wrong with a request in whose body a marker stands here.
func (f *foreignBody) doubt() scan.ErrorCode {
	begun := f.form == foreignJSON || f.form == foreignTags
	if f.on && (f.broken || begun && (!f.whole || f.quote != 0 || f.tag.open)) {
		return scan.CodeAmbiguousValue
	}
	return ""
}
