package model_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
)

// Secrets are masked before the text is shortened. Otherwise the text could end in the beginning of
// a secret, which a filter does not recognize.
func TestTruncatedSecretsAreMasked(t *testing.T) {
	const key = `sk/abc"defghijklmnop&qrstuvwxyz0123456789`
	inJSON, err := json.Marshal(key)
	require.NoError(t, err)
	spelled := strings.Trim(string(inJSON), `"`)
	for pad := 20; pad < 640; pad += 23 { // the key comes before, at and after the limits of 120 and 600 bytes
		lead := strings.Repeat("x", pad/2) + " " + strings.Repeat("末", pad/2)
		for name, r := range map[string]modelserver.Reply{
			"a failure":             modelserver.Failure(400, lead+key),
			"a failure in text":     {Status: 400, ContentType: "text/plain", Raw: lead + key},
			"a failure in JSON":     {Status: 400, ContentType: "application/json", Raw: `{"why":"` + lead + spelled + `"}`},
			"an error event":        modelserver.RawStream(`data: {"error":{"message":"` + lead + spelled + `"}}` + "\n\n"),
			"an event named error":  modelserver.RawStream("event: error\ndata: " + lead + key + "\n\n"),
			"broken JSON":           modelserver.Raw("application/json", "{"+lead+key),
			"a reply in text":       modelserver.Raw("text/plain", lead+key),
			"an event without JSON": modelserver.RawStream("data: " + lead + key + "\n\n"),
			"JSON with escaped slashes": {
				Status: 400, ContentType: "application/json",
				Raw: `{"why":"` + lead + strings.ReplaceAll(spelled, "/", `\/`) + `"}`,
			},
		} {
			s := modelserver.Start(t, r)
			_, err := ask(t.Context(),
				newClient(t, model.Options{BaseURL: s.URL, APIKey: key, Model: "m", Retries: -1}), hello)
			require.NotContains(t, requireError(t, err).Error(), "abc", "%s, %d bytes before the key", name, len(lead))
			s.Close()
		}
	}
}

// Secrets of Options are never shown: not if a server repeats them, and not if a client or its
// options are printed.
func TestNoSecretIsShown(t *testing.T) {
	const key, header, password = "sk-0123456789", "hdr-0123456789", "pw-0123456789"
	said := fmt.Sprintf("bad key %s, bad header %s, bad password %s", key, header, password)
	errorEvent := "data: {\"error\":{\"message\":\"" + said + "\"}}\n\n"
	replies := map[string]modelserver.Reply{
		"a failure":             modelserver.Failure(401, said),
		"a failure in text":     {Status: 500, ContentType: "text/plain", Raw: said},
		"an error event":        modelserver.RawStream(errorEvent),
		"broken JSON":           modelserver.Raw("application/json", "{"+said),
		"a reply in text":       modelserver.Raw("text/plain", said),
		"an event without JSON": modelserver.RawStream("data: " + said + "\n\n"),
	}
	for name, r := range replies {
		t.Run(name, func(t *testing.T) {
			s := modelserver.Start(t, r)
			o := model.Options{
				BaseURL: "http://user:" + password + "@" + s.URL[len("http://"):], APIKey: key, Model: "m",
				Headers: http.Header{"X-Key": {"Token " + header}},
			}
			c := newClient(t, o)
			_, err := ask(t.Context(), c, hello)
			e := requireError(t, err)
			shown := fmt.Sprintf("%v %+v %#v %s %v %+v %#v %v %+v %#v", err, err, e, e.URL, o, o, o, c, c, c)
			for cause := err; cause != nil; cause = errors.Unwrap(cause) {
				shown += fmt.Sprintf(" %v %+v", cause, cause)
			}
			for _, secret := range []string{key, header, password} {
				require.NotContains(t, shown, secret)
			}
		})
	}
}

