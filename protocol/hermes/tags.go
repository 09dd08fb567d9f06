package hermes

import (
	"strings"

	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// tagAt reads the tag at the start of src, which begins with '<'.
func tagAt(src []byte, atEOF bool) (tags.Tag, scan.Match) {
	t, m := tags.Read(src, tags.Tools)
	if m == scan.MatchShort && atEOF {
		m = scan.MatchNo
	}
	return t, m
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

// maxTag is more than the length of any tag, in bytes.
const maxTag = 32

// partOfTag reports whether s[i] is an angle bracket of a tag. It may begin a tag that ends in s or
// after s. It may also end a tag that begins before s.
func partOfTag(s string, i int) bool {
	switch s[i] {
	case '<':
		_, m := tagAt([]byte(s[i:min(len(s), i+maxTag)]), false)
		return m != scan.MatchNo
	case '>':
		return i <= maxTag && strings.IndexByte(s[:i], '>') < 0 && mayEndTag(s[:i])
	}
	return false
}
