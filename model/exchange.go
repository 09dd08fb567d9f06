package model

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"
)

// maxErrorBody bounds what is read of an answer that is not success: enough for any message, and for the head of a web page.
const maxErrorBody = 64 << 10

// An exchange is one request and its answer. It stands between the client library and HTTP: the library says neither what
// status an answer had nor whether its body was an event stream at all.
type exchange struct {
	client     *Client
	patience   *patience
	body       *patientBody
	sent       bool
	status     int
	errorBody  []byte // of an answer that is not success
	retryAfter time.Duration
}

func (x *exchange) failed() bool { return x.status != 0 && (x.status < 200 || x.status > 299) }

// Do sends a request and reads a failure whole, bounded. The body of a success is handed on as clean events.
func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	for key, values := range *x.client.headers {
		req.Header[key] = values
	}
	x.sent = true
	x.patience.start()
	resp, err := x.client.http.Do(req)
	x.patience.stop()
	if err != nil {
		return nil, err
	}
	x.status = resp.StatusCode
	x.body = &patientBody{ReadCloser: resp.Body, patience: x.patience}
	resp.Body = x.body
	if x.failed() {
		x.retryAfter = retryAfter(resp.Header, time.Now())
		// A body that breaks off still came with its status, which says more.
		x.errorBody, _ = io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
		_ = resp.Body.Close()
		resp.Body = io.NopCloser(bytes.NewReader(nil))
		// The library takes 3xx for success.
		resp.StatusCode = max(resp.StatusCode, http.StatusBadRequest)
		return resp, nil
	}
	if req.Method == http.MethodPost {
		resp.Body = newEvents(x.client.secrets, resp.Body)
	}
	return resp, nil
}

// serverWords returns what a server says of a failure, in any of the shapes in which servers do; "" for a web page.
func serverWords(hide *secrets, body []byte) string {
	var shape struct {
		Error   json.RawMessage `json:"error"`
		Message json.RawMessage `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(body, &shape) != nil {
		text := strings.TrimSpace(string(body))
		if strings.HasPrefix(text, "<") {
			return ""
		}
		return cutText(hide, text)
	}
	for _, raw := range []json.RawMessage{shape.Error, shape.Message, shape.Detail} {
		if words := errorWords(hide, raw); words != "" {
			return words
		}
	}
	return cutText(hide, string(body))
}

// reported reports whether an error value is one: servers also send empty ones with replies that are in order.
func reported(raw json.RawMessage) bool {
	var bare []byte // without white space
	for _, c := range raw {
		if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
			continue
		}
		if bare = append(bare, c); len(bare) > len("false") {
			return true
		}
	}
	switch string(bare) {
	case "", "null", "false", "0", `""`, "{}", "[]":
		return false
	}
	return true
}

// errorWords returns the message of an error value: a text, or an object that has one.
func errorWords(hide *secrets, raw json.RawMessage) string {
	if !reported(raw) {
		return ""
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return cutText(hide, text)
	}
	var object struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(raw, &object) == nil && object.Message != "" {
		return cutText(hide, object.Message)
	}
	return cutText(hide, string(raw))
}

// codeNoQuota is the code of an error that no waiting mends.
const codeNoQuota = "insufficient_quota"

// errorCode returns the code of an error, where it has one that is a word.
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

// cutText makes one short line of what a server says.
func cutText(hide *secrets, s string) string { return hide.Line(s, maxWords) }
