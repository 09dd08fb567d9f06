package model

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/redact"
)

// Limits of a server's responses, in bytes, so that a broken server cannot fill memory.
const (
	maxHeader    = 256 << 10 // the header of a response
	maxErrorBody = 64 << 10  // the body of a response with an error status
	maxSilent    = 64 << 20  // a part of a body without a piece of a reply
)

// An endpoint is the API of one server. It is safe for concurrent use and never changes.
type endpoint struct {
	base    string // the base URL, which may contain a password
	name    string // the base URL in messages
	header  http.Header
	http    *http.Client
	ownHTTP bool // http has a transport of its own

	secretValues []string
	secrets      *secrets // of secretValues

	retries                int
	maxWait, idle, timeout time.Duration
	log                    *slog.Logger
}

// newEndpoint returns the endpoint that options name, or an *Error of kind KindOptions.
func newEndpoint(o Options) (*endpoint, error) {
	base := strings.TrimRight(strings.TrimSpace(o.BaseURL), "/")
	u, err := url.Parse(base)
	values := secretValues(o.APIKey, o.Headers, u)
	s := &endpoint{
		base: base, header: http.Header{}, secretValues: values, secrets: redact.New(values...),
		retries: max(0, cmp.Or(o.Retries, DefaultRetries)), maxWait: cmp.Or(o.MaxRetryWait, DefaultMaxRetryWait),
		idle: timeLimit(o.IdleTimeout, DefaultIdleTimeout), timeout: timeLimit(o.Timeout, DefaultTimeout),
		log: cmp.Or(o.Logger, slog.Default()),
	}
	s.name = s.secrets.Line(safeURL(base), maxServerText)
	bad := Error{Op: "new", Kind: KindOptions}
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || !validPort(u.Port()):
		return nil, newError(s.secrets, bad, "the base URL %q is not valid; write it like http://127.0.0.1:11434/v1",
			safeURL(base))
	case u.RawQuery != "" || u.Fragment != "":
		return nil, newError(s.secrets, bad, "the base URL %s has a query or a fragment; remove the ? or # and what follows",
			safeURL(base))
	}
	// A key that was read from a file often ends in a line break, which no header may contain.
	if key := strings.TrimSpace(o.APIKey); key != "" {
		s.header.Set("Authorization", "Bearer "+key)
	}
	for name, values := range o.Headers.Clone() {
		s.header[http.CanonicalHeaderKey(name)] = values
	}
	s.http, s.ownHTTP = httpClient(o.HTTPClient)
	return s, nil
}

// validPort reports whether the port of a URL is "" or a number that a port can have.
func validPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil && n > 0
}

// httpClient returns a client that sends headers to no other host, unless the given one decides
// about redirects itself. own reports whether given is nil.
func httpClient(given *http.Client) (client *http.Client, own bool) {
	client = &http.Client{}
	if given != nil {
		*client = *given
	} else if t, ok := http.DefaultTransport.(*http.Transport); ok {
		t = t.Clone()
		t.MaxResponseHeaderBytes = maxHeader
		client.Transport = t
	}
	client.CheckRedirect = withSameMethod(client.CheckRedirect)
	return client, given == nil
}

// An exchange is one request and its response. After send, Read reads the response's body.
type exchange struct {
	*endpoint
	op          string      // for errors
	timer       *time.Timer // runs while the server is waited for
	status      int         // 0 until a response arrives
	errorBody   []byte
	retryAfter  time.Duration
	body        io.ReadCloser
	silentBytes int           // of the body since the last piece of a reply
	waitLeft    time.Duration // how long all further reads of the body together may take
}

// newExchange returns an exchange that is canceled if the server is silent for too long.
func (s *endpoint) newExchange(op string, cancel context.CancelCauseFunc) *exchange {
	timer := newIdleTimer(s.idle, cancel)
	return &exchange{endpoint: s, op: op, timer: timer, body: http.NoBody, waitLeft: maxDuration}
}

// send sends a request with a JSON body, or without one if payload is nil. An error status is an
// error. The caller closes the exchange.
func (x *exchange) send(ctx context.Context, method, path, accept string, payload any) error {
	var content io.Reader = http.NoBody
	if payload != nil {
		raw, err := json.Marshal(payload)
		if err != nil {
			return requestFault(err)
		}
		content = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(ctx, method, x.base+path, content)
	if err != nil {
		return requestFault(err)
	}
	req.Header.Set("Accept", accept)
	if payload != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(req.Header, x.header)
	x.timer.Reset(x.idle)
	resp, err := x.http.Do(req) //nolint:bodyclose // close does
	x.timer.Stop()
	if err != nil {
		return err
	}
	x.status, x.body = resp.StatusCode, resp.Body
	if x.status >= 200 && x.status <= 299 {
		return nil
	}
	x.retryAfter = retryAfter(resp.Header, time.Now())
	// If the body cannot be read to its end, the status says more than that error.
	x.errorBody, _ = io.ReadAll(io.LimitReader(x, maxErrorBody))
	return statusFault(x.secrets, x.status, x.errorBody, len(x.header) > 0)
}

// requestFault returns the fault for a request that cannot be made.
func requestFault(err error) *fault {
	return &fault{kind: KindOptions, message: say("cannot be sent the request: %v", err), err: err}
}

// Read reads the body of the response. Each call may take as long as the server may be silent, and
// all calls together waitLeft. The time between the calls does not count.
func (x *exchange) Read(p []byte) (int, error) {
	if x.silentBytes > maxSilent {
		return 0, faultf(KindResponse, "sent more than %d bytes without a piece of a reply", maxSilent)
	}
	begun := time.Now()
	x.timer.Reset(min(x.idle, x.waitLeft))
	defer x.timer.Stop()
	n, err := x.body.Read(p)
	x.silentBytes += n
	x.waitLeft -= time.Since(begun)
	return n, err
}

// close ends the exchange, and the connection if the body was not read to its end.
func (x *exchange) close() {
	x.timer.Stop()
	_ = x.body.Close()
}
