package secrets_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/internal/work"
)

// The secrets of these tests are assembled from parts, so that scanners of repositories do not
// report this file.
var (
	jwt = strings.Join([]string{
		"eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0",
		"dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
	}, ".")
	pem = "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEowIBAAKCAQEA7bq\n/+x1Zw==\n-----END RSA PRIVATE KEY-----"
)

func TestFormsOfSecretsAreMasked(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a key of OpenAI", "use sk-" + "proj-a1B2c3D4e5F6g7H8i9J0k1L2 please", "use [secret] please"},
		{"a key of Anthropic", "sk-" + "ant-api03-a1B2c3D4e5F6g7H8i9J0", "[secret]"},
		{"a token of GitHub", "git clone ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a", "git clone [secret]"},
		{"a fine-grained token of GitHub", "github_pat_" + "11ABCDEFG0123456789abcdef", "[secret]"},
		{"a token of GitLab", "glpat-" + "a1B2c3D4e5F6g7H8i9J0", "[secret]"},
		{"a token of Slack", "xoxb-" + "123456789012-abcdefABCDEF", "[secret]"},
		{"a key of AWS", "id AKIA" + "IOSFODNN7EXAMPLE.", "id [secret]."},
		{"a key of Google", "?key=AIza" + "SyA1234567890abcdefghijklmnopqrstuv", "?key=[secret]"},
		{"a token of Hugging Face", "hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789", "[secret]"},
		{"a JSON web token", "cookie=" + jwt + ";", "cookie=[secret];"},
		{"a private key", "here:\n" + pem + "\nend", "here:\n[secret]\nend"},
		{
			"a private key in JSON", `{"key":"` + strings.ReplaceAll(pem, "\n", `\n`) + `","n":1}`,
			`{"key":"[secret]","n":1}`,
		},
		{"the beginning of a private key", `"` + pem[:50] + `" cut`, `"[secret]" cut`},
		{"a bearer token", "Authorization: Bearer abc.def-123", "Authorization: Bearer [secret]"},
		{"basic credentials", `-H "Authorization: Basic dXNlcjpwYXNz"`, `-H "Authorization: Basic [secret]"`},
		{"a bearer token without its header", "sent Bearer a1B2c3D4e5F6g7H8i9J0 to it", "sent Bearer [secret] to it"},
		{"a password in a URL", "postgres://ann:hunter2@db.example/x", "postgres://ann:[secret]@db.example/x"},
		{
			"a parameter of a URL", "https://example.com/?password=hunter2&x=1",
			"https://example.com/?password=[secret]&x=1",
		},
		{"an assignment", "DB_PASSWORD=hunter2 make", "DB_PASSWORD=[secret] make"},
		{"an assignment with quotes", `password = "correct horse"`, `password = "[secret]"`},
		{"an apostrophe in a quoted value", `password: "O'Brien's cat"`, `password: "[secret]"`},
		{"a quoted value in quotation marks", `password = "'hunter2abc'"`, `password = "'[secret]'"`},
		{"a JSON string in quotation marks", `password: '"hunter2abc"'`, `password: '"[secret]"'`},
		{"JSON in CSV", `1,"{""password"":""hunter2abc""}"`, `1,"{""password"":""[secret]""}"`},
		{
			"a long quoted value", `password = "` + strings.Repeat("a1 ", 3000) + `", user = "ann"`,
			`password = "[secret]", user = "ann"`,
		},
		{"code", "The password is `hunter2abc`.", "The password is `[secret]`."},
		{"bold text", "**Password:** hunter2abc, password: **hunter2abc**", "**Password:** [secret], password: **[secret]**"},
		{"curly quotation marks", "password: “hunter2 abc”", "password: “[secret]”"},
		{"Chinese quotation marks", "密码：「hunter2 abc」", "密码：「[secret]」"},
		{"a block of YAML", "password: |-\n  hunter2\n  abc\nuser: ann", "password: |-\n  [secret]\nuser: ann"},
		{
			"a block of YAML in JSON", `{"text":"password: >\n  hunter2\nuser: ann"}`,
			`{"text":"password: >\n  [secret]\nuser: ann"}`,
		},
		{"an option", "mysql --password hunter2abc -h db", "mysql --password [secret] -h db"},
		{"a line of .netrc", "machine db login ann password hunter2abc", "machine db login ann password [secret]"},
		{"a user of curl", "curl -s -u ann:hunter2 https://db.example", "curl -s -u ann:[secret] https://db.example"},
		{"a token as the user of a URL", "https://0123456789abcdef@git.example/x", "https://[secret]@git.example/x"},
		{"a header with cookies", "Set-Cookie: sid=s%3Aabc123; Path=/", "Set-Cookie: [secret]"},
		{"a password of mail", "SMTP_PASS=hunter2", "SMTP_PASS=[secret]"},
		{"a login of Docker", `{"auth":"YW5uOmh1bnRlcjJhYmM="}`, `{"auth":"[secret]"}`},
		{"a key of Azure", "AccountKey=abcdEFGH1234==;Suffix=x", "AccountKey=[secret];Suffix=x"},
		{
			"a token of Telegram", "https://api.telegram.org/bot123456789:AA" + "HdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1/getMe",
			"https://api.telegram.org/bot123456789:[secret]/getMe",
		},
		{
			"a webhook of Slack", "https://hooks.slack.com/services/" + "T00000000/B00000000/a1B2c3D4e5F6g7H8",
			"https://hooks.slack.com/services/[secret]",
		},
		{"a quotation in a quotation", `"password='hunter22", f(1), 'x'`, `"password='[secret]", f(1), 'x'`},
		{"a member of JSON", `{"api_key": "abcd-efgh", "n": 1}`, `{"api_key": "[secret]", "n": 1}`},
		{
			"a member of JSON in JSON", `{"text":"{\"client_secret\":\"abcd-efgh\"}"}`,
			`{"text":"{\"client_secret\":\"[secret]\"}"}`,
		},
		{"a line of YAML", "password: hunter2\nuser: ann", "password: [secret]\nuser: ann"},
		{"a secret key", "secret_key=abcd", "secret_key=[secret]"},
		{"a key with a hyphen", "x-api-key: a1b2c3d4", "x-api-key: [secret]"},
		{"a sentence", "My password is hunter2.", "My password is [secret]."},
		{"a Chinese sentence", "我的密码是hunter2。", "我的密码是[secret]。"},
		{"a Chinese form", "密码：hunter2", "密码：[secret]"},
		{"a random token", "token=a1B2c3D4e5F6g7H8i9J0", "token=[secret]"},
		{"a value in the marks of the VCP dialect", "password:「始」hunter2「末」,\n", "password:「始」[secret]「末」,\n"},
		{"words in these marks", "password:「始」correct horse「末」", "password:「始」[secret]「末」"},
		{"escaped marks", "password:「始_ESCAPE」hunter2「末_ESCAPE」", "password:「始_ESCAPE」[secret]「末_ESCAPE」"},
		{
			"a parameter in tags", "<parameter=password>\nhunter2\n</parameter>",
			"<parameter=password>\n[secret]\n</parameter>",
		},
		{
			"an attribute that names a parameter", `<parameter name="password">hunter2</parameter>`,
			`<parameter name="password">[secret]</parameter>`,
		},
		{"a tag", "<password>correct horse</password>", "<password>[secret]</password>"},
		{
			"a value after another name in a quoted placeholder", `password="$x password=hunter2abc (y)"`,
			`password="$x password=[secret] (y)"`,
		},
		{"private keys in a row", pem + "\n" + pem + "\n\"x\"", "[secret]\n[secret]\n\"x\""},
		{
			"an escaped line break after the value", `{"text":"password=hunter2\nNext"}`,
			`{"text":"password=[secret]\nNext"}`,
		},
		{
			"an escaped quotation mark after the value", `"say \"password=hunter2\" now"`,
			`"say \"password=[secret]\" now"`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, secrets.NewFilter(nil).Text(tt.text)) })
	}
}

