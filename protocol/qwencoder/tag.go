package qwencoder

import "bytes"

type tagKind uint8

const (
	tagCall tagKind = iota
	tagResponse
	tagTools
	tagFunction
	tagParameter
	tagDamaged // it begins like </parameter>, and is no tag
)

// tag is a tag as written.
type tag struct {
	kind tagKind
	end  bool // it closes
	n    int  // length in bytes
	// nameAt and nameEnd are where the name is; both are 0 if the tag has none.
	nameAt, nameEnd int
	// cased, spaced and styled say which repairs it needed (Q1 to Q3).
	cased, spaced, styled bool
}

// match is the result of a recognizer that examines the start of its input.
type match uint8

const (
	matchNo match = iota
	matchYes
	matchShort // more input could make it a match
)

const (
	// maxTag limits a tag, in bytes.
	maxTag = 768
	// maxTextTag limits a tag that begins a request without START, since text waits for it (Q7).
	maxTextTag = 80
)

// notInTag are the bytes that a tag contains only at its ends, or never.
const notInTag = "<>&\r\n"

// tagAt reads the tag of at most most bytes at the start of b. The first byte is taken for the '<'.
func tagAt(b []byte, most int) (tag, match) {
	var t tag
	if len(b) == 0 {
		return t, matchShort
	}
	r := tagReader{src: b[:min(len(b), most)], i: 1, tag: &t}
	r.blank()
	if r.is('/') {
		t.end = true
		r.blank()
	}
	r.begin = r.i
	ok := false
	switch {
	case r.word("tool"):
		ok = r.toolTag()
	case r.word("function"):
		t.kind, ok = tagFunction, true
	case r.word("parameter"):
		t.kind, ok = tagParameter, true
	}
	if ok && t.kind >= tagFunction && !t.end {
		ok = r.name()
	} else {
		r.blank()
	}
	if ok && r.is('>') {
		t.n = r.i
		return t, matchYes
	}
	if r.short && len(b) < most {
		return t, matchShort
	}
	if rest := r.src[r.begin:]; t.end && len(rest) >= 3 && bytes.EqualFold(rest[:3], []byte("par")) {
		return tag{kind: tagDamaged, end: true, n: r.begin}, matchYes
	}
	return t, matchNo
}

// tagReader reads a tag part by part. short is set if the input ended where the next part could
// follow.
type tagReader struct {
	src   []byte
	i     int
	begin int // where the word begins
	tag   *tag
	short bool
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

func (r *tagReader) blank() bool {
	if r.i < len(r.src) && (r.src[r.i] == ' ' || r.src[r.i] == '\t') {
		r.i++
		r.tag.spaced = true
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

// toolTag reads the rest of a tag that begins with "tool".
func (r *tagReader) toolTag() bool {
	if r.word("s") {
		r.tag.kind = tagTools
		return true
	}
	if !r.is('_') {
		r.tag.spaced = true
		if !r.is('-') {
			r.blank()
		}
	}
	if r.word("response") {
		r.tag.kind = tagResponse
		return true
	}
	return r.word("call")
}

// name reads what follows the word of an opening tag, up to its '>'.
func (r *tagReader) name() bool {
	t, spaced := r.tag, r.tag.spaced
	if r.blank() && r.word("name") {
		t.styled, t.spaced = true, spaced
	}
	r.blank()
	if !r.is('=') {
		return false
	}
	r.blank()
	var quote byte
	if r.i < len(r.src) && (r.src[r.i] == '"' || r.src[r.i] == '\'') {
		quote = r.src[r.i]
		t.styled = true
		r.i++
	}
	n, ok := r.until(" \t\"'" + notInTag)
	t.nameAt, t.nameEnd = r.i-n, r.i
	if !ok || quote != 0 && !r.is(quote) {
		return false
	}
	n, ok = r.until(notInTag)
	switch rest := r.src[r.i-n : r.i]; {
	case n == 0:
	case rest[0] != ' ' && rest[0] != '\t':
		return false
	case n == 1:
		t.spaced = true
	default:
		t.styled = true
	}
	return ok
}

// until skips the n bytes before the first of the bytes in stop. ok is false if there is none.
func (r *tagReader) until(stop string) (n int, ok bool) {
	n = bytes.IndexAny(r.src[r.i:], stop)
	if n < 0 {
		r.short = true
		return 0, false
	}
	r.i += n
	return n, true
}
