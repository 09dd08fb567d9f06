package model

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/internal/message"
)

// codeNoQuota is the code of an error that waiting does not resolve.
const codeNoQuota = "insufficient_quota"

// A report is what a server says about a failure.
type report struct {
	words  string // "" for a web page
	code   string // a word such as "model_not_found"
	status int    // the HTTP status that an error within a response would have had; 0 for none
}

// readReport reads a body in any of the shapes that servers use.
func readReport(body []byte) (r report) {
	var shape, inner struct {
		Error   json.RawMessage `json:"error"`
		Message json.RawMessage `json:"message"`
		Detail  json.RawMessage `json:"detail"`
		Code    json.RawMessage `json:"code"`
	}
	r.words = strings.TrimSpace(string(body))
	if json.Unmarshal(body, &shape) != nil {
		if strings.HasPrefix(r.words, "<") {
			r.words = ""
		}
		return r
	}
	_ = json.Unmarshal(shape.Error, &inner) // an error that is not an object has no code
	_ = json.Unmarshal(inner.Code, &r.code)
	for _, code := range []json.RawMessage{inner.Code, shape.Code} {
		if status, ok := wholeNumber(code); ok && status >= 100 && status < 600 {
			r.status = status
			break
		}
	}
	for _, raw := range []json.RawMessage{inner.Message, shape.Error, shape.Message, shape.Detail} {
		text := string(raw)
		_ = json.Unmarshal(raw, &text)
		if text = strings.TrimSpace(text); isError(raw) && text != "" {
			r.words = text
			break
		}
	}
	return r
}

// temporary reports whether the same request may succeed later. The status is 0 if the server gave
// none.
func (r report) temporary(status int) bool {
	switch status {
	case 0, http.StatusTooManyRequests:
		return r.code != codeNoQuota
	case http.StatusRequestTimeout, http.StatusTooEarly:
		return true
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return false
	}
	return status >= 500
}

// serverError returns the fault of an error that a server reports in place of a reply, or within
// one.
func serverError(s *secrets, body []byte) *fault {
	r := readReport(body)
	message := say("reports an error: no reason given")
	if words := s.Line(r.words, maxServerText); words != "" {
		message = say("reports an error: %s", words)
	}
	return &fault{kind: KindServer, message: message, temporary: r.temporary(r.status)}
}

// isError reports whether an error value means an error. Servers also send empty values with good
// replies.
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

// quote shows the beginning of an unexpected response.
func quote(s *secrets, b []byte) string {
	const maxRead = 16 << 10 // bytes; more than maxQuote, because Line removes or shortens some of them
	return strconv.Quote(s.Line(string(b[:min(len(b), maxRead)]), maxQuote))
}

// statusFault returns the meaning of an error status, with the server's message if there is one.
// hasHeaders says whether the request had a key or Options.Headers.
func statusFault(s *secrets, status int, body []byte, hasHeaders bool) *fault {
	r := readReport(body)
	verdict, hint := say("refuses the request"), (*message.Text)(nil)
	switch {
	case status == http.StatusUnauthorized && !hasHeaders:
		verdict, hint = say("refuses access"), say("no API key was sent")
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		verdict, hint = say("refuses access"), say("check the API key")
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		verdict, hint = say("has no such path"), baseURLHint
	case status == http.StatusTooManyRequests && r.code == codeNoQuota:
		verdict = say("refuses the request because the quota is used up")
		hint = say("look at the account's plan and billing there")
	case status == http.StatusTooManyRequests:
		verdict, hint = say("takes no more requests for now"), say("try again later")
	case status >= 500:
		verdict, hint = say("failed"), say("its log may say why")
	}
	text := say("%v (%d %s)", verdict, status, http.StatusText(status))
	if words := s.Line(r.words, maxServerText); words != "" {
		text = say("%v: %s", text, words)
	}
	if hint != nil {
		text = say("%v; %v", text, hint)
	}
	return &fault{kind: KindStatus, message: text, temporary: r.temporary(status)}
}

// baseURLHint ends the message about a response that seems not to come from a model server.
var baseURLHint = say("is the base URL right? It usually ends in /v1")
