package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// codeNoQuota is the code of an error that waiting does not resolve.
const codeNoQuota = "insufficient_quota"

// serverError returns the fault of an error that a server reports in place of a reply, or within
// one.
func serverError(s *secrets, body []byte) *fault {
	words := serverWords(s, body)
	if words == "" {
		words = "no reason given"
	}
	f := faultf(KindServer, "reports an error: %s", words)
	f.temporary = temporaryError(body)
	return f
}

// serverWords returns what a server says about a failure, in any of the usual shapes. A web page
// says nothing.
func serverWords(s *secrets, body []byte) string {
	var shape struct {
		Error   json.RawMessage `json:"error"`
		Message json.RawMessage `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	text := strings.TrimSpace(string(body))
	if json.Unmarshal(body, &shape) != nil && strings.HasPrefix(text, "<") {
		return ""
	}
	for _, raw := range []json.RawMessage{shape.Error, shape.Message, shape.Detail} {
		if words := errorWords(s, raw); words != "" {
			return words
		}
	}
	return s.Line(text, maxWords)
}

// errorWords returns the message of an error value, which is a text or an object that has one.
func errorWords(s *secrets, raw json.RawMessage) string {
	if !isError(raw) {
		return ""
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return s.Line(text, maxWords)
	}
	var object struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(raw, &object) == nil && object.Message != "" {
		return s.Line(object.Message, maxWords)
	}
	return s.Line(string(raw), maxWords)
}

// isError reports whether an error value is one. Servers also send empty ones with good replies.
func isError(raw json.RawMessage) bool {
	bare := bytes.Map(func(c rune) rune {
		if strings.ContainsRune(" \t\r\n", c) {
			return -1
		}
		return c
	}, raw)
	switch string(bare) {
	case "", "null", "false", "0", `""`, "{}", "[]":
		return false
	}
	return true
}

// errorCode returns the code of an error if it is a word.
func errorCode(body []byte) string {
	var shape struct {
		Error struct {
			Code any `json:"code"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &shape) != nil {
		return ""
	}
	code, _ := shape.Error.Code.(string)
	return code
}

// temporaryError reports whether a later request may get a reply in place of this error. Many
// errors carry the HTTP status that they would have had.
func temporaryError(body []byte) bool {
	var shape struct {
		Error json.RawMessage `json:"error"`
		Code  json.RawMessage `json:"code"`
	}
	if json.Unmarshal(body, &shape) != nil {
		return true
	}
	var inner struct {
		Code json.RawMessage `json:"code"`
	}
	_ = json.Unmarshal(shape.Error, &inner) // an error that is no object has no code
	for _, code := range []json.RawMessage{inner.Code, shape.Code} {
		if status, ok := wholeNumber(code); ok && status >= 100 && status < 600 {
			return temporaryStatus(status, body)
		}
	}
	return errorCode(body) != codeNoQuota
}

// temporaryStatus reports whether the same request may get another status later.
func temporaryStatus(status int, body []byte) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooEarly:
		return true
	case http.StatusTooManyRequests:
		return errorCode(body) != codeNoQuota
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return false
	}
	return status >= 500
}

// quote shows the head of what a server sent in place of something else.
func quote(s *secrets, b []byte) string {
	return strconv.Quote(s.Line(string(b[:min(len(b), 16<<10)]), maxQuote))
}

// statusFault says what an error status means, with the server's own words if it gave some. hasKey
// says whether the request carried a key or other headers.
func statusFault(s *secrets, status int, body []byte, hasKey bool) *fault {
	verdict, hint := "refuses the request", ""
	switch {
	case status == http.StatusUnauthorized && !hasKey:
		verdict, hint = "refuses access", "no API key was sent"
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		verdict, hint = "refuses access", "check the API key"
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		verdict, hint = "has no such path", baseURLHint
	case status == http.StatusTooManyRequests && errorCode(body) == codeNoQuota:
		verdict, hint = "refuses the request because the quota is used up", "look at the account's plan and billing there"
	case status == http.StatusTooManyRequests:
		verdict, hint = "takes no more requests for now", "try again later"
	case status >= 500:
		verdict, hint = "failed", "its log may say why"
	}
	message := fmt.Sprintf("%s (%d %s)", verdict, status, http.StatusText(status))
	if words := serverWords(s, body); words != "" {
		message += ": " + words
	}
	if hint != "" {
		message += "; " + hint
	}
	return &fault{kind: KindStatus, message: message, temporary: temporaryStatus(status, body)}
}

// baseURLHint ends the message about a response that is none of a model server.
const baseURLHint = "is the base URL right? It usually ends in /v1"
