package secrets

import (
	"regexp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/work"
)

// findForms calls mark for each part of a text that has the form of a secret: keys with the prefix
// of a provider, JSON web tokens, private keys, credentials of HTTP, passwords in URLs, and values
// that are assigned to a name such as "password". Hashes and UUIDs are not secrets. It takes time
// in proportion to s.
func findForms(s string, mark func(from, to int)) {
	for i := range keyForms {
		keyForms[i].find(s, mark)
	}
	findPrivateKeys(s, mark)
	findURLPasswords(s, mark)
	lower := lowerASCII(s)
	for i := range secretNames {
		secretNames[i].find(s, lower, mark)
	}
}

// occurrences calls visit with the index of each part in s. visit returns the index at which the
// search continues.
func occurrences(s, part string, visit func(at int) (next int)) {
	work.Add(len(s))
	for start := 0; start < len(s); {
		i := strings.Index(s[start:], part)
		if i < 0 {
			return
		}
		start = max(visit(start+i), start+i+len(part))
	}
}

// A keyForm is the form of the keys of a provider.
type keyForm struct {
	prefix string
	form   *regexp.Regexp // of the key, prefix included
}

var keyForms = []keyForm{
	{"sk-", key(`sk-[\w-]{20,}`)}, // OpenAI, Anthropic and others
	{"sk_live_", key(`sk_live_\w{16,}`)},
	{"rk_live_", key(`rk_live_\w{16,}`)},
	{"gh", key(`gh[pousr]_[A-Za-z0-9]{30,}`)}, // GitHub
	{"github_pat_", key(`github_pat_\w{22,}`)},
	{"glpat-", key(`glpat-[\w-]{20,}`)},     // GitLab
	{"xox", key(`xox[abeoprs]-[\w-]{10,}`)}, // Slack
	{"AKIA", key(`AKIA[A-Z0-9]{16}\b`)},     // AWS
	{"ASIA", key(`ASIA[A-Z0-9]{16}\b`)},
	{"AIza", key(`AIza[\w-]{35}`)}, // Google
	{"ya29.", key(`ya29\.[\w-]{20,}`)},
	{"hf_", key(`hf_[A-Za-z0-9]{30,}`)}, // Hugging Face
	{"gsk_", key(`gsk_[A-Za-z0-9]{40,}`)},
	{"xai-", key(`xai-[A-Za-z0-9]{40,}`)},
	{"npm_", key(`npm_[A-Za-z0-9]{30,}`)},
	{"pypi-", key(`pypi-[\w-]{50,}`)},
	{"SG.", key(`SG\.[\w-]{16,}\.[\w-]{16,}`)},             // SendGrid
	{"eyJ", key(`eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}`)}, // JSON web tokens
}

func key(form string) *regexp.Regexp { return regexp.MustCompile("^" + form) }

func (f *keyForm) find(s string, mark func(from, to int)) {
	occurrences(s, f.prefix, func(at int) int {
		if at > 0 && isWordByte(s[at-1]) {
			return at
		}
		found := f.form.FindString(s[at:])
		if !hasDigit(found) {
			return at
		}
		mark(at, at+len(found))
		return at + len(found)
	})
}

var privateKeyEnd = regexp.MustCompile(`-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----`)

