package vcp

import (
	"bytes"
	"unicode/utf8"

	"github.com/vcpgo/vcp/protocol/scan"
)

// markerKind says what a marker opens or closes.
type markerKind uint8

const (
	markerRequest markerKind = iota
	markerResult
	markerDefinition
)

// marker is a marker as written (dialect.md B1 to B5, B13).
type marker struct {
	kind     markerKind
	end      bool
	suffixed bool // has _ESCAPE, so it is text
	repairs  uint64
	n        int // length in bytes
}

const (
	requestStart = "<<<[TOOL_REQUEST]>>>"
	requestEnd   = "<<<[END_TOOL_REQUEST]>>>"
	resultStart  = "<<<[TOOL_RESULT]>>>"
	resultEnd    = "<<<[END_TOOL_RESULT]>>>"
	defStart     = "<<<[TOOL_DEFINITION]>>>"
	defEnd       = "<<<[END_TOOL_DEFINITION]>>>"

	escapeSuffix = "_ESCAPE"
	minAngles    = 2
	maxAngles    = 6
)

var exactMarkers = [...]struct {
	text string
	marker
}{
	{requestStart, marker{kind: markerRequest, n: len(requestStart)}},
	{requestEnd, marker{kind: markerRequest, end: true, n: len(requestEnd)}},
	{resultStart, marker{kind: markerResult, n: len(resultStart)}},
	{resultEnd, marker{kind: markerResult, end: true, n: len(resultEnd)}},
	{defStart, marker{kind: markerDefinition, n: len(defStart)}},
	{defEnd, marker{kind: markerDefinition, end: true, n: len(defEnd)}},
}

var (
	leftAngles   = [...]string{"<", "＜", "《"}
	rightAngles  = [...]string{">", "＞", "》"}
	leftSquares  = [...]string{"[", "【", "［"}
	rightSquares = [...]string{"]", "】", "］"}
)

// markerAt reads the marker at src[at:], which begins with an angle bracket. In the middle of a run
// of brackets only the exact spelling counts (B2).
func markerAt(src []byte, at int, atEOF bool) (marker, scan.Match) {
	b := src[at:]
	if b[0] == '<' && !mayBeMarker(b) {
		return marker{}, scan.MatchNo
	}
	short := scan.MatchNo
	if n := min(len(b), len("<<<[")); string(b[:n]) == "<<<["[:n] {
		for i := range exactMarkers {
			x := &exactMarkers[i]
			if len(b) >= x.n && string(b[:x.n]) == x.text {
				return x.marker, scan.MatchYes
			}
			if !atEOF && len(b) < x.n && x.text[:len(b)] == string(b) {
				short = scan.MatchShort
			}
		}
	}
	for _, angle := range leftAngles {
		if bytes.HasPrefix(b, []byte(angle)) && bytes.HasSuffix(src[:at], []byte(angle)) {
			return marker{}, short
		}
	}
	r := markerReader{src: b, atEOF: atEOF}
	if m, ok := r.read(); ok {
		return m, scan.MatchYes
	}
	if r.undecided {
		return marker{}, scan.MatchShort
	}
	return marker{}, short
}

// mayBeMarker is a fast check of the byte after the brackets: if it returns false, b is not a
// marker.
func mayBeMarker(b []byte) bool {
	i := 0
	for i < len(b) && i <= maxAngles && b[i] == '<' {
		i++
	}
	// At most a blank, a square bracket and another blank follow up to maxAngles+1 angle brackets.
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '[') && i < maxAngles+4 {
		i++
	}
	if i == len(b) || b[i] >= utf8.RuneSelf || b[i] == '<' {
		return true
	}
	c := b[i] | 0x20
	return c == 't' || c == 'e' || b[i] == '/'
}

// markerReader reads a marker in any spelling, from left to right.
type markerReader struct {
	src       []byte
	i         int
	atEOF     bool
	undecided bool // the input ends too early to decide whether it is a marker
	repairs   uint64
}

