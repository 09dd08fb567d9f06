package vcp

import (
	"bytes"

	"github.com/vcpgo/vcp/protocol/scan"
)

// A value is enclosed by an opener and a closer of the same family (docs/dialect.md, section 3):
//
//	「始」 … 「末」                      plain
//	「始exp」 … 「末exp」                read as plain
//	「始ESCAPE」 … 「末ESCAPE」          nothing inside has meaning
//	「始ESCAPE:tag」 … 「末ESCAPE:tag」  nothing inside has meaning, and nothing is changed
//
// and the same with other brackets, or with one blank inside the brackets. Row V11 is the
// exception: the opener of a field may cast doubt on a value of any of these forms.

// family says which openers and closers belong together, whatever their brackets are.
type family uint8

const (
	familyPlain family = iota
	familyExp
	familyEscape
	familyTagged
	familyBadTag // ESCAPE with a malformed tag: read as tagged, never trusted
)

const (
	wordOpen  = "始"
	wordClose = "末"
	escape    = "ESCAPE"

	maxTag     = 32 // limit of a tag, in bytes
	maxBadTail = 64 // limit of a malformed text after ESCAPE, in bytes

	// maxEdge limits an opener or closer, in bytes: two brackets, two blanks, the word and the
	// longest tail.
	maxEdge = 3 + 3 + 3 + len(escape) + maxBadTail + 3 + 3
)

// bracketPairs contains the brackets that may enclose the words; undamaged text uses the first
// pair.
var bracketPairs = [...][2]string{{"「", "」"}, {"{", "}"}, {"『", "』"}, {"【", "】"}, {"｢", "｣"}}

// bracketBefore returns the bracket of an opener or closer at the end of b, and where it starts. A
// blank may follow it. pair is -1 if there is no such bracket.
func bracketBefore(b []byte) (pair, start int) {
	end := len(b) - blankBefore(b)
	for pair, brackets := range bracketPairs {
		if bytes.HasSuffix(b[:end], []byte(brackets[0])) {
			return pair, end - len(brackets[0])
		}
	}
	return -1, 0
}

// edge is an opener or a closer as written.
type edge struct {
	pair   int  // index in bracketPairs
	spaced bool // there is a blank inside the brackets
	family family
	tail   []byte // the text after the word, without a blank at its end
	n      int    // length in bytes
}

// edgeAround reads the opener or closer whose word is at src[at:], and looks back no further than
// floor. start is the offset of the edge; it is also set for scan.MatchShort.
func edgeAround(src []byte, floor, at int, atEOF bool) (e edge, start int, m scan.Match) {
	// The most frequent opener and closer: three characters of three bytes.
	if at-3 >= floor && at+6 <= len(src) && string(src[at-3:at]) == "「" && string(src[at+3:at+6]) == "」" {
		return edge{n: len("「始」")}, at - 3, scan.MatchYes
	}
	pair, start := bracketBefore(src[floor:at])
	if pair < 0 {
		return edge{}, at, scan.MatchNo
	}
	start += floor
	e = edge{pair: pair, spaced: start+len(bracketPairs[pair][0]) < at}
	m = e.readTail(src[start:], at-start+len(wordOpen), atEOF)
	return e, start, m
}

// readTail reads what follows the word: the tail, a blank and the closing bracket. src begins with
// the edge, and the word ends at src[i:].
func (e *edge) readTail(src []byte, i int, atEOF bool) scan.Match {
	const longest = len(escape) + maxBadTail + len("」")
	rest := src[i:]
	end := bytes.Index(rest[:min(len(rest), longest)], []byte(bracketPairs[e.pair][1]))
	if end < 0 {
		if len(rest) < longest && !atEOF && mayBeTail(rest) {
			return scan.MatchShort
		}
		return scan.MatchNo
	}
	tail := rest[:end]
	if blank := blankBefore(tail); blank > 0 {
		e.spaced = true
		tail = tail[:len(tail)-blank]
	}
	e.tail = tail
	e.n = i + end + len(bracketPairs[e.pair][1])
	switch {
	case len(tail) == 0:
		e.family = familyPlain
	case string(tail) == "exp":
		e.family = familyExp
	case len(tail) >= len(escape) && bytes.EqualFold(tail[:len(escape)], []byte(escape)):
		switch tag := tail[len(escape):]; {
		case len(tag) == 0:
			e.family = familyEscape
		case tag[0] == ':' && isTag(tag[1:]):
			e.family = familyTagged
		case len(tag) <= maxBadTail && !bytes.ContainsAny(tag, "\r\n"):
			e.family = familyBadTag
		default:
			return scan.MatchNo
		}
	default:
		return scan.MatchNo
	}
	return scan.MatchYes
}

// mayBeTail is a fast check: if it returns false, b is not the beginning of a tail.
func mayBeTail(b []byte) bool {
	if bytes.ContainsAny(b, "\r\n") {
		return false
	}
	if blank := leadingBlank(b); blank > 0 {
		return len(b)-blank < len("」") // only the first bytes of a bracket may follow a blank
	}
	for _, word := range [...]string{"exp", escape} {
		n := min(len(b), len(word))
		if string(b[:n]) == word[:n] || word == escape && bytes.EqualFold(b[:n], []byte(word[:n])) {
			return true
		}
	}
	return len(b) < len("」") // b may be the first bytes of a bracket or of a wide blank
}

func isTag(b []byte) bool {
	if len(b) == 0 || len(b) > maxTag {
		return false
	}
	for _, c := range b {
		if !isASCIIAlnum(c) && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// closes reports whether closer c ends a value opened by e (V1 to V6, V16).
func (e *edge) closes(c *edge) bool {
	if e.pair != c.pair || e.family != c.family || c.spaced && !e.spaced {
		return false
	}
	switch e.family {
	case familyTagged:
		return bytes.Equal(e.tail[len(escape):], c.tail[len(escape):])
	case familyBadTag:
		return bytes.Equal(e.tail, c.tail)
	}
	return true
}

// same reports whether e is an ESCAPE opener and opener o is spelled like it, apart from the case
// of ESCAPE. Then o cannot be text of e's value (V11).
func (e *edge) same(o *edge) bool {
	if e.pair != o.pair || e.family != o.family || e.spaced != o.spaced {
		return false
	}
	return e.family == familyEscape || e.family == familyTagged && bytes.Equal(e.tail[len(escape):], o.tail[len(escape):])
}

// plain reports whether the value is in the plain form: white space around a text of one line is
// removed, and marks inside cast doubt on the value.
func (e *edge) plain() bool { return e.family == familyPlain || e.family == familyExp }

// rule returns how the text of the value is extracted.
func (e *edge) rule() scan.TextRule {
	switch e.family {
	case familyPlain, familyExp:
		return scan.TextTrim
	case familyEscape:
		return scan.TextLine
	}
	return scan.TextExact
}

// repairs returns the repairs that it took to read the edge as an opener.
func (e *edge) repairs() uint64 {
	if e.pair != 0 || e.spaced || e.family == familyExp {
		return bitValueVariant
	}
	return 0
}

// firstOpener returns the first opener in src[from:] whose word is in src[from:to]. m is
// scan.MatchShort if more input must decide whether there is an opener.
func firstOpener(src []byte, from, to int, atEOF bool) (e edge, start int, m scan.Match) {
	for at := from; ; at += len(wordOpen) {
		i := bytes.Index(src[at:max(at, to)], []byte(wordOpen))
		if i < 0 {
			return e, 0, scan.MatchNo
		}
		at += i
		if e, start, m = edgeAround(src, from, at, atEOF); m != scan.MatchNo {
			return e, start, m
		}
	}
}
