package model

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// DefaultRetries is how often a request is sent again where Options do not say: enough to get over the restart of a server or a
	// short crowd, few enough that a person still waits for the error.
	DefaultRetries = 2
	// DefaultMaxRetryWait is how long a server may ask to be left alone where Options do not say. A person who waits for an answer
	// would rather be told.
	DefaultMaxRetryWait = time.Minute

	// firstWait is the longest wait before the second attempt; each further one may be twice as long, up to longestWait.
	firstWait   = 500 * time.Millisecond
	longestWait = 8 * time.Second
)

// An attempt is what came of one request.
type attempt struct {
	err       *Error // nil: the answer ended in good order
	delivered bool   // some of the answer has been given on, so it cannot be asked for again
	finished  bool   // the answer is complete
}

// settled reports whether no further attempt can help.
func (a *attempt) settled() bool {
	if a.delivered || a.finished {
		return true
	}
	return a.err != nil && !a.err.temporary
}

// persist makes attempts until one settles the matter, all are used up, or ctx ends.
func (c *Client) persist(ctx context.Context, op string, send func() attempt) *Error {
	for number := 1; ; number++ {
		a := send()
		if a.err != nil {
			a.err.Attempts = number
		}
		if a.settled() || number > c.retries {
			return c.sum(a.err)
		}
		wait, ok := c.wait(number, a.err)
		if deadline, bounded := ctx.Deadline(); !ok || bounded && time.Until(deadline) < wait {
			return c.sum(a.err)
		}
		c.log.LogAttrs(ctx, slog.LevelWarn, "model request failed, trying again",
			slog.String("server", c.baseURL), slog.Int("attempt", number), slog.Duration("wait", wait.Round(time.Millisecond)),
			slog.String("reason", a.reason()))
		if !sleep(ctx, wait) {
			return c.fail(ctx, op, &exchange{client: c}, ctx.Err())
		}
	}
}

func (a *attempt) reason() string {
	if a.err == nil {
		return "the answer ended before its first word"
	}
	return a.err.Message
}

// wait returns how long to wait after the failure of an attempt; ok is false where the server asks for more than is granted. The wait
// that a server asks for is kept to, and some is added to either kind, so that clients that failed together do not come back together.
func (c *Client) wait(number int, err *Error) (wait time.Duration, ok bool) {
	longest := min(firstWait<<min(number-1, 10), longestWait)
	wait = longest/2 + rand.N(longest/2)
	if err == nil || err.RetryAfter <= 0 {
		return wait, true
	}
	if err.RetryAfter > c.maxWait {
		return 0, false
	}
	return err.RetryAfter + min(wait/2, forever-err.RetryAfter), true
}

// sleep reports whether d passed before ctx ended.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// sum adds to the message what the attempts came to. It takes and returns nil.
func (c *Client) sum(e *Error) *Error {
	if e == nil {
		return nil
	}
	message := e.Message
	if e.RetryAfter > 0 {
		message += fmt.Sprintf(" (the server asks for a pause of %s)", e.RetryAfter.Round(time.Second))
	}
	if e.Attempts > 1 {
		message += fmt.Sprintf(" (%d attempts)", e.Attempts)
	}
	return newError(c.secrets, *e, "%s", message)
}

// retryAfter returns how long a server asks to be left alone; 0 where it does not say, or says something that is no time.
func retryAfter(h http.Header, now time.Time) time.Duration {
	// Some servers add this one, which is the finer of the two.
	if d := pause(h.Get("Retry-After-Ms"), time.Millisecond); d > 0 {
		return d
	}
	value := h.Get("Retry-After")
	if at, err := http.ParseTime(strings.TrimSpace(value)); err == nil {
		return max(0, at.Sub(now))
	}
	return pause(value, time.Second)
}

// forever is the most that a Duration holds.
const forever time.Duration = math.MaxInt64

// pause reads a number of units, with or without decimals; 0 is anything else. What a Duration does not hold is forever.
func pause(value string, unit time.Duration) time.Duration {
	value = strings.TrimSpace(value)
	if strings.Trim(value, "0123456789.") != "" {
		return 0
	}
	n, err := strconv.ParseFloat(value, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0
	}
	if n *= float64(unit); n >= float64(forever) {
		return forever
	}
	return time.Duration(n)
}

// temporaryStatus reports whether the same request may fare better later.
func temporaryStatus(status int, body []byte) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooEarly:
		return true
	case http.StatusTooManyRequests:
		// The money is gone, and not only the moment wrong.
		return errorCode(body) != codeNoQuota
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return false
	}
	return status >= 500
}

// temporaryConnect reports whether a server that could not be reached may be there a moment later: one that is being started refuses
// connections, while a wrong name or certificate stays wrong.
func temporaryConnect(err error) bool {
	var (
		redirect *redirectError
		dns      *net.DNSError
		op       *net.OpError
	)
	switch {
	case errors.As(err, &redirect):
		return false
	case errors.As(err, &dns):
		return dns.IsTemporary || dns.IsTimeout
	case errors.As(err, &op):
		return op.Op == "dial" || op.Op == "read" || op.Op == "write" // not what TLS says
	}
	return closedEarly(err)
}
