package builtin

import "unicode/utf8"

// maxEcho bounds what an answer repeats of a request, in runes.
const maxEcho = 100

// cut shortens s to n runes and marks the cut.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	seen := 0
	for i := range s {
		if seen == n {
			return s[:i] + "…"
		}
		seen++
	}
	return s
}
