package vcp

import "github.com/vcpgo/vcp/protocol"

// foreignBody follows a body that is written as JSON or as tags rather than as fields (B7), to tell whether it is complete where a marker
// stands. In one that is not, the marker may be part of its text, and so may be a whole request behind it.
type foreignBody struct {
	on      bool // there is such a body
	form    foreignForm
	depth   int  // how many of its braces, brackets or tags are open
	quote   byte // of the string that is open, 0 for none
	escaped bool // the next byte of the string is
	last    byte
}

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
			f.begin(c)
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

func (f *foreignBody) begin(c byte) {
	switch c {
	case ' ', '\t', '\n', '\r':
	case '`', '~':
		f.form = foreignFence
	case '{', '[':
		f.form, f.depth = foreignJSON, 1
	case '<':
		f.form = foreignTags
	default:
		f.form = foreignNone
	}
}

func (f *foreignBody) json(c byte) {
	switch {
	case f.escaped:
		f.escaped = false
	case f.quote != 0 && c == '\\':
		f.escaped = true
	case f.quote != 0:
		if c == f.quote {
			f.quote = 0
		}
	case c == '"' || c == '\'':
		f.quote = c
	case c == '{' || c == '[':
		f.depth++
	case c == '}' || c == ']':
		f.depth--
	}
}

func (f *foreignBody) tags(c byte) {
	switch {
	case f.last == '<' && c == '/', f.last == '/' && c == '>':
		f.depth--
	case f.last == '<' && 'a' <= c|0x20 && c|0x20 <= 'z':
		f.depth++
	}
}

// doubt returns what is wrong with a request in whose body a marker stands here.
func (f *foreignBody) doubt() protocol.ErrorCode {
	if f.on && (f.depth > 0 || f.quote != 0) {
		return protocol.CodeAmbiguousValue
	}
	return ""
}
