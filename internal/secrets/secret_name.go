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
	{name: "pass", before: []string{"admin", "auth", "db", "ftp", "mail", "mysql", "proxy", "redis", "root", "smtp", "user"}},
	{name: "secret"},
	{name: "key", before: []string{"access", "account", "api", "private", "secret"}},
	{name: "client-key-data"}, // of Kubernetes
	{name: "token", before: []string{"access", "api", "auth", "bot", "refresh", "session"}},
	{name: "token", weak: true},
	{name: "密码"},
	{name: "口令"},
	{name: "密钥"},
	{name: "authorization", scheme: true},
	{name: "auth", weak: true}, // of Docker and npm
	{name: "bearer", weak: true},
}

var (
	// connector is between a name and its value. Group 1 is an equals sign without white space, and
	// group 2 the mark before the value, one of closings.
	connector = regexp.MustCompile("^[\"'`*]{0,2}(?:(=)|\\s{0,4}(?:=>|:=|=|[:：]\\*{0,2}|is\\s|是|为|\\s)\\s{0,4})" +
		"([\"'`“]|\\*\\*|「始[a-z_\\\\]{0,24}」|「|)")
	// tagEnd is between a name in a tag and its value. It has the same groups as connector, but
	// they are empty.
	tagEnd = regexp.MustCompile(`^["']?()()>\s{0,4}`)
	// blockStart is between a name and a block of YAML. Group 1 is the indentation of the block.
	blockStart = regexp.MustCompile(`^["']?:[ \t]{0,4}[|>][-+0-9]{0,2}[ \t]{0,4}\r?\n([ \t]{1,16})`)
	// beforeBlank precedes a name that only white space separates from its value: an option of a
	// command, or the login of a .netrc file.
	beforeBlank = regexp.MustCompile(`(?:--[a-z-]{0,16}|\blogin\s{1,4}\S{1,64}\s{1,4})$`)
	scheme      = regexp.MustCompile(`^(?:bearer|basic|token|apikey|digest)\s{1,4}`)
)

// closings lists the marks before a value, and for each mark the characters that end the value. The
// mark itself is one of them: a value that is never closed ends at the next mark, so that no text is
// examined twice. The other marks of connector are those of the VCP dialect.
var closings = map[string]string{
	"":   unquotedClosing,
	`"`:  `"`,
	"'":  "'",
	"`":  "`",
	"“":  "“”",
	"「":  "「」",
	"**": "*",
}

const (
	// unquotedClosing ends a value without marks.
	unquotedClosing = " \t\"'<>,;&|`「」"
	// dialectClosing ends a value in a tag or in the marks of the VCP dialect.
	dialectClosing = "「<"
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
		if c := blockStart.FindStringSubmatchIndex(next); c != nil {
			return n.findBlock(s, start+c[1], next[c[2]:c[3]], mark)
		}
		l, ok := n.lead(lower, at)
		if !ok {
			return start
		}
		v := namedValue{assigned: l.assigned, quoted: l.quoted()}
		if l.quotation() && l.end < len(s) && (s[l.end] == '"' || s[l.end] == '\'') {
			end := nestedEnd(s, l.end, l.opening)
			if v.text = s[l.end+1 : max(l.end+1, end)]; end < 0 || !v.isSecret(n.weak) {
				return start
			}
			mark(l.end+1, end)
			return end
		}
		end := unquotedEnd
		if l.closing != unquotedClosing || l.end >= unquotedEnd {
			end = valueEnd(s, l.end, l.closing)
		}
		switch v.text = s[l.end:end]; {
		case l.inTag: // a closing tag must follow
			if !strings.HasPrefix(strings.TrimLeft(s[end:min(len(s), end+maxConnector)], " \t\r\n"), "</") {
				return start
			}
			v.text = strings.TrimRight(v.text, " \t")
		case l.closing == unquotedClosing:
			unquotedEnd = end
			v.text = strings.TrimRight(v.text, ".!?)]}。！？，；）*")
		}
		if i := strings.IndexAny(v.text, `"'`); l.quotation() && i >= 0 && !v.isSecret(n.weak) {
			v.text = v.text[:i] // the other quotation mark may end the text that contains the value
		}
		if !v.isSecret(n.weak) {
			return start
		}
		mark(l.end, l.end+len(v.text))
		return l.end + len(v.text)
	})
}

