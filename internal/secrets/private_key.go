package secrets

import (
	"regexp"
	"strings"

	"github.com/vcpgo/vcp/internal/work"
)

var privateKeyEnd = regexp.MustCompile(`-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----`)

// findPrivateKeys finds the blocks of private keys. A block ends with its last line, or before a
// border if one comes first: a quotation mark, a backtick or a bracket of a tag.
func findPrivateKeys(s string, mark func(from, to int)) {
	border, end := -1, []int{-1, -1} // the next border, and the range of the next last line of a block
	occurrences(s, "-----BEGIN ", func(at int) int {
		const longest = 80 // bytes of the first line of a block
		label, _, ok := strings.Cut(s[at+len("-----BEGIN "):min(len(s), at+longest)], "-----")
		if !ok || !strings.Contains(label, "PRIVATE KEY") {
			return at
		}
		if border < at {
			border = len(s)
			if n := strings.IndexAny(s[at:], "\"'<>`"); n >= 0 {
				border = at + n
			}
			work.Add(border - at)
		}
		if end[0] < at {
			if end = privateKeyEnd.FindStringIndex(s[at:]); end != nil {
				end = []int{at + end[0], at + end[1]}
			} else {
				end = []int{len(s), len(s) + 1} // after every border
			}
			work.Add(end[0] - at)
		}
		to := end[1]
		if to > border {
			to = at + len(strings.TrimRight(s[at:border], `\`)) // without the backslashes that escape the border
		}
		mark(at, to)
		return to
	})
}
