package secrets

import (
	"regexp"

	"github.com/vcpgo/vcp/internal/work"
)

// marks match the marks of requests in each protocol, including escaped marks. Groups 1 to 3 match
// in marks that end a request or a value. Group 4 matches in a mark that is part of a request. All
// other marks begin a request or a value.
var marks = regexp.MustCompile(`(?i)\[(?:(END)[\s_\\-]{0,4})?TOOL[\s_\\-]{0,4}REQUEST` +
	`|(?:<|＜|&(?:amp;){0,16}lt;)\s{0,4}(?:(/)\s{0,4})?(?:tool_calls?|function_calls?|invoke|function|parameter)\b` +
	`|「\s{0,4}(?:始|(末))|(\btool_name["'\\]{0,4}\s{0,4}[:：=])`)

// findMarks finds the requests between marks.
func (f *unreadFinder) findMarks() {
	work.Add(len(f.text))
	begin, depth := 0, 0
	for _, m := range marks.FindAllStringSubmatchIndex(f.text, -1) {
		p := f.paragraph(m[0])
		if depth == 0 {
			begin = p.from
		}
		switch isEnd := m[2] >= 0 || m[4] >= 0 || m[6] >= 0; {
		case isEnd && depth > 0:
			depth--
		case !isEnd && m[8] < 0:
			depth++
		}
		if depth == 0 {
			f.found = append(f.found, [2]int{begin, p.to})
		}
	}
	if depth > 0 {
		f.found = append(f.found, [2]int{begin, len(f.text)})
	}
}
