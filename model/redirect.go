package model

import "net/http"

// maxRedirects is how many redirects of one request are followed.
const maxRedirects = 5

// redirectError is a redirect that is not followed.
type redirectError struct{ reason string }

func (e *redirectError) Error() string { return "the server redirects " + e.reason }

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