func TestFindingSecretsTakesLinearWork(t *testing.T) {
	for name, unit := range map[string]string{
		"private keys":                pem + "\n",
		"beginnings of private keys":  pem[:32],
		"private keys without an end": pem[:32] + "\"",
		"labels of private keys":      "-----BEGIN ",
		"assignments":                 "password=x ",
		"quotation marks":             `password: "`,
		"marks of the VCP dialect":    "password:「始」",
		"tags":                        "<password>",
		"passwords of URLs":           "a://b:c",
		"ambiguous names":             "token token ",
		"schemes":                     "authorization: bearer ",
		"JSON web tokens":             "eyJaaaaaaaa1.eyJaaaaaaaa.",
		"keys":                        "sk-",
		"JSON that is not complete":   `[{"a":`,
		"names without spaces":        "passwordpassword",
		"nested quotation marks":      `password:"'`,
		"curly quotation marks":       "password:“",
		"Chinese quotation marks":     "password:「",
		"code":                        "password:`",
		"bold text":                   "password:**",
		"blocks":                      "password: |\n  ",
		"blocks of placeholders":      "password: |\n  $",
		"options":                     "--password ",
		"commands":                    "curl -u a",
		"cookies":                     "Cookie: a=b",
		"long values":                 "password=" + strings.Repeat("x", 100),
	} {
		t.Run(name, func(t *testing.T) {
			f := secrets.NewFilter([]string{"a known secret"})
			cost := func(size int) int {
				text := strings.Repeat(unit, size/len(unit))
				return work.Count(func() { f.Text(text) })
			}
			assert.Less(t, cost(1<<16), 5*cost(1<<14), "four times the text takes about four times the work")
			assert.Less(t, cost(1<<16), 256<<16, "the work is less than 256 times the length of the text")
		})
	}
}

