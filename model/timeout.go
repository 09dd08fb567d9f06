package model

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"
)

const (
	// DefaultIdleTimeout is how long a server may be silent where Options do not say. A large model that reads a long prompt on a small
	// machine sends nothing for minutes.
	DefaultIdleTimeout = 5 * time.Minute
	// DefaultTimeout is how long a reply may take in all where Options do not say. It only ends what would never end.
	DefaultTimeout = time.Hour
)

// timeoutError is a bound on time that was passed. It is a context.DeadlineExceeded to errors.Is.
type timeoutError struct {
	idle  bool
	after time.Duration
}

func (e *timeoutError) Error() string {
	if e.idle {
		return fmt.Sprintf("it sent nothing for %s", e.after)
	}
	return fmt.Sprintf("it was not done after %s", e.after)
}

func (*timeoutError) Unwrap() error { return context.DeadlineExceeded }

// within bounds ctx by the time for a whole reply.
func (c *Client) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.timeout < 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, c.timeout, &timeoutError{after: c.timeout})
}

// patience ends a request while which the server is silent for too long. Only time spent waiting for the server counts: whoever reads
// a reply may take as long as they like.
type patience struct {
	timer *time.Timer
	limit time.Duration
}

// newPatience calls cancel when it is at an end. It begins stopped.
func newPatience(limit time.Duration, cancel context.CancelCauseFunc) *patience {
	p := &patience{limit: limit}
	p.timer = time.AfterFunc(math.MaxInt64, func() { cancel(&timeoutError{idle: true, after: limit}) })
	p.timer.Stop()
	return p
}

func (p *patience) start() {
	if p.limit >= 0 {
		p.timer.Reset(p.limit)
	}
}

func (p *patience) stop() { p.timer.Stop() }

// patientBody is a body each read of which may take as long as patience lasts. It ends with an error after maxEmpty bytes without a piece
// of a reply.
type patientBody struct {
	io.ReadCloser
	patience *patience
	empty    int // bytes since the last piece of a reply
}

func (b *patientBody) Read(p []byte) (int, error) {
	if b.empty > maxEmpty {
		return 0, &bodyError{kind: KindAnswer, message: fmt.Sprintf("sent more than %d bytes without a piece of a reply", maxEmpty)}
	}
	b.patience.start()
	defer b.patience.stop()
	n, err := b.ReadCloser.Read(p)
	b.empty += n
	return n, err
}
