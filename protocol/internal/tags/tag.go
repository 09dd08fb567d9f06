// Package tags contains what the protocols hermes and qwencoder share. It reads the tags
// <tool_call>, <tool_response> and <tools> and the line around them. It writes the prompt and the
// results that these tags enclose.
package tags

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol/scan"
)

// The tags in their clean spelling. Read also accepts upper case, "-", a blank or nothing between
// the words, and up to one blank next to each bracket and the slash.
const (
	CallStart     = "<tool_call>"
	CallEnd       = "</tool_call>"
	ResponseStart = "<tool_response>"
	ResponseEnd   = "</tool_response>"
	ToolsStart    = "<tools>"
	ToolsEnd      = "</tools>"
)

// Kind is the kind of a tag.
type Kind uint8

// The kinds.
const (
	Call Kind = iota
	Response
	Tools
	Function  // only </function>
	Parameter // only </parameter>
)

// Tag is a tag as written.
type Tag struct {
	Kind Kind
	End  bool // whether it is an end tag
	N    int  // length in bytes
	// Cased reports that the tag is not in lower case. Spaced reports that it has another separator
	// than "_", or blanks inside.
	Cased, Spaced bool
}

// Read reads the tag at the start of src, whose first byte is taken for the '<'. last is the last
// kind that it recognizes: Tools or Parameter.
func Read(src []byte, last Kind) (Tag, scan.Match) {
	r := reader{src: src, i: 1}
	if r.tag(last) {
		r.blank()
		if r.is('>') {
			r.read.N = r.i
			return r.read, scan.MatchYes
		}
	}
	if r.short {
		return Tag{}, scan.MatchShort
	}
	return Tag{}, scan.MatchNo
}

// reader reads a tag step by step. short is set if the input ended before the next step.
type reader struct {
	src   []byte
	i     int
	read  Tag
	short bool
}

// tag reads the slash and the words of a tag, and reports whether a kind of tag has these words.
func (r *reader) tag(last Kind) bool {
	t := &r.read
	r.blank()
	if r.is('/') {
		t.End = true
		r.blank()
	}
	switch {
	case !r.word("tool"):
		switch {
		case last < Parameter || !t.End:
			return false
		case r.word("function"):
			t.Kind = Function
		default:
			t.Kind = Parameter
			return r.word("parameter")
		}
		return true
	case r.word("s"):
		t.Kind = Tools
		return true
	case !r.is('_'):
		t.Spaced = true
		if !r.is('-') {
			r.blank()
		}
	}
	if r.word("call") {
		t.Kind = Call
		return true
	}
	t.Kind = Response
	return r.word("response")
}

// is reads the byte c, and reports whether it was there.
func (r *reader) is(c byte) bool {
	if r.i >= len(r.src) {
		r.short = true
		return false
	}
	if r.src[r.i] != c {
		return false
	}
	r.i++
	return true
}

// blank reads a space or a tab, or nothing.
func (r *reader) blank() {
	if r.i < len(r.src) && (r.src[r.i] == ' ' || r.src[r.i] == '\t') {
		r.i++
		r.read.Spaced = true
	}
}

// word reads a word in any letter case, and reports whether it was there.
func (r *reader) word(lower string) bool {
	rest := r.src[min(r.i, len(r.src)):]
	n := min(len(rest), len(lower))
	if !bytes.EqualFold(rest[:n], []byte(lower[:n])) {
		return false
	}
	if n < len(lower) {
		r.short = true
		return false
	}
	r.read.Cased = r.read.Cased || string(rest[:n]) != lower
	r.i += n
	return true
}