func TestOrdinaryTextIsNotMasked(t *testing.T) {
	for name, text := range map[string]string{
		"a comparison":                        "if len(password) > minLength && password>limit { return errPassword }",
		"a tag without a value":               "<input name=\"password\">\n<b>Sign in</b>",
		"a type in tags":                      "Map<Password> passwords, <secret> none </secret>",
		"marks of another argument":           "note:「始」the password「末」, text:「始」hunter2「末」",
		"a hash":                              "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"a hash after token":                  "token=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"a UUID":                              "token: 123e4567-e89b-12d3-a456-426614174000",
		"a commit":                            "commit 5ab55f06d1e8f2a9c3b7e4d5f6a7b8c9d0e1f2a3",
		"a count of tokens":                   `"max_tokens": 2048, "token": 17, total_tokens=1024`,
		"a rule about passwords":              "The password is required. Password: at least 8 characters; the secret: patience.",
		"a placeholder":                       "password=<your password> password=$PASSWORD password=${DB_PASS} password=**** api_key=[secret]",
		"a loop":                              `for _, secret := range secrets { password = other }`,
		"the end of a quotation":              `[]string{"PASSWORD="}, []string{"PASSWORD= "}, "x"`,
		"a text in a program":                 `"password='" + password + "' and " + 'secret="' + secret + '"'`,
		"an expression":                       `password = getPassword(user); secret := os.Getenv("SECRET")`,
		"a public key":                        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0B\n-----END PUBLIC KEY-----",
		"a word with a prefix":                "task-list-of-the-year-2024-and-more, disk-usage-of-a-large-directory",
		"a name of a package":                 "risk-free sk-learn-compatible-estimators-for-all",
		"an address with a port":              "http://localhost:8080/a@b http://example.com:443/",
		"an address of mail":                  "mailto:ann@example.com",
		"base64 of an image":                  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
		"a method that is named in code":      "Store the password with `argon2id`: a password `sha256` is unsafe; `password` is `text`.",
		"empty members of JSON":               `{"password":"","user":"ann","secret": ""}`,
		"an empty block of YAML":              "password: |\nuser: ann",
		"a program with a string in a string": `"pwd=\"" + pwd + "\";"`,
		"the user of a container":             "docker run --user 1000:1000 -u 1000:1000 image",
		"words about a cookie":                "Cookie: a small text of up to 4096 bytes",
		"a pointer in a program":              "func logOn(user *uint16, password *uint16), private key is *ed25519.PrivateKey",
		"a name that begins with gl":          "global-warming-report-of-the-year-2024",
		"a count of passes":                   "tests_pass=1200",
		"addresses of curl":                   "curl --url=https://db.example:8080/x https://my-ubuntu-host:8080/y",
		"a variable of curl":                  "curl -u $NAME:$PASS1 https://db.example",
		"a user of a URL":                     "ssh://git@git.example/x https://ann.smith@git.example/x",
		"a question":                          "What is a bearer token, and is the API key secret? 密码是什么？",
		"a type in a program":                 `type Login struct { Password string; APIKey string }`,
		"a keyword argument":                  "key=value, keys: a, b; access denied: 403",
		"a request of the protocol":           "tool_name:「始」login「末」,\nuser:「始」ann「末」",
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, text, secrets.NewFilter(nil).Text(text)) })
	}
}