// A lead is what stands between a name and its value.
type lead struct {
	end      int    // where the value begins
	opening  string // the mark before the value, or ""
	closing  string // the characters that end the value
	inTag    bool   // the name is in a tag, and the value is after the tag
	assigned bool   // as in namedValue
}

// quotation reports whether the value is between quotation marks of ASCII.
func (l *lead) quotation() bool { return l.opening == `"` || l.opening == "'" }

// quoted returns the field quoted of the namedValue.
func (l *lead) quoted() bool { return l.quotation() || l.closing == dialectClosing }

// lead reads what stands after the name at lower[at]; ok is false if no value follows.
func (n *secretName) lead(lower string, at int) (l lead, ok bool) {
	start := at + len(n.name)
	next := lower[start:min(len(lower), start+maxConnector)]
	c := connector.FindStringSubmatchIndex(next)
	if c == nil && isInTag(lower[:at]) {
		l.inTag = true
		c = tagEnd.FindStringSubmatchIndex(next)
	}
	if c == nil {
		return l, false
	}
	// The indexes 2 and 3 enclose group 1; 4 and 5 enclose group 2.
	l.end, l.opening, l.assigned = start+c[1], next[c[4]:c[5]], c[2] >= 0
	l.closing = dialectClosing
	if known := closings[l.opening]; known != "" && !l.inTag {
		l.closing = known
	}
	// "bearer" has only white space before its value. Other names need more than that.
	blank := !l.quoted() && strings.TrimSpace(next[:c[4]]) == ""
	if blank != (n.name == "bearer") && !(blank && beforeBlank.MatchString(lower[max(0, at-maxBeforeBlank):at])) {
		return l, false
	}
	if n.scheme {
		if m := scheme.FindStringIndex(lower[l.end:min(len(lower), l.end+maxScheme)]); m != nil {
			l.end, l.assigned = l.end+m[1], true
		}
	}
	return l, true
}

// findBlock marks the lines of the block of YAML whose first line begins at from, after the
// indentation. It returns the end of what it marked.
func (n *secretName) findBlock(s string, from int, indentation string, mark func(from, to int)) int {
	end := valueEnd(s, from, "")
	if v := (namedValue{text: s[from:end], quoted: true}); !v.isSecret(n.weak) {
		return from
	}
	for {
		line, ok := strings.CutPrefix(strings.TrimPrefix(s[end:], "\r"), "\n"+indentation)
		if !ok {
			mark(from, end)
			return end
		}
		end = valueEnd(s, len(s)-len(line), "")
	}
}

// nestedEnd returns the end of the value within the quotation mark at s[from], or -1 if there is no
// value: the mark must be closed, and opening, the mark before it, must be closed next to it. Code
// that puts a value between marks, such as "pwd='" + pwd + "'", has an operator there.
func nestedEnd(s string, from int, opening string) int {
	end := valueEnd(s, from+1, s[from:from+1])
	if !strings.HasPrefix(s[end:], s[from:from+1]+opening) || strings.IndexAny(s[from+1:end], " +.&|,") == 0 {
		return -1
	}
	return end
}

const (
	maxBefore      = 16 // more bytes than a word of secretName.before and some separators have
	maxBeforeBlank = 80 // at least as many bytes as beforeBlank matches
	maxScheme      = 16 // more bytes than scheme matches
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
// before a line break or a backslash, or at the end of s.
func valueEnd(s string, from int, closing string) int {
	end := len(s)
	if n := strings.IndexAny(s[from:], closing+"\n\r\\"); n >= 0 {
		end = from + n
	}
	work.Add(end - from)
	return end
}

// IsSecret reports whether the name of a member or an argument, such as "password", makes its value
// a secret. A placeholder or a value of fewer than 4 bytes is no secret.
func IsSecret(name, value string) bool {
	secret, _ := isSecretName(name)
	return secret && namedValue{text: value, quoted: true}.isSecret(false)
}

// isSecretName reports whether a name ends in one of secretNames, as "db_password" does: secret if
// that one is not weak, and weak if it is.
func isSecretName(name string) (secret, weak bool) {
	lower := strings.ToLower(name)
	for _, n := range secretNames {
		if before, ok := strings.CutSuffix(lower, n.name); ok && n.mayFollow(before) {
			secret, weak = secret || !n.weak, weak || n.weak
		}
	}
	return secret, weak
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
