package qwencoder

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/protocol/scan"
)

const (
	amp, less          = "&amp;", "&lt;"
	ampAgain, lessTail = "amp;", "lt;"
	// maxLevels limits how often a '<' in a value is escaped, beyond the first time (P5).
	maxLevels = 16

	marksOnly, every, oneMore, oneLess = true, false, 1, -1 // arguments of relevel
)

// tooDeep is the beginning of what cannot be escaped once more.
var tooDeep = "&" + strings.Repeat(ampAgain, maxLevels)

// escapeAt reads the escaped '<' at the start of b, which begins with '&'. n is its length, and
// levels how many "amp;" it contains. m says whether the rest of a mark follows.
func escapeAt(b []byte) (levels, n int, m scan.Match) {
	n = 1
	for levels < maxLevels && bytes.HasPrefix(b[n:], []byte(ampAgain)) {
		levels++
		n += len(ampAgain)
	}
	switch rest := string(b[n:min(len(b), n+len(ampAgain))]); {
	case strings.HasPrefix(rest, lessTail):
		n += len(lessTail)
		m = markAt(b[n-1:]) // the ';' stands for the '<'
	case strings.HasPrefix(ampAgain, rest) || strings.HasPrefix(lessTail, rest):
		m = scan.MatchShort
	}
	return levels, n, m
}

// markAt returns whether a mark is at the start of b. Its first byte is taken for the '<'.
func markAt(b []byte) scan.Match {
	t, m := tagAt(b, maxTag)
	if t.Kind == tagDamaged {
		return scan.MatchNo
	}
	return m
}

// lessSign is a '<', escaped or not.
var lessSign = regexp.MustCompile(`<|&(?:amp;){0,` + strconv.Itoa(maxLevels) + `}lt;`)

// relevel appends text to b with one more or one less level of escaping, for the '<' of each mark
// or for every '<'.
func relevel(b []byte, text string, marks bool, more int) []byte {
	written := 0 // text[:written] is in b
	for _, at := range lessSign.FindAllStringIndex(text, -1) {
		sign := text[at[0]:at[1]]
		if marks && markAt([]byte(text[at[1]-1:min(len(text), at[1]+maxTag)])) != scan.MatchYes {
			continue
		}
		switch {
		case more < 0 && sign == less:
			sign = "<"
		case more < 0 && sign != "<":
			sign = "&" + sign[len(amp):]
		case more > 0 && sign == "<":
			sign = less
		case more > 0:
			sign = amp + sign[1:]
		}
		b = append(append(b, text[written:at[0]]...), sign...)
		written = at[1]
	}
	return append(b, text[written:]...)
}

// Neutralize adds a level of escaping to each mark, escaped or not. A line break follows what could
// be the beginning of a mark: a mark contains no line break.
func (Protocol) Neutralize(text string) string {
	b := relevel(nil, text, marksOnly, oneMore)
	if last := strings.LastIndexByte(text, '<'); last >= 0 && markAt([]byte(text[last:])) == scan.MatchShort {
		b = append(b, '\n')
	}
	return string(b)
}

// Restore removes one level of escaping from each mark that has one.
func (Protocol) Restore(text string) string { return string(relevel(nil, text, marksOnly, oneLess)) }