func TestEverySpellingOfASecretIsMasked(t *testing.T) {
	const user, password, key, token = "alice", "p>w?/+0123456789~~", `sk-01+23/45=6 7"&89`, "token0123456789"
	basic := func(e *base64.Encoding, login string) string { return e.EncodeToString([]byte(login)) }
	withPassword, withToken := url.UserPassword(user, password), url.User(token)
	tests := []struct {
		name string
		user *url.Userinfo
		key  string
		said string // what the server says
		hide string // the part of said that must be masked
	}{
		{
			"an Authorization header made of the URL", withPassword, "",
			"Basic " + basic(base64.StdEncoding, user+":"+password), basic(base64.RawStdEncoding, user+":"+password),
		},
		{
			"the header's base64 without padding", withPassword, "", basic(base64.RawStdEncoding, user+":"+password),
			basic(base64.RawStdEncoding, user+":"+password),
		},
		{
			"the header in base64 for URLs", withPassword, "", basic(base64.URLEncoding, user+":"+password),
			basic(base64.RawURLEncoding, user+":"+password),
		},
		{
			"the header in base64 for URLs, without padding", withPassword, "",
			basic(base64.RawURLEncoding, user+":"+password), basic(base64.RawURLEncoding, user+":"+password),
		},
		{"a token in place of the user", withToken, "", token, token},
		{
			"a token of the URL as a header", withToken, "", basic(base64.StdEncoding, token+":"),
			basic(base64.RawStdEncoding, token),
		},
		{"a password as a part of a query", withPassword, "", url.QueryEscape(password), "0123456789"},
		{"a key as a part of a query", nil, key, url.QueryEscape(key), "%2B23"},
		{"a key as a part of a path", nil, key, url.PathEscape(key), "23%2F45"},
		{"a key as a part of a path, in lower case", nil, key, strings.ToLower(url.PathEscape(key)), "23%2f45"},
		{"a key in JSON without escapes for HTML", nil, key, strings.ReplaceAll(key, `"`, `\"`), "&89"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Contains(t, tt.said, tt.hide)
			for _, r := range []modelserver.Reply{
				{Status: 401, ContentType: "text/plain", Raw: "bad: " + tt.said},
				modelserver.Failure(400, "bad: "+tt.said),
			} {
				s := modelserver.Start(t, r)
				base, err := url.Parse(s.URL)
				require.NoError(t, err)
				base.User = tt.user
				_, err = ask(t.Context(),
					newClient(t, model.Options{BaseURL: base.String(), APIKey: tt.key, Model: "m"}), hello)
				e := requireError(t, err)
				require.NotContains(t, e.Error(), tt.hide)
				require.Contains(t, e.Error(), "[secret]")
			}
		})
	}
	t.Run("a key in a response that broke off", func(t *testing.T) {
		r := modelserver.Reply{Status: 401, ContentType: "text/plain", Raw: "bad: sk-01+23/45=6 7"}
		s := modelserver.Start(t, r.BrokenAfter(len("bad: sk-01+23")))
		_, err := ask(t.Context(), newClient(t, model.Options{BaseURL: s.URL, APIKey: key, Model: "m"}), hello)
		require.Contains(t, requireError(t, err).Error(), "bad: [secret];")
	})
	t.Run("a password of a header", func(t *testing.T) {
		s := modelserver.Start(t, modelserver.Failure(401, "no user has the password "+password))
		header := http.Header{"Authorization": {"Basic " + basic(base64.StdEncoding, user+":"+password)}}
		_, err := ask(t.Context(), newClient(t, model.Options{BaseURL: s.URL, Headers: header, Model: "m"}), hello)
		require.Contains(t, requireError(t, err).Error(), "has the password [secret];")
	})
}

func TestLongPartsOfASecretAreMasked(t *testing.T) {
	const key = "sk-0123456789abcdef"
	tests := []struct{ name, said, want string }{
		{"its beginning before stars is masked", "bad key: sk-01234*******cdef.", "bad key: [secret]*******cdef."},
		{"its beginning before dots is masked", "bad key: sk-01234...cdef", "bad key: [secret]...cdef"},
		{"its beginning before an ellipsis is masked", "bad key: sk-0123456…", "bad key: [secret]…"},
		{"a part is masked anywhere, and more than once", "(sk-01234**,sk-01234**)", "([secret]**,[secret]**)"},
		{"all but its last letter is masked", "sk-0123456789abcde**", "[secret]**"},
		{"a shorter part stays", "bad key: sk-0123****cdef", "bad key: sk-0123****cdef"},
		{"its beginning is masked within a sentence", "sk-012345 begins a key", "[secret] begins a key"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := modelserver.Start(t, modelserver.Failure(400, tt.said))
			_, err := ask(t.Context(), newClient(t, model.Options{BaseURL: s.URL, APIKey: key, Model: "m"}), hello)
			require.Contains(t, requireError(t, err).Error(), "(400 Bad Request): "+tt.want)
		})
	}
}

func TestAClientListsItsSecrets(t *testing.T) {
	c := newClient(t, model.Options{
		BaseURL: "http://ann:pw-0123456789@127.0.0.1:1", APIKey: "sk-0123456789",
		Headers: http.Header{"X-Key": {"Bearer hdr-0123456789"}, "User-Agent": {"a program"}},
	})
	for _, secret := range []string{"sk-0123456789", "hdr-0123456789", "pw-0123456789"} {
		require.Contains(t, c.Secrets(), secret)
	}
	require.NotContains(t, c.Secrets(), "a program")
	require.NotContains(t, c.Secrets(), "", "an empty text is no secret")
	require.Empty(t, newClient(t, model.Options{BaseURL: "http://127.0.0.1:1"}).Secrets())
}

// A key is sent without the white space around it, and counts as a secret in this form.
func TestAShortKeyInWhiteSpaceIsMasked(t *testing.T) {
	const key, header = "hush99", "shh-99"
	s := modelserver.Start(t, modelserver.Failure(401, "bad key "+key+" or "+header))
	c := newClient(t, model.Options{
		BaseURL: s.URL, APIKey: key + "\n", Headers: http.Header{"X-Key": {"Token  " + header + " "}}, Model: "m",
	})
	_, err := ask(t.Context(), c, hello)
	require.Contains(t, requireError(t, err).Error(), "bad key [secret] or [secret]")
	require.Equal(t, []string{key, "Token  " + header, header}, c.Secrets())
}
