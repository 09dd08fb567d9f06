package secrets

import "regexp"

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

// find marks the keys of that form in s. Text without a digit, such as words with hyphens,
// is no key.
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

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '-'
}
