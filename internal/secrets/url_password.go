package secrets

import "strings"

// findURLPasswords finds the passwords of URLs such as https://user:password@host.
func findURLPasswords(s string, mark func(from, to int)) {
	occurrences(s, "://", func(at int) int {
		start := at + len("://")
		authority := s[start:min(len(s), start+maxValue)]
		end := strings.IndexAny(authority, "/?#\"'<>@\\ \t\r\n")
		if end < 0 || authority[end] != '@' {
			return start
		}
		user, password, ok := strings.Cut(authority[:end], ":")
		if ok && !isPlaceholder(password) {
			mark(start+len(user)+1, start+end)
		}
		return start + end
	})
}
