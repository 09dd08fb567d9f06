package secrets

import (
	"regexp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/work"
)

// A secretName is a name whose values are secrets.
type secretName struct {
	name   string   // in lower case
	before []string // words, one of which must precede the name; nil means that no word is needed
	weak   bool     // the name has other meanings, so that the value must look random
	scheme bool     // an HTTP authentication scheme, such as "Basic", may be between the name and the value
}

var secretNames = []secretName{
	{name: "password"},
	{name: "passwd"},
	{name: "passphrase"},
	{name: "pwd"},
	{name: "secret"},
	{name: "key", before: []string{"api", "access", "private", "secret"}},
	{name: "token", before: []string{"access", "auth", "refresh"}},
	{name: "token", weak: true},
	{name: "密码"},
	{name: "口令"},
	{name: "密钥"},
	{name: "authorization", scheme: true},
	{name: "bearer", weak: true},
}

var (
	// connector is between a name and its value. Group 1 is an equals sign without white space,
	// and group 2 the quotation mark or the mark of the VCP dialect before the value.
	connector = regexp.MustCompile(`^["']?(?:(=)|\s{0,4}(?:=>|:=|=|:|：|is\s|是|为|\s)\s{0,4})(["']|「始[a-z_\\]{0,24}」|)`)
	// tagEnd is between a name in a tag and its value. It has the same groups as connector, but
	// they are empty.
	tagEnd = regexp.MustCompile(`^["']?()()>\s{0,4}`)
	scheme = regexp.MustCompile(`^(?:bearer|basic|token|apikey|digest)\s{1,4}`)
)

// find finds the values after the name in s. lower is s in lower case.
func (n *secretName) find(s, lower string, mark func(from, to int)) {
	unquotedEnd := 0 // of the last examined unquoted value; another one that begins before it ends there, too
	occurrences(lower, n.name, func(at int) int {
		start := at + len(n.name)
		if !n.mayFollow(lower[max(0, at-maxBefore):at]) {
			return start
		}
		next := lower[start:min(len(lower), start+maxConnector)]
		c := connector.FindStringSubmatchIndex(next)
		inTag := c == nil && isInTag(lower[:at])
		if inTag {
			c = tagEnd.FindStringSubmatchIndex(next)
		}
		if c == nil {
			return start
		}
		// The indexes 2 and 3 enclose group 1; 4 and 5 enclose group 2.
		v := namedValue{assigned: c[2] >= 0, quoted: c[5] > c[4] || inTag}
		closing := "\"'\n\r\\"
		if c[5] > c[4]+1 || inTag { // after a tag, or a mark of the VCP dialect
			closing = "「<\n\r\\"
		}
		// Only white space connects "bearer" with its value. Any other name needs more than that.
		if blank := strings.TrimSpace(lower[start:start+c[1]]) == ""; blank != (n.name == "bearer") {
			return start
		}
		from := start + c[1]
		if n.scheme {
			if m := scheme.FindStringIndex(lower[from:min(len(lower), from+maxScheme)]); m != nil {
				from, v.assigned = from+m[1], true
			}
		}
		end := unquotedEnd
		if v.quoted {
			end = valueEnd(s, from, closing)
		} else if from >= unquotedEnd {
			end = valueEnd(s, from, " \t\n\r\"'<>,;&|\\`「」")
			unquotedEnd = end
		}
		// A closing tag must follow a value after a tag.
		if inTag && !strings.HasPrefix(strings.TrimLeft(s[end:min(len(s), end+maxConnector)], " \t\r\n"), "</") {
			return start
		}
		if v.text = s[from:end]; inTag {
			v.text = strings.TrimRight(v.text, " \t")
		} else if !v.quoted {
			v.text = strings.TrimRight(v.text, ".!?)]}。！？，；）")
		}
		if !v.isSecret(n.weak) {
			return start
		}
		mark(from, from+len(v.text))
		return from + len(v.text)
	})
}

const (
	maxBefore = 16 // more bytes than a word of secretName.before and some separators have
	maxScheme = 16 // more bytes than scheme matches
)

// mayFollow reports whether the name may follow a text: n.before is nil, or the text ends in one of
// its words.
func (n *secretName) mayFollow(text string) bool {
	text = strings.TrimRight(text, "_- ")
	return n.before == nil || slices.ContainsFunc(n.before, func(word string) bool { return strings.HasSuffix(text, word) })
}

// maxConnector limits what is examined between a name and its value, in bytes.
const maxConnector = 48

// tagStart is the start of a tag up to the name of a value: the tag's name, or an attribute.
var tagStart = regexp.MustCompile(`<[a-z_-]*(?:(?:\s+name)?=["']?[a-z_-]*)?$`)

// isInTag reports whether a text ends in a tag, within what may be the name of a value.
func isInTag(before string) bool {
	return tagStart.MatchString(before[max(0, len(before)-maxConnector):])
}

// valueEnd returns the end of the value that begins at from: before the first character in closing,
// and after at most maxValue bytes.
func valueEnd(s string, from int, closing string) int {
	end := min(len(s), from+maxValue)
	if n := strings.IndexAny(s[from:end], closing); n >= 0 {
		end = from + n
	}
	work.Add(end - from)
	return end
}

// IsSecret reports whether the name of a member or an argument, such as "password", makes its value
// a secret. A placeholder or a value of fewer than 4 bytes is no secret.
func IsSecret(name, value string) bool {
	return isSecretName(name) && namedValue{text: value, quoted: true}.isSecret(false)
}

// isSecretName reports whether a name ends in one of secretNames, as "db_password" does. Weak names
// do not count.
func isSecretName(name string) bool {
	lower := strings.ToLower(name)
	return slices.ContainsFunc(secretNames, func(n secretName) bool {
		before, ok := strings.CutSuffix(lower, n.name)
		return ok && !n.weak && n.mayFollow(before)
	})
}

// lowerASCII returns s with its ASCII letters in lower case. Unlike with strings.ToLower, offsets
// stay the same.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}
