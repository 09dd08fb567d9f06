package model

import (
	"net/http"

	"github.com/vcpgo/vcp/internal/message"
)

// endlessRedirects is the number of redirects of one request that counts as endless.
const endlessRedirects = 5

func refusedRedirect(reason *message.Text) error { return say("the server redirects %v", reason) }

// redirectPolicy decides whether an http.Client follows a redirect.
type redirectPolicy func(next *http.Request, via []*http.Request) error

// withSameMethod returns a policy that also refuses redirects that change the HTTP method. A nil
// policy means sameServer.
func withSameMethod(policy redirectPolicy) redirectPolicy {
	if policy == nil {
		policy = sameServer
	}
	return func(next *http.Request, via []*http.Request) error {
		if err := policy(next, via); err != nil {
			return err
		}
		if next.Method == via[0].Method {
			return nil
		}
		// A GET in place of a POST would lose the request's body.
		return refusedRedirect(say(
			"with status %d to %s, which drops the content of the request; if that is the right address, give its base URL",
			next.Response.StatusCode, safeURL(next.URL.String())))
	}
}

// sameServer refuses redirects to another host and from https to http, even if no key is sent, and
// endless ones.
func sameServer(next *http.Request, via []*http.Request) error {
	switch from := via[len(via)-1].URL; {
	case next.URL.Host != via[0].URL.Host:
		return refusedRedirect(say(
			"to %s, and a key is not sent to another host; if it is the right one, give its base URL", next.URL.Host))
	case from.Scheme == "https" && next.URL.Scheme != "https":
		return refusedRedirect(say("from https to %s, and others on the way could read a key; "+
			"fix the redirect there, or give a base URL that needs none", next.URL.Scheme))
	case len(via) >= endlessRedirects:
		return refusedRedirect(say("without end"))
	}
	return nil
}
