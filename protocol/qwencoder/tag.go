package qwencoder

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

type tagKind uint8

const (
	tagCall tagKind = iota
	tagResponse
	tagTools
	tagFunction
	tagParameter
	tagDamaged // it begins like </parameter>, and is not a tag
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

// The first byte is taken for the '<'.
var (
	wordTag = regexp.MustCompile(`(?i)^.([ \t]?)(?:(/)([ \t]?))?(?:(tools)|(tool)([_\- \t]?)(call|response)|(function|parameter))([ \t]?)>$`)
	nameTag = regexp.MustCompile(`(?i)^.([ \t]?)(function|parameter)([ \t]name)?([ \t]?)=([ \t]?)(["']?)([^ \t"'<>&]*)(["']?)([ \t][^<>&]*)?>$`)
)

// tagAt reads the tag of at most most bytes at the start of b. The first byte is taken for the '<'.
func tagAt(b []byte, most int) (t tag, m match) {
	src := b[:min(len(b), most)]
	word, closes, may := beginning(src)
	end := -1
	if may {
		end = bytes.IndexAny(src[min(1, len(src)):], notInTag) + 1
	}
	switch {
	case may && end == 0 && len(b) < most:
		return t, matchShort
	case end > 0 && src[end] == '>' && t.read(src[:end+1]):
		return t, matchYes
	case closes && strings.HasPrefix(word, "par"):
		return tag{kind: tagDamaged, end: true, n: len("</")}, matchYes
	}
	return tag{}, matchNo
}

// maxWord limits how much of a tag tells which one it is, in bytes.
const maxWord = 24

// words are those of the tags, by their kind, without what separates their parts.
var words = [...]string{tagCall: "toolcall", tagResponse: "toolresponse", tagTools: "tools", tagFunction: "function", tagParameter: "parameter"}

// separators stand between the parts of a tag.
var separators = strings.NewReplacer("/", "", "_", "", "-", "", " ", "", "\t", "", ">", "")

// beginning returns the word that a tag begins with, in lower case and without what separates its
// parts. may reports whether it can be the beginning of a tag.
func beginning(src []byte) (word string, closes, may bool) {
	if len(src) < 2 {
		return "", false, true
	}
	if strings.IndexByte("/ \tTtFfPp", src[1]) < 0 {
		return "", false, false
	}
	text := strings.ToLower(string(src[1:min(len(src), maxWord)]))
	closes = strings.HasPrefix(strings.TrimLeft(text, blanks), "/")
	word = separators.Replace(text)
	for _, known := range words {
		may = may || strings.HasPrefix(known, word) || strings.HasPrefix(word, known)
	}
	return word, closes, may
}

// read reads a whole tag.
func (t *tag) read(src []byte) bool {
	if g := wordTag.FindSubmatch(src); g != nil {
		name := string(g[4]) + string(g[5]) + string(g[7]) + string(g[8])
		lower := strings.ToLower(name)
		t.n, t.end, t.kind = len(src), len(g[2]) > 0, tagKind(slices.Index(words[:], lower))
		t.cased = name != lower
		t.spaced = len(g[1])+len(g[3])+len(g[9]) > 0 || len(g[5]) > 0 && string(g[6]) != "_"
		return t.kind < tagFunction || t.end
	}
	g := nameTag.FindSubmatchIndex(src)
	if len(g) == 0 || !bytes.Equal(src[g[12]:g[13]], src[g[16]:g[17]]) {
		return false
	}
	word := string(src[g[4]:g[5]])
	rest := g[19] - g[18] // blanks and what follows the name
	*t = tag{n: len(src), kind: tagFunction, nameAt: g[14], nameEnd: g[15], cased: word != strings.ToLower(word)}
	t.spaced = g[3]+g[9]+g[11] > g[2]+g[8]+g[10] || rest == 1
	t.styled = g[6] >= 0 || g[12] < g[13] || rest > 1
	if strings.EqualFold(word, "parameter") {
		t.kind = tagParameter
	}
	return true
}
