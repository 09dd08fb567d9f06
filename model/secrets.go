package model

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/redact"
)

// secrets turns a server's text into one short line without the secrets of Options. Nil knows no
// secrets.
type secrets = redact.Redactor

// Limits of displayed text, in bytes.
const (
	maxMessage    = 2 << 10 // the message of an Error
	maxServerText = 600     // the words of a server in a message
	maxQuote      = 120     // a response that is not a reply
	maxID         = 200     // the id of a model, or a finish reason
)

// publicHeaders describe the request or its sender. Their values are words that servers use too.
var publicHeaders = map[string]bool{
	"Accept": true, "Accept-Language": true, "Content-Type": true, "Http-Referer": true, "Origin": true,
	"Referer": true, "User-Agent": true, "X-Title": true,
}

// secretValues returns the secrets among the given parts of Options. base may be nil.
func secretValues(key string, header http.Header, base *url.URL) []string {
	list := []string{strings.TrimSpace(key)} // as it is sent
	for name, values := range header {
		if publicHeaders[http.CanonicalHeaderKey(name)] {
			continue
		}
		for _, value := range values {
			value = strings.TrimSpace(value)             // as it is sent
			_, credentials, _ := strings.Cut(value, " ") // "Bearer KEY", "Basic KEY"
			list = append(list, value, strings.TrimSpace(credentials))
			r := http.Request{Header: http.Header{"Authorization": {value}}}
			if user, password, ok := r.BasicAuth(); ok {
				list = append(list, login(user, password)...)
			}
		}
	}
	if base != nil && base.User != nil {
		password, _ := base.User.Password()
		list = append(list, login(base.User.Username(), password)...)
	}
	return slices.DeleteFunc(list, func(secret string) bool { return secret == "" })
}

// login returns the secrets of a user. A user without a password is a token.
func login(user, password string) []string {
	if password == "" {
		return []string{user}
	}
	return []string{password, user + ":" + password}
}

// hostAndPort matches a URL that has no scheme and cannot contain a secret.
var hostAndPort = regexp.MustCompile(`^[0-9A-Za-z.-]+:[0-9]{1,5}(/v[0-9]+)?/?$`)

// safeURL returns a URL without the parts that may contain secrets.
func safeURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil && hostAndPort.MatchString(raw) {
		return raw
	}
	if err != nil {
		return "(not a URL)"
	}
	if u.User != nil {
		u.User = url.User("[secret]")
	}
	if u.RawQuery != "" {
		u.RawQuery = "[secret]"
	}
	u.Fragment = ""
	s := u.String()
	if at := strings.LastIndexByte(s, '@'); at >= 0 && u.Host == "" { // as in "http:user:password@host"
		s = "[secret]" + s[at:]
	}
	return strings.NewReplacer("%5B", "[", "%5D", "]").Replace(s) // String escapes "[secret]"
}
