package secrets

import (
	"regexp"

	"github.com/vcpgo/vcp/internal/work"
)

// A keyForm is the form of the keys of a provider, or of a text that contains a key.
type keyForm struct {
	prefix string
	// form matches the key, which begins with prefix. If form has a group, it matches a text that
	// contains the key, and the group is the key.
	form *regexp.Regexp
}

var keyForms = []keyForm{
	{"sk-", key(`sk-[\w-]{20,}`)}, // OpenAI, Anthropic and others
	{"sk_live_", key(`sk_live_\w{16,}`)},
	{"rk_live_", key(`rk_live_\w{16,}`)},
	{"gh", key(`gh[pousr]_[A-Za-z0-9]{30,}`)}, // GitHub
	{"github_pat_", key(`github_pat_\w{22,}`)},
	{"gl", key(`gl(?:pat|ptt|rt|dt|oas|cbt|ft|soat|agent)-[\w-]{20,}`)}, // GitLab
	{"xox", key(`xox[abeoprs]-[\w-]{10,}`)},                             // Slack
	{"AKIA", key(`AKIA[A-Z0-9]{16}\b`)},                                 // AWS
	{"ASIA", key(`ASIA[A-Z0-9]{16}\b`)},
	{"AIza", key(`AIza[\w-]{35}`)}, // Google
	{"ya29.", key(`ya29\.[\w-]{20,}`)},
	{"hf_", key(`hf_[A-Za-z0-9]{30,}`)}, // Hugging Face
	{"gsk_", key(`gsk_[A-Za-z0-9]{40,}`)},
	{"xai-", key(`xai-[A-Za-z0-9]{40,}`)},
	{"nvapi-", key(`nvapi-[\w-]{60,}`)},     // Nvidia
	{"dop_v1_", key(`dop_v1_[a-f0-9]{64}`)}, // DigitalOcean
	{"AGE-SECRET-KEY-1", key(`AGE-SECRET-KEY-1[A-Z0-9]{58}`)},
	{"npm_", key(`npm_[A-Za-z0-9]{30,}`)},
	{"pypi-", key(`pypi-[\w-]{50,}`)},
	{"SG.", key(`SG\.[\w-]{16,}\.[\w-]{16,}`)},             // SendGrid
	{"eyJ", key(`eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}`)}, // JSON web tokens
	{"bot", key(`bot\d{8,12}:([\w-]{30,})`)},               // Telegram
	{"hooks.slack.com/", key(`hooks\.slack\.com/\w{1,16}/([\w/]{20,})`)},
	{"/api/webhooks/", key(`/api/webhooks/\d{1,24}/([\w-]{30,})`)}, // Discord
	{"curl ", key(`curl (?:[^\n]{0,200}? )??(?:-u ?|--user[ =])["']?[^\s:"']{1,64}:([^\s"']{4,128})`)},
	{"ookie: ", key(`ookie: (\w[\w.-]{0,64}=[^\n\r"']{8,})`)},
}

func key(form string) *regexp.Regexp { return regexp.MustCompile("^" + form) }

// find marks the keys of that form in s. A placeholder, and text without a digit, such as words with
// hyphens, are no keys.
func (f *keyForm) find(s string, mark func(from, to int)) {
	occurrences(s, f.prefix, func(at int) int {
		if f.form.NumSubexp() == 0 && at > 0 && isWordByte(s[at-1]) {
			return at // within a word
		}
		m := f.form.FindStringSubmatchIndex(s[at:])
		if m == nil {
			return at
		}
		work.Add(m[1])
		if from, to := at+m[len(m)-2], at+m[len(m)-1]; hasDigit(s[from:to]) && !isPlaceholder(s[from:to]) {
			mark(from, to)
		}
		return at + m[1]
	})
}

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '-'
}
