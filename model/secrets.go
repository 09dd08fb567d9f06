package model

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/vcpgo/vcp/internal/redact"
)

// secrets makes what a server says fit to be shown: one short line without the secrets of Options.
type secrets = redact.Redactor

// How long a text may be that is shown, in bytes.
const (
	maxMessage = 2 << 10 // of an Error
	maxWords   = 600     // of a server, in an Error
	maxQuote   = 120     // of what was sent in place of a reply
	maxID      = 200     // the id of a model
)

// secretsOf returns what knows the secrets of Options. u is the base URL; nil if it cannot be read.
func secretsOf(o Options, u *url.URL) *secrets {
	list := []string{o.APIKey}
	for key, values := range o.Headers {
		if public[http.CanonicalHeaderKey(key)] {
			continue
		}
		for _, value := range values {
			_, bare, _ := strings.Cut(value, " ") // "Bearer KEY", "Basic KEY"
			list = append(list, value, bare)
			if user, password, ok := (&http.Request{Header: http.Header{"Authorization": {value}}}).BasicAuth(); ok {
				list = append(list, login(user, password)...)
			}
		}
	}
	if u != nil && u.User != nil {
		password, _ := u.User.Password()
		list = append(list, login(u.User.Username(), password)...)
	}
	return redact.New(list...)
}

// public are headers that say what is asked for or who asks. Their values are words that servers use too.
var public = map[string]bool{
	"Accept": true, "Accept-Language": true, "Content-Type": true, "Http-Referer": true, "Origin": true, "Referer": true, "User-Agent": true,
	"X-Title": true,
}

// login returns the secrets of a user with a password, alone and as an Authorization header has it. A user without one is a token.
func login(user, password string) []string {
	if password == "" {
		return []string{user}
	}
	return []string{password, user + ":" + password}
}

// newError returns e with its message, and is the only place where an Error is made: whatever a server, a file or a person wrote stands
// in no message but as one short line without secrets. A nil hide knows none.
func newError(hide *secrets, e Error, format string, args ...any) *Error {
	e.Message = hide.Line(fmt.Sprintf(format, args...), maxMessage)
	e.Err = withoutSecrets(hide, e.Err)
	return &e
}

// withoutSecrets returns err, or an error in its place that says the same in one short line without secrets.
func withoutSecrets(hide *secrets, err error) error {
	if err == nil {
		return nil
	}
	text := hide.Line(err.Error(), maxMessage)
	if text == err.Error() {
		return err
	}
	return &hiddenError{text, func(target error) bool { return errors.Is(err, target) }}
}

// hiddenError stands for an error whose text is not to be shown. errors.Is finds what it would find in that error.
type hiddenError struct {
	text string
	is   func(target error) bool
}

func (e *hiddenError) Error() string        { return e.text }
func (e *hiddenError) Is(target error) bool { return e.is(target) }
