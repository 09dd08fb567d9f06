package secrets

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"strings"
)

// InURL returns the parts of an address that are secrets or probably are:
//
//   - the password;
//   - the user, if there is no password or if the user looks like a random key;
//   - user and password together in base64, as net/http sends them;
//   - what Configured returns for the parameters of the query;
//   - names and values of the query, and parts of the path, that look like a random key or are a
//     hash or a UUID.
//
// The list may contain "". A part of the path that consists of words is not a secret. InURL returns
// nothing for an invalid address.
func InURL(address string) (list []string) {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	user := u.User.Username()
	password, _ := u.User.Password()
	if user != "" || password != "" {
		if password == "" || isUnguessable(user) {
			list = append(list, user)
		}
		list = append(list, password, base64.StdEncoding.EncodeToString([]byte(user+":"+password)))
	}
	for pair := range strings.FieldsFuncSeq(u.RawQuery, func(c rune) bool { return c == '&' || c == ';' }) {
		name, value, _ := strings.Cut(pair, "=")
		// A + may be a plus sign or a space.
		for _, unescape := range []func(string) (string, error){url.QueryUnescape, url.PathUnescape} {
			plain, err := unescape(value)
			if err != nil {
				plain = value
			}
			list = append(list, Configured(map[string]string{name: plain})...)
			list = append(list, unguessable(plain)...)
		}
		list = append(list, unguessable(name)...)
	}
	return append(list, unguessable(u.Path)...)
}

// unguessable returns the parts of a path or a parameter for which isUnguessable returns true.
func unguessable(s string) (list []string) {
	for part := range strings.FieldsFuncSeq(s, func(c rune) bool { return !isKeyCharacter(c) }) {
		if isUnguessable(part) {
			list = append(list, part)
		}
	}
	return list
}

// isKeyCharacter reports whether a random key may contain a character.
func isKeyCharacter(c rune) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || strings.ContainsRune("-_+=.", c)
}

// isUnguessable reports whether a part of an address looks like a random key, a hash or a UUID. A
// part that consists of words and numbers, such as "notes-server-v2", does not.
func isUnguessable(part string) bool {
	ok, _ := hasKeyForm(part)
	return ok && !wordsAndNumbers.MatchString(part)
}

var wordsAndNumbers = regexp.MustCompile(`^(?:(?:[A-Za-z]+[0-9]{0,3}|[0-9]+)(?:[-_.]|$))+$`)
