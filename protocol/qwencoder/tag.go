package qwencoder

import (
	"bytes"
	"regexp"

	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// tag is a tag as written: one of package tags, <function=…> or <parameter=…>.
type tag struct {
	tags.Tag
	// nameAt and nameEnd are where the name is; both are 0 for the tags of package tags.
	nameAt, nameEnd int
	styled          bool // the name is not written plainly (Q3)
}

// tagDamaged begins like </parameter>, and is not a tag.
const tagDamaged = tags.Parameter + 1

// Limits in bytes.
const (
	maxTag     = 768 // of a tag
	maxTextTag = 80  // of a tag in text, which is held back until the tag ends (Q7)
	maxWord    = 24  // of the beginning of a tag that shows which tag it is
)

// notInTag are the bytes that a tag contains only at its ends, or never.
const notInTag = "<>&\r\n"

// Like tagAt, both take any first byte for the '<'.
var (
	damagedTag = regexp.MustCompile(`(?i)^.[ \t]?/[ \t]?par`)
	nameTag    = regexp.MustCompile(`(?i)^.([ \t]?)(function|parameter)([ \t]name)?([ \t]?)=([ \t]?)(["']?)([^ \t"'<>&]*)(["']?)([ \t][^<>&]*)?>$`)
)

// tagAt reads the tag at the start of b. most limits its length in bytes. The first byte is taken
// for the '<'.
func tagAt(b []byte, most int) (t tag, m scan.Match) {
	if t.Tag, m = tags.Read(b, tags.Parameter); m != scan.MatchNo {
		return t, m
	}
	src := b[:min(len(b), most)]
	word := src[1:min(len(src), maxWord)]
	word = word[min(1, leading(word, blanks)):]
	for _, name := range [...]string{"function", "parameter"} {
		if n := min(len(word), len(name)); !bytes.EqualFold(word[:n], []byte(name[:n])) {
			continue
		}
		end := bytes.IndexAny(src[1:], notInTag) + 1
		switch {
		case end == 0 && len(b) < most:
			return t, scan.MatchShort
		case end > 0 && src[end] == '>' && t.readName(src[:end+1]):
			return t, scan.MatchYes
		}
	}
	if damagedTag.Match(src) {
		return tag{Tag: tags.Tag{Kind: tagDamaged, End: true, N: len("</")}}, scan.MatchYes
	}
	return t, scan.MatchNo
}

// readName reads src, and reports whether it is a whole tag with a name.
func (t *tag) readName(src []byte) bool {
	// Group k is src[g[2*k]:g[2*k+1]]. Group 2 is function or parameter, and 3 is the word name. 7
	// is the name itself between the quotation marks 6 and 8, and 9 is what follows. 1, 4 and 5 are
	// blanks.
	g := nameTag.FindSubmatchIndex(src)
	if len(g) == 0 || !bytes.Equal(src[g[12]:g[13]], src[g[16]:g[17]]) {
		return false
	}
	word := src[g[4]:g[5]]
	rest := g[19] - g[18] // blanks and what follows the name
	t.Tag = tags.Tag{
		Kind: tags.Function, N: len(src), Cased: !bytes.Equal(word, bytes.ToLower(word)),
		Spaced: g[3]+g[9]+g[11] > g[2]+g[8]+g[10] || rest == 1,
	}
	if len(word) == len("parameter") {
		t.Kind = tags.Parameter
	}
	t.nameAt, t.nameEnd = g[14], g[15]
	t.styled = g[6] >= 0 || g[12] < g[13] || rest > 1
	return true
}

// Sets of white space.
const (
	white       = " \t\r\n"   // between tags
	whiteQuoted = white + ">" // between tags in a blockquote
	blanks      = " \t"       // on a line
)

// leading returns how many of the bytes in set b begins with.
func leading(b []byte, set string) int { return len(b) - len(bytes.TrimLeft(b, set)) }
