package mcp

import (
	"context"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const (
	// maxDecoded limits the messages that sentMessage decodes, in bytes.
	maxDecoded = 64 << 10
	// maxHeader limits the header of a response, in bytes.
	maxHeader = 256 << 10
	// maxRedirects limits the redirects of one request.
	maxRedirects = 3
)

// newHTTPClient returns the client for a server that is reached by its URL. It adds the configured
// headers to requests, does not follow redirects to other origins, records the delivery of each
// request, and limits the size of responses.
func newHTTPClient(s *session) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone() // the default is a *http.Transport
	transport.MaxResponseHeaderBytes = maxHeader
	transport.ResponseHeaderTimeout = 0 // a call may take long before the response begins
	transport.TLSHandshakeTimeout = 10 * time.Second
	return &http.Client{
		Transport:     &roundTripper{transport, s},
		CheckRedirect: sameOrigin,
	}
}

// sameOrigin refuses redirects to other origins, which would get the configured headers. It also
// limits the number of redirects.
func sameOrigin(next *http.Request, earlier []*http.Request) error {
	firstURL := earlier[0].URL
	switch {
	case len(earlier) > maxRedirects:
		return errorf("the server redirects more than %d times", maxRedirects)
	case next.URL.Scheme != firstURL.Scheme || next.URL.Host != firstURL.Host:
		return errorf("the server redirects to another origin, %s; configure that url if it is right", origin(next.URL))
	}
	return nil
}

func origin(u *url.URL) string { return u.Scheme + "://" + u.Host }

// roundTripper adds the configured headers to each request, and records the request's delivery. It
// tells the listing and the backlog of the session about the messages.
type roundTripper struct {
	*http.Transport
	session *session
}

// RoundTrip implements http.RoundTripper.
func (t *roundTripper) RoundTrip(r *http.Request) (*http.Response, error) {
	d := deliveryFrom(r.Context())
	message := sentMessage(r)
	t.session.listing.sent(message)
	ctx, cancel := context.WithCancel(r.Context())
	stop := func() bool { return true }
	if _, ok := message.(*jsonrpc.Response); ok {
		// The SDK sends a response without a deadline, and its Close waits until the response is
		// sent. So the end of the session cancels the response.
		stop = context.AfterFunc(t.session.life, cancel)
		defer t.session.backlog.answered()
	}
	release := func() {
		stop()
		cancel()
	}
	r = r.Clone(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { d.begin() },
	}))
	for name, value := range t.session.config.Headers {
		r.Header.Set(name, value)
	}
	resp, err := t.Transport.RoundTrip(r)
	if err != nil {
		release()
		d.fail(err)
		return nil, err
	}
	body := &responseBody{body: resp.Body, delivery: d, left: maxMessage, release: release}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if kind == "text/event-stream" {
		body.left = -1 // the decoder and the SDK limit each event
		body.messages = &messageDecoder{isEvents: true, received: t.session.received}
	} else if request, ok := message.(*jsonrpc.Request); ok && request.Method == methodListTools {
		body.messages = &messageDecoder{received: t.session.received}
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

// sentMessage returns the message that an HTTP request sends, or nil if it sends none, or one of
// more than maxDecoded bytes.
func sentMessage(r *http.Request) jsonrpc.Message {
	if r.Method != http.MethodPost || r.GetBody == nil || r.ContentLength > maxDecoded {
		return nil
	}
	body, err := r.GetBody()
	if err != nil {
		return nil
	}
	defer body.Close()
	text, _ := io.ReadAll(io.LimitReader(body, maxDecoded))
	m, _ := jsonrpc.DecodeMessage(text) // nil for a part of a message
	return m
}