// read reads a whole marker.
func (r *markerReader) read() (marker, bool) {
	if !r.angles(leftAngles[:]) {
		return marker{}, false
	}
	r.blank()
	square := r.oneOf(leftSquares[:])
	if square > 0 {
		r.repairs |= bitMarkerBrackets
	}
	if square >= 0 {
		r.blank()
	}
	m, ok := r.words()
	if !ok {
		return marker{}, false
	}
	if m.suffixed { // further suffixes change nothing
		m.n = r.i
		return m, true
	}
	r.blank()
	if square >= 0 {
		if !r.literal(rightSquares[square]) {
			return marker{}, false
		}
		r.blank()
	} else {
		r.repairs |= bitMarkerBrackets
	}
	if !r.angles(rightAngles[:]) {
		return marker{}, false
	}
	m.n = r.i
	m.repairs = r.repairs
	return m, true
}

// words reads the words of a marker, such as END_TOOL_REQUEST.
func (r *markerReader) words() (m marker, ok bool) {
	switch {
	case r.word("END"):
		if !r.separator() {
			return m, false
		}
		m.end = true
	case r.undecided:
		return m, false
	case r.i < len(r.src) && r.src[r.i] == '/':
		r.i++
		r.repairs |= bitMarkerSlashEnd
		m.end = true
	}
	if !r.word("TOOL") || !r.separator() {
		return m, false
	}
	switch {
	case r.word("REQUEST"):
		m.kind = markerRequest
	case r.word("RESULT"):
		m.kind = markerResult
	case r.word("DEFINITION"):
		m.kind = markerDefinition
	default:
		return m, false
	}
	r.undecided = false // word may have set it for another word that begins alike
	if r.i < len(r.src) && r.src[r.i] == '_' {
		if r.i++; !r.word(escapeSuffix[1:]) {
			return m, false
		}
		m.suffixed = true
	}
	return m, true
}

// angles reads a run of angle brackets of one kind.
func (r *markerReader) angles(kinds []string) bool {
	kind := r.oneOf(kinds)
	if kind < 0 {
		return false
	}
	count := 1
	for count <= maxAngles && bytes.HasPrefix(r.src[r.i:], []byte(kinds[kind])) {
		r.i += len(kinds[kind])
		count++
	}
	rest := r.src[r.i:]
	if count <= maxAngles && !r.atEOF && len(rest) < len(kinds[kind]) && kinds[kind][:len(rest)] == string(rest) {
		r.undecided = true
		return false
	}
	if count < minAngles || count > maxAngles {
		return false
	}
	if kind != 0 || count != len("<<<") {
		r.repairs |= bitMarkerBrackets
	}
	return true
}

// oneOf reads the first of the texts that the input begins with, and returns its index, or -1.
func (r *markerReader) oneOf(texts []string) int {
	for i, t := range texts {
		if bytes.HasPrefix(r.src[r.i:], []byte(t)) {
			r.i += len(t)
			return i
		}
	}
	rest := r.src[r.i:]
	for _, t := range texts {
		if !r.atEOF && len(rest) < len(t) && t[:len(rest)] == string(rest) {
			r.undecided = true
		}
	}
	return -1
}

func (r *markerReader) literal(text string) bool { return r.oneOf([]string{text}) == 0 }

func (r *markerReader) blank() {
	if r.i < len(r.src) && (r.src[r.i] == ' ' || r.src[r.i] == '\t') {
		r.i++
		r.repairs |= bitMarkerSpacing
	}
}

// separator reads what is between two words: an underscore, or what may replace it (B3).
func (r *markerReader) separator() bool {
	if r.i == len(r.src) {
		r.undecided = !r.atEOF
		return false
	}
	switch r.src[r.i] {
	case '_':
	case ' ', '\t', '-':
		r.repairs |= bitMarkerSpacing
	default:
		return false
	}
	r.i++
	return true
}

// word reads a word in any letter case.
func (r *markerReader) word(upper string) bool {
	rest := r.src[r.i:]
	n := min(len(rest), len(upper))
	if !bytes.EqualFold(rest[:n], []byte(upper[:n])) {
		return false
	}
	if n < len(upper) {
		r.undecided = r.undecided || !r.atEOF
		return false
	}
	if string(rest[:n]) != upper {
		r.repairs |= bitMarkerCase
	}
	r.i += n
	return true
}
