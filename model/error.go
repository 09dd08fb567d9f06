package model

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
	"time"
)

// Kind says what sort of thing went wrong.
type Kind string

const (
	// KindOptions are options that cannot be used.
	KindOptions Kind = "options"
	// KindConnect is a server that cannot be reached.
	KindConnect Kind = "connect"
	// KindStatus is an answer with an HTTP status that is not success.
	KindStatus Kind = "status"
	// KindModel is a model that the server does not have, or a choice that was not made.
	KindModel Kind = "model"
	// KindAnswer is an answer that is no reply of a model: a web page, an empty body, broken JSON.
	KindAnswer Kind = "answer"
	// KindServer is an error that the server reported inside of an answer.
	KindServer Kind = "server"
	// KindCut is a connection that broke off in the middle of an answer.
	KindCut Kind = "cut"
	// KindTimeout is a server that was silent for too long, or a reply that took too long: Options.IdleTimeout or Options.Timeout.
	KindTimeout Kind = "timeout"
	// KindCanceled is a context that ended; errors.Is tells which way.
	KindCanceled Kind = "canceled"
)

// Error is every error of this package. It shows no 8 bytes of a secret that Options held, in the spellings that docs/models.md names.
type Error struct {
	Op     string // "chat", "models" or "new"
	Kind   Kind
	URL    string // what was asked, without secrets; "" where nothing was
	Status int    // the HTTP status; 0 where none came
	// Attempts is how many requests were sent for it, those before included.
	Attempts int
	// RetryAfter is how long the server asked to be left alone; 0 where it did not.
	RetryAfter time.Duration
	// Message is one line of at most 2 KiB that names what went wrong and the way out, without control characters.
	Message string
	// Err is the innermost cause, nil where the answer itself is the cause: outer ones repeat what was sent.
	Err error

	temporary bool // the same request may fare better a moment later
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// bodyError is trouble found while an answer is read.
type bodyError struct {
	kind      Kind
	message   string
	err       error
	temporary bool
}

func (e *bodyError) Error() string { return e.message }
func (e *bodyError) Unwrap() error { return e.err }

// fail makes an *Error of whatever a request ended with. ctx is the one that the request was sent with.
func (c *Client) fail(ctx context.Context, op string, x *exchange, err error) *Error {
	e := Error{Op: op, URL: c.baseURL, Status: x.status}
	var (
		body    *bodyError
		timeout *timeoutError
		message string
	)
	switch {
	case errors.As(context.Cause(ctx), &timeout):
		e.Kind, e.Err = KindTimeout, timeout
		message = c.baseURL + " is too slow: " + timeout.Error()
	case ctx.Err() != nil:
		e.Kind, e.Err = KindCanceled, ctx.Err()
		if cause := context.Cause(ctx); !errors.Is(cause, e.Err) {
			e.Err = fmt.Errorf("%w: %w", e.Err, cause)
		}
		message = "the request to " + c.baseURL + " was ended: " + e.Err.Error()
	case !x.sent:
		e.Kind, e.Err = KindOptions, err
		message = "the request cannot be made: " + err.Error()
	case x.failed():
		e.Kind, e.RetryAfter = KindStatus, x.retryAfter
		e.temporary = temporaryStatus(x.status, x.errorBody)
		message = c.statusMessage(x)
	case errors.As(err, &body):
		e.Kind, e.Err, e.temporary = body.kind, body.err, body.temporary
		message = c.baseURL + " " + body.message
	case x.status != 0:
		e.Kind, e.Err, e.temporary = KindCut, innermost(err), true
		message = fmt.Sprintf("the connection to %s broke off in the middle of the answer (%s)", c.baseURL, plainCause(err))
	default:
		e.Kind, e.Err, e.temporary = KindConnect, innermost(err), temporaryConnect(err)
		message = c.connectMessage(err)
	}
	return newError(c.secrets, e, "%s", message)
}

// connectMessage says why there was no answer at all.
func (c *Client) connectMessage(err error) string {
	var (
		dns      *net.DNSError
		redirect *redirectError
		unknown  x509.UnknownAuthorityError
		hostname x509.HostnameError
		invalid  x509.CertificateInvalidError
		netErr   net.Error
	)
	prefix := "cannot reach " + c.baseURL + ": "
	switch {
	case errors.As(err, &redirect):
		return prefix + redirect.Error()
	case errors.Is(err, syscall.ECONNREFUSED):
		return prefix + "connection refused; is the server running? Start it, or give the base URL of another"
	case errors.As(err, &dns):
		return prefix + "no host is named " + dns.Name + "; is the base URL right, and the network there?"
	case errors.Is(err, http.ErrSchemeMismatch):
		return prefix + "the server does not speak TLS; write http:// instead of https://"
	case errors.As(err, &unknown), errors.As(err, &hostname), errors.As(err, &invalid):
		return prefix + "its certificate is not to be trusted: " + plainCause(err)
	case errors.As(err, &netErr) && netErr.Timeout():
		return prefix + "no answer in time"
	case closedEarly(err):
		return prefix + "the connection was closed without an answer; is this the port of a model server?"
	}
	return prefix + plainCause(err)
}

// closedEarly reports whether the server closed the connection where an answer should have come.
func closedEarly(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET)
}

// statusMessage says what an HTTP status that is not success means, with the server's own words where it gave some.
func (c *Client) statusMessage(x *exchange) string {
	said := ""
	if words := serverWords(c.secrets, x.errorBody); words != "" {
		said = ": " + words
	}
	status := fmt.Sprintf("(%d %s)", x.status, http.StatusText(x.status))
	switch {
	case x.status == http.StatusUnauthorized && c.authorization == nil && len(*c.headers) == 0:
		return fmt.Sprintf("%s refuses access %s%s; no API key was sent", c.baseURL, status, said)
	case x.status == http.StatusUnauthorized || x.status == http.StatusForbidden:
		return fmt.Sprintf("%s refuses access %s%s; check the API key", c.baseURL, status, said)
	case x.status == http.StatusNotFound || x.status == http.StatusMethodNotAllowed:
		return fmt.Sprintf("%s has no such address %s%s; is the base URL right? It usually ends in /v1", c.baseURL, status, said)
	case x.status == http.StatusTooManyRequests && errorCode(x.errorBody) == codeNoQuota:
		return fmt.Sprintf("%s answers no more, since the quota is used up %s%s; look at the account's plan and billing there", c.baseURL, status, said)
	case x.status == http.StatusTooManyRequests:
		return fmt.Sprintf("%s takes no more requests for now %s%s; try again later", c.baseURL, status, said)
	case x.status >= 500:
		return fmt.Sprintf("%s failed %s%s; its log may tell why", c.baseURL, status, said)
	}
	return fmt.Sprintf("%s refuses the request %s%s", c.baseURL, status, said)
}

// plainCause returns the innermost text of an error: the outer ones repeat URLs.
func plainCause(err error) string { return innermost(err).Error() }

// innermost returns the error that all others wrap: those repeat what was sent.
func innermost(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
