package secrets

import "strings"

// maxAuthority limits the authority of a URL, in bytes.
const maxAuthority = 4 << 10

// findURLPasswords finds the passwords of URLs such as https://user:password@host, and tokens in
// place of the user.
func findURLPasswords(s string, mark func(from, to int)) {
	occurrences(s, "://", func(at int) int {
		start := at + len("://")
		authority := s[start:min(len(s), start+maxAuthority)]
		end := strings.IndexAny(authority, "/?#\"'<>@\\ \t\r\n")
		if end < 0 || authority[end] != '@' {
			return start
		}
		user, password, ok := strings.Cut(authority[:end], ":")
		if isKey, _ := hasKeyForm(user); isKey {
			mark(start, start+len(user)) // a token, as in https://token@host
		}
		if ok && !isPlaceholder(password) {
			mark(start+len(user)+1, start+end)
		}
		return start + end
	})
}
