package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"time"
)

const (
	// maxListRequest limits the request that asksForList reads, in bytes.
	maxListRequest = 64 << 10
	// maxRedirects limits the redirects of one request.
	maxRedirects = 3
)

// newHTTPClient returns the client for a server that is reached by its URL. It adds the configured
// headers to requests, does not follow redirects to other origins, records the delivery of each
// request, and limits the size of responses. l gets the responses that list tools.
func newHTTPClient(c *Config, l *listing) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone() // the default is a *http.Transport
	transport.MaxResponseHeaderBytes = 256 << 10
	transport.ResponseHeaderTimeout = 0 // a call may take long before the response begins
	transport.TLSHandshakeTimeout = 10 * time.Second
	return &http.Client{
		Transport:     &roundTripper{config: c, listing: l, next: transport},
		CheckRedirect: sameOrigin,
	}
}

// sameOrigin refuses redirects to other origins, which would get the configured headers. It also
// limits the number of redirects.
func sameOrigin(next *http.Request, earlier []*http.Request) error {
	from := earlier[0].URL
	switch {
	case len(earlier) > maxRedirects:
		return errorf("the server redirects more than %d times", maxRedirects)
	case next.URL.Scheme != from.Scheme || next.URL.Host != from.Host:
		return errorf("the server redirects to another origin, %s; configure that url if it is right", origin(next.URL))
	}
	return nil
}

func origin(u *url.URL) string { return u.Scheme + "://" + u.Host }

// roundTripper adds the configured headers to each request, and records the request's delivery.
type roundTripper struct {
	config  *Config
	listing *listing
	next    http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (t *roundTripper) RoundTrip(r *http.Request) (*http.Response, error) {
	d := deliveryFrom(r.Context())
	r = r.Clone(httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { d.begin() },
	}))
	for name, value := range t.config.Headers {
		r.Header.Set(name, value)
	}
	lists := asksForList(r)
	resp, err := t.next.RoundTrip(r)
	if err != nil {
		d.fail(err)
		return nil, err
	}
	body := &responseBody{body: resp.Body, delivery: d, left: maxMessage}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if kind == "text/event-stream" {
		body.left = -1 // the SDK limits each event
	}
	if lists {
		body.copyTo = t.listing.newStream(kind == "text/event-stream")
	}
	switch code := resp.StatusCode; {
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		d.refuse(errorf("the server answers %s; configure the headers that it needs, such as Authorization", resp.Status))
	case code == http.StatusNotFound, code == http.StatusMethodNotAllowed:
		d.refuse(errorf("the server answers %s: it has no such address, or no longer knows the session", resp.Status))
	case code == http.StatusBadRequest:
		d.failBadRequest(errorf("the server answers %s", resp.Status))
	case code >= http.StatusBadRequest:
		d.fail(errorf("the server answers %s", resp.Status))
	}
	resp.Body = body
	return resp, nil
}

// CloseIdleConnections is called by http.Client.CloseIdleConnections.
func (t *roundTripper) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// asksForList reports whether a request asks for the list of tools.
func asksForList(r *http.Request) bool {
	if r.Method != http.MethodPost || r.GetBody == nil || r.ContentLength > maxListRequest {
		return false
	}
	body, err := r.GetBody()
	if err != nil {
		return false
	}
	defer body.Close()
	var m struct {
		Method string `json:"method"`
	}
	text, err := io.ReadAll(io.LimitReader(body, maxListRequest))
	return err == nil && bytes.Contains(text, []byte(methodListTools)) &&
		json.Unmarshal(text, &m) == nil && m.Method == methodListTools
}

// responseBody limits the size of a body, copies the body to copyTo, and records in delivery why
// reading failed.
type responseBody struct {
	body     io.ReadCloser
	delivery *delivery
	left     int // bytes; -1 means no limit
	copyTo   io.Writer
}

// Read implements io.Reader.
func (b *responseBody) Read(p []byte) (int, error) {
	if b.left == 0 {
		b.delivery.fail(errLongMessage)
		return 0, errLongMessage
	}
	if b.left > 0 {
		p = p[:min(len(p), b.left)]
	}
	n, err := b.body.Read(p)
	if b.left > 0 {
		b.left -= n
	}
	if b.copyTo != nil {
		_, _ = b.copyTo.Write(p[:n])
	}
	if err != nil && !errors.Is(err, io.EOF) {
		b.delivery.fail(err)
	}
	return n, err
}

// Close implements io.Closer.
func (b *responseBody) Close() error { return b.body.Close() }
