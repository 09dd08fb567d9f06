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
)

// fail returns the error with which an exchange ended. ctx is the context of its request.
func (x *exchange) fail(ctx context.Context, err error) *Error {
	var (
		f       *fault
		timeout *timeoutError
	)
	switch {
	case errors.As(context.Cause(ctx), &timeout):
		f = &fault{kind: KindTimeout, message: say("is too slow: %v", timeout), err: timeout}
	case ctx.Err() != nil:
		f = canceledFault(ctx)
	case errors.As(err, &f):
	case x.status != 0:
		cause := innermost(err)
		f = &fault{
			kind: KindTruncated, message: say("broke off in the middle of its response (%v)", cause),
			err: cause, temporary: true,
		}
	default:
		f = connectFault(err)
	}
	e := Error{Op: x.op, URL: x.name, Status: x.status, Kind: f.kind, Err: f.err, temporary: f.temporary}
	if f.kind == KindStatus {
		e.RetryAfter = x.retryAfter
	}
	return newError(x.secrets, e, "%s %v", x.name, f.message)
}

func canceledFault(ctx context.Context) *fault {
	err := ctx.Err()
	if cause := context.Cause(ctx); !errors.Is(cause, err) {
		err = fmt.Errorf("%w: %w", err, cause)
	}
	return &fault{kind: KindCanceled, message: say("did not finish: %v", err), err: err}
}

// connectFault says why no response arrived.
func connectFault(err error) *fault {
	var (
		dns      *net.DNSError
		unknown  x509.UnknownAuthorityError
		hostname x509.HostnameError
		invalid  x509.CertificateInvalidError
		netErr   net.Error
	)
	cause := innermost(err)
	reason := say("%v", cause)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		reason = say("connection refused; is the server running? Start it, or give another base URL")
	case errors.As(err, &dns):
		reason = say("there is no host %s; is the base URL right, and the network up?", dns.Name)
	case errors.Is(err, http.ErrSchemeMismatch):
		reason = say("the server does not speak TLS; write http:// instead of https://")
	case errors.As(err, &unknown), errors.As(err, &hostname), errors.As(err, &invalid):
		reason = say("its certificate is not trusted: %v", cause)
	case errors.As(err, &netErr) && netErr.Timeout():
		reason = say("no response in time")
	case closedEarly(err):
		reason = say("the connection was closed without a response; is this the port of a model server?")
	}
	return &fault{
		kind: KindConnect, message: say("cannot be reached: %v", reason), err: cause,
		temporary: temporaryConnect(err),
	}
}

// temporaryConnect reports whether a later request may reach the server. A server that is starting
// refuses connections, but a wrong name or certificate stays wrong.
func temporaryConnect(err error) bool {
	var (
		dns *net.DNSError
		op  *net.OpError
	)
	switch {
	case errors.As(err, &dns):
		return dns.IsTemporary || dns.IsTimeout
	case errors.As(err, &op):
		return op.Op == "dial" || op.Op == "read" || op.Op == "write" // the other operations belong to TLS
	}
	return closedEarly(err)
}

// closedEarly reports whether the server closed the connection before its response.
func closedEarly(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET)
}

// innermost returns the error that all others wrap. The outer errors repeat what was sent.
func innermost(err error) error {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err
}