// findPrivateKeys finds the blocks of private keys. A block without an end ends before a quotation
// mark or a tag.
func findPrivateKeys(s string, mark func(from, to int)) {
	border, end := -1, []int{-1, -1} // the next quotation mark or tag, and the next end of a block
	occurrences(s, "-----BEGIN ", func(at int) int {
		label, _, ok := strings.Cut(s[at+len("-----BEGIN "):min(len(s), at+80)], "-----")
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
				end = []int{len(s), len(s) + 1}
			}
			work.Add(end[0] - at)
		}
		to := end[1]
		if to > border {
			to = at + len(strings.TrimRight(s[at:border], `\`))
		}
		mark(at, to)
		return to
	})
}

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

// A secretName is a name whose values are secrets.
type secretName struct {
	name   string   // in lower case
	before []string // one of them precedes the name; nil if the name is alone
	weak   bool     // the name has other meanings, so that the value must look random
	scheme bool     // a scheme of HTTP is between the name and the value
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

// maxValue limits what is examined after a name, and the authority of a URL, in bytes.
const maxValue = 4 << 10

var (
	// connector is between a name and its value. Group 1 is an equals sign without white space,
	// and group 2 the quotation mark or the mark of the VCP dialect before the value.
	connector = regexp.MustCompile(`^["']?(?:(=)|\s{0,4}(?:=>|:=|=|:|：|is\s|是|为|\s)\s{0,4})(["']|「始[a-z_\\]{0,24}」|)`)
	// tagEnd is between a name in a tag and its value.
	tagEnd = regexp.MustCompile(`^["']?()()>\s{0,4}`)
	scheme = regexp.MustCompile(`^(?:bearer|basic|token|apikey|digest)\s{1,4}`)
)

// find finds the values after the name in s. lower is s in lower case.
func (n *secretName) find(s, lower string, mark func(from, to int)) {
	end := 0 // of the value that was examined last
	occurrences(lower, n.name, func(at int) int {
		start := at + len(n.name)
		before := strings.TrimRight(lower[max(0, at-16):at], "_- ")
		isBefore := func(word string) bool { return strings.HasSuffix(before, word) }
		if n.before != nil && !slices.ContainsFunc(n.before, isBefore) {
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
		v := namedValue{assigned: c[2] >= 0, quoted: c[5] > c[4] || inTag}
		closing := "\"'\n\r\\"
		if c[5] > c[4]+1 || inTag {
			closing = "「<\n\r\\"
		}
		if blank := strings.TrimSpace(lower[start:start+c[1]]) == ""; blank != (n.name == "bearer") {
			return start
		}
		from := start + c[1]
		if n.scheme {
			if m := scheme.FindStringIndex(lower[from:min(len(lower), from+16)]); m != nil {
				from, v.assigned = from+m[1], true
			}
		}
		if v.quoted {
			end = valueEnd(s, from, closing)
		} else if from >= end {
			end = valueEnd(s, from, " \t\n\r\"'<>,;&|\\`「」")
		}
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

// maxConnector limits what is examined between a name and its value, in bytes.
const maxConnector = 48

// tagStart is the start of a tag up to the name of a value: the tag's name, or an attribute.
var tagStart = regexp.MustCompile(`<[a-z_-]*(?:(?:\s+name)?=["']?[a-z_-]*)?$`)

// isInTag reports whether a text ends in a tag, within what may be the name of a value.
func isInTag(before string) bool {
	return tagStart.MatchString(before[max(0, len(before)-maxConnector):])
}

// valueEnd returns the end of a value that ends before one of the characters.
func valueEnd(s string, from int, before string) int {
	end := min(len(s), from+maxValue)
	if n := strings.IndexAny(s[from:end], before); n >= 0 {
		end = from + n
	}
	work.Add(end - from)
	return end
}

// IsSecret reports whether a value is a secret because of the name of its member or argument, such
// as "password".
func IsSecret(name, value string) bool {
	return isSecretName(name) && namedValue{text: value, quoted: true}.isSecret(false)
}

// isSecretName reports whether a name as a whole is that of a secret.
func isSecretName(name string) bool {
	lower := strings.ToLower(name)
	return slices.ContainsFunc(secretNames, func(n secretName) bool {
		before, ok := strings.CutSuffix(lower, n.name)
		before = strings.TrimRight(before, "_- ")
		return ok && !n.weak && (n.before == nil ||
			slices.ContainsFunc(n.before, func(word string) bool { return strings.HasSuffix(before, word) }))
	})
}

// A namedValue is the value after the name of a secret.
type namedValue struct {
	text     string
	assigned bool // by an equals sign without white space
	quoted   bool
}

func (v namedValue) isSecret(weak bool) bool {
	switch {
	case isPlaceholder(v.text):
		return false
	case weak:
		return looksRandom(v.text)
	case v.assigned, v.quoted:
		return len(v.text) >= 4
	}
	return len(v.text) >= 6 && hasDigit(v.text) // shorter values, or those without a digit, may be words or expressions
}

// maxExamined limits how much of a value tells what it is, in bytes.
const maxExamined = 128

// isPlaceholder reports whether a value stands for a secret, or is an expression of a program.
func isPlaceholder(value string) bool {
	value = value[:min(len(value), maxExamined)]
	switch strings.ToLower(value) {
	case "", "null", "nil", "none", "true", "false", "undefined", "required", "optional", "password", "secret", "string":
		return true
	}
	return strings.ContainsAny(value[:1], "$<{[%*(,;)}] ") || strings.ContainsAny(value, "(") || strings.Trim(value, "*.xX•…-_") == ""
}

// looksRandom reports whether a value looks like a random key: at least 16 letters and digits
// without the form of a path, a host, a hash or a UUID.
func looksRandom(value string) bool {
	value = value[:min(len(value), maxExamined)]
	letters, digits, hexadecimal := 0, 0, true
	for i := range len(value) {
		switch c := value[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			letters++
			hexadecimal = hexadecimal && c|0x20 <= 'f'
		case c == '-':
		case c == '_', c == '+', c == '=', c == '/' && i > 0, c == '.':
			hexadecimal = false
		default:
			return false
		}
	}
	return letters+digits >= 16 && letters > 0 && digits > 0 && !hexadecimal
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '-'
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
