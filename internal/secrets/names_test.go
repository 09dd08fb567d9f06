package secrets_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vcpgo/vcp/internal/secrets"
)

func TestNamesAreComparedWithoutCaseAndSeparators(t *testing.T) {
	names := secrets.NewNames([]string{"api_key", "Pass-Word"})
	for _, test := range []struct {
		name string
		want bool
	}{
		{"api_key", true},
		{"apiKey", true},
		{"API KEY", true},
		{"password", true},
		{"api_keys", false},
		{"key", false},
		{"", false},
	} {
		assert.Equal(t, test.want, names.Has(test.name), test.name)
	}
	assert.False(t, secrets.Names(nil).Has("api_key"))
}

func TestNamesAreFoundInEverySpelling(t *testing.T) {
	names := secrets.NewNames([]string{"api_key", "söße"})
	for _, test := range []struct {
		name, text string
		want       bool
	}{
		{"plain", `{"api_key":1}`, true},
		{"folded", `x Api-Key=1`, true},
		{"JSON escapes", `{"\u0061pi\u005fkey":1}`, true},
		{"JSON within JSON", `"{\"\\u0061pi_key\":1}"`, true},
		{"URL escapes", `?%61pi%5Fkey=1`, true},
		{"HTML entities", `&#97;pi_key`, true},
		{"HTML entities with leading zeros", `&#x00000061;pi&UnderBar;key`, true},
		{"HTML entities without semicolons", `&#97pi_key`, true},
		{"what is no HTML entity", `a&pi_key`, false},
		{"other letters", `"s\u00f6\u00dfe"`, true},
		{"another name", `{"api":1,"key":2}`, false},
		{"no text", "", false},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, names.MentionedIn(test.text)) })
	}
	assert.False(t, secrets.Names(nil).MentionedIn("api_key"))
}

func TestAPathIsTruncatedAfterTheNameOfASecret(t *testing.T) {
	names := secrets.NewNames([]string{"password", "api.key", "long_secret_name"})
	for _, test := range []struct {
		name, path, want string
		secret           bool // whether the path contains the name of a secret
	}{
		{"no secret", "user.options[2].name", "user.options[2].name", false},
		{"the name itself", "password", "password", true},
		{"a path below a secret's name ends at the name", "options.password.inner[0]", "options.password", true},
		{"in brackets", "options[password].inner", "options[password]", true},
		{"a name with a separator", "options.api.key.inner", "options.api.key", true},
		{"folded", "Options.PASS_WORD.x", "Options.PASS_WORD", true},
		{"a truncated name", "options.long_sec…", "options.long_sec…", true},
		{"a truncated name of something else", "options.other…", "options.other…", false},
		{"the beginning of a name", "options.pass", "options.pass", false},
		{"empty", "", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, secret := names.TruncatePath(test.path)
			assert.Equal(t, test.want, got)
			assert.Equal(t, test.secret, secret)
		})
	}
}
