package model

import (
	"fmt"
	"net/http"
)

// maxRedirects is how many redirects of one request are followed.
const maxRedirects = 5

// redirectError is a redirect that is not followed.
type redirectError struct{ reason string }

func (e *redirectError) Error() string { return "the server redirects " + e.reason }

// followed returns what decides whether a redirect is followed. given is what the client came with; nil is sameServer.
func followed(given func(*http.Request, []*http.Request) error) func(*http.Request, []*http.Request) error {
	if given == nil {
		given = sameServer
	}
	return func(req *http.Request, via []*http.Request) error {
		if err := given(req, via); err != nil {
			return err
		}
		return sameMethod(req, via)
	}
}

// sameServer refuses redirects that would carry a key to where it does not belong.
func sameServer(req *http.Request, via []*http.Request) error {
	switch from := via[len(via)-1].URL; {
	case req.URL.Host != via[0].URL.Host:
		return &redirectError{"to " + req.URL.Host + ", and a key is not carried to another host: give the base URL of that host if it is the right one"}
	case from.Scheme == "https" && req.URL.Scheme != "https":
		return &redirectError{"from https to " + req.URL.Scheme + ", where anyone on the way could read a key: mend the redirect there, or give a base URL without one"}
	case len(via) >= maxRedirects:
		return &redirectError{"without end"}
	}
	return nil
}

// sameMethod refuses redirects that make a GET of a POST: the answer would be to another question than the one that was asked.
func sameMethod(req *http.Request, via []*http.Request) error {
	if req.Method == via[0].Method {
		return nil
	}
	return &redirectError{fmt.Sprintf("with status %d to %s, which takes the content out of the request: if that is the right address, give its base URL",
		req.Response.StatusCode, safeURL(req.URL.String()))}
}
