package hermes

import (
	"bytes"
	"strings"
)

// The tags are
//
//	<tool_call> … </tool_call>          a request
//	<tool_response> … </tool_response>  a result
//	<tools> … </tools>                  definitions
//
// in upper or lower case, with "_", "-", a blank or nothing between the words, and up to one blank
// next to each bracket and the slash (T1, T2).

type tagKind uint8

const (
	tagCall tagKind = iota
	tagResponse
	tagTools
)

// tag is a tag as written.
type tag struct {
	kind tagKind
	end  bool // it closes
	n    int  // length in bytes
	// cased and spaced say which repairs it needed.
	cased, spaced bool
}

// match is the result of a recognizer that examines the start of its input.
type match uint8

const (
	matchNo match = iota
	matchYes
	matchShort // more input could make it a match
)

// tagAt reads the tag at the start of src, which begins with '<'.
func tagAt(src []byte, atEOF bool) (tag, match) {
	var t tag
	r := tagReader{src: src, i: 1, tag: &t}
	r.blank()
	if r.is('/') {
		t.end = true
		r.blank()
	}
	if r.word("tool") {
		switch {
		case r.letter('s'):
			t.kind = tagTools
		default:
			if !r.is('_') {
				t.spaced = true
				if !r.is('-') {
					r.blank()
				}
			}
			switch {
			case r.word("call"):
				t.kind = tagCall
			case r.word("response"):
				t.kind = tagResponse
			default:
				r.failed = true
			}
		}
		r.blank()
		if r.failed = r.failed || !r.is('>'); !r.failed {
			t.n = r.i
			return t, matchYes
		}
	}
	if r.short && !atEOF {
		return t, matchShort
	}
	return t, matchNo
}

// tagReader reads a tag part by part. short is set if the input ended where the next part could
// follow.
type tagReader struct {
	src           []byte
	i             int
	tag           *tag
	short, failed bool
}

func (r *tagReader) is(c byte) bool {
	if r.i == len(r.src) {
		r.short = true
		return false
	}
	if r.src[r.i] != c {
		return false
	}
	r.i++
	return true
}

func (r *tagReader) blank() {
	if r.i < len(r.src) && (r.src[r.i] == ' ' || r.src[r.i] == '\t') {
		r.i++
		r.tag.spaced = true
	}
}

func (r *tagReader) letter(lower byte) bool {
	if r.is(lower) {
		return true
	}
	if r.is(lower &^ 0x20) {
		r.tag.cased = true
		return true
	}
	return false
}

// word reads a word in any case, or nothing.
func (r *tagReader) word(lower string) bool {
	rest := r.src[r.i:]
	n := min(len(rest), len(lower))
	if !bytes.EqualFold(rest[:n], []byte(lower[:n])) {
		return false
	}
	if n < len(lower) {
		r.short = true
		return false
	}
	r.tag.cased = r.tag.cased || string(rest[:n]) != lower
	r.i += n
	return true
}

// mayEndTag reports whether s may be the end of the text between the brackets of a tag.
func mayEndTag(s string) bool {
	const most = len(" / tool_response ")
	if len(s) > most {
		return false
	}
	word := strings.TrimLeft(strings.TrimRight(s, " \t"), "/ \t")
	word = strings.NewReplacer("-", "", "_", "", " ", "", "\t", "").Replace(strings.ToLower(word))
	for _, tag := range [...]string{"toolcall", "toolresponse", "tools"} {
		if strings.HasSuffix(tag, word) {
			return true
		}
	}
	return false
}

// maxTag is more than the length of any tag.
const maxTag = 32

// partOfTag reports whether s[i] is an angle bracket that begins a tag, may begin one with what
// follows s, or may end one with what comes before s.
func partOfTag(s string, i int) bool {
	switch s[i] {
	case '<':
		_, m := tagAt([]byte(s[i:min(len(s), i+maxTag)]), false)
		return m != matchNo
	case '>':
		return i <= maxTag && strings.IndexByte(s[:i], '>') < 0 && mayEndTag(s[:i])
	}
	return false
}

const (
	callStart     = "<tool_call>"
	callEnd       = "</tool_call>"
	responseStart = "<tool_response>"
	responseEnd   = "</tool_response>"
	toolsStart    = "<tools>"
	toolsEnd      = "</tools>"
)
