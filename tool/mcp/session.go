package mcp

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/vcpgo/vcp/internal/redact"
)

const (
	// handshakeVersion is the newest protocol version with an initialize handshake. It is tried
	// first, since some servers exit if the first request is not initialize.
	handshakeVersion = "2025-11-25"
	// pingTime is the time between two pings of a server over HTTP. Without them, a server that
	// disappears is not noticed.
	pingTime = 30 * time.Second
	// maxFailedPings is how many pings in a row may fail before the session ends.
	maxFailedPings = 2
	// reconnects limits how often the SDK tries to resume a stream of events. Then the session
	// ends.
	reconnects = 2
)

// session is one connection to a server, from its handshake until it is lost.
type session struct {
	*sdk.ClientSession
	config   *Config
	redactor *redact.Redactor
	listing  *listing
	backlog  *backlog
	output   *output
	changed  chan struct{} // receives a value after the server announced a change
	progress *progressTable

	life context.Context         // ends when the connection is lost, or when disconnect begins
	end  context.CancelCauseFunc // ends life
	done chan struct{}           // closed after the SDK's session has ended

	cleanUp func() // ends what the transport has started
}

// errClosed is the cause of the session's end if disconnect ended it.
var errClosed = errorf("the connection was closed")

// connect connects to the server and runs the handshake of the protocol. ctx limits the handshake,
// not the session. The caller must call disconnect. The error is for people and contains no secret.
func connect(ctx context.Context, c *Config, r *redact.Redactor) (*session, error) {
	s, rejected, err := connectWith(ctx, c, r, handshakeVersion)
	if rejected { // the server may have no such handshake
		if newer, _, newErr := connectWith(ctx, c, r, ""); newErr == nil {
			return newer, nil
		}
	}
	return s, err
}

// connectWith connects with one version of the protocol; "" is the newest. rejected reports that
// the server answered the handshake with an error, so that another version may work.
func connectWith(ctx context.Context, c *Config, r *redact.Redactor, version string) (_ *session, rejected bool, _ error) {
	l := &listing{}
	l.forget() // creates its maps
	s := &session{
		config: c, redactor: r, listing: l, backlog: &backlog{}, output: newOutput(),
		changed: make(chan struct{}, 1), progress: &progressTable{}, done: make(chan struct{}),
	}
	s.life, s.end = context.WithCancelCause(context.Background())
	// Handlers are set before connecting, since servers announce changes at once.
	client := sdk.NewClient(&sdk.Implementation{Name: "vcp", Version: "1"}, s.options())
	d := &delivery{}
	var transport sdk.Transport
	transport, s.cleanUp = s.newTransport()
	var err error
	options := &sdk.ClientSessionOptions{ProtocolVersion: version}
	s.ClientSession, err = client.Connect(withDelivery(ctx, d), transport, options)
	if err != nil {
		s.end(err)
		s.cleanUp() // the SDK does not clean up after every error
		var refusal *jsonrpc.Error
		rejected := errors.As(err, &refusal) || d.outcome().bad
		return nil, rejected, s.explain(ctx, d, errorf("handshake"), context.Cause(s.life))
	}
	go func() {
		err := s.Wait()
		if err == nil {
			err = errorf("the server closed the connection")
		}
		s.end(err)
		close(s.done)
	}()
	return s, false, nil
}

// newTransport returns a transport to the server, and a function that ends what it has started.
func (s *session) newTransport() (t sdk.Transport, end func()) {
	if s.config.URL == "" {
		child := &childTransport{session: s}
		return child, child.end
	}
	client := newHTTPClient(s)
	t = &sdk.StreamableClientTransport{
		Endpoint: s.config.URL, HTTPClient: client, MaxRetries: reconnects, MaxEventSize: maxMessage,
	}
	return t, client.CloseIdleConnections
}

// received tells the listing and the backlog about a message of the server, whose text has size
// bytes. If the backlog exceeds a limit, received ends the session and returns the reason.
func (s *session) received(m jsonrpc.Message, size int) error {
	s.listing.received(m)
	err := s.backlog.received(m, size)
	if err != nil {
		s.end(err)
	}
	return err
}

func (s *session) options() *sdk.ClientOptions {
	o := &sdk.ClientOptions{
		Logger:                 slog.New(slog.DiscardHandler),
		Capabilities:           &sdk.ClientCapabilities{}, // no roots, no sampling, no elicitation
		MultiRoundTrip:         &sdk.MultiRoundTripOptions{Disabled: true},
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { notify(s.changed) },
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			s.progress.report(r.Params)
		},
	}
	if s.config.Prompts {
		o.PromptListChangedHandler = func(context.Context, *sdk.PromptListChangedRequest) { notify(s.changed) }
	}
	if s.config.URL != "" {
		o.KeepAlive, o.KeepAliveFailureThreshold = pingTime, maxFailedPings
	}
	return o
}

// notify sends a value to a channel with a buffer, unless a value is waiting already.
func notify(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// explain returns an explanation of the failure that d recorded, or else of err. step names the
// request that failed, for the case that ctx reached its deadline.
func (s *session) explain(ctx context.Context, d *delivery, step, err error) error {
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		// The timeout may have ended the server, so its exit status explains nothing.
		timeout := errorf("the server did not answer the %v within %v", step, s.config.ConnectTimeout)
		return newExplanation(s.redactor, timeout, 2*shownOutput, s.output.report(s.redactor)...)
	}
	return newExplanation(s.redactor, cmp.Or(d.outcome().err, err), 2*shownOutput, s.processReport()...)
}

// processReport returns what is known about the server's process.
func (s *session) processReport() []error {
	return append(s.output.exitReport(), s.output.report(s.redactor)...)
}

// exitWait limits how long a failed call waits for the server's exit. The exit status may explain
// the failure.
const exitWait = time.Second

// explainLoss returns an explanation of the error that ended the connection. It waits at most
// exitWait for the server's exit.
func (s *session) explainLoss(ctx context.Context, err error) error {
	timeout := time.NewTimer(exitWait)
	defer timeout.Stop()
	select {
	case <-s.done:
	case <-timeout.C:
	case <-ctx.Done():
	}
	return newExplanation(s.redactor, err, shownOutput, s.processReport()...)
}

// requestContext returns a context for one request. It ends when ctx or the session ends.
func (s *session) requestContext(ctx context.Context, d *delivery) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(withDelivery(ctx, d))
	stop := context.AfterFunc(s.life, func() { cancel(context.Cause(s.life)) })
	return ctx, func() {
		stop()
		cancel(context.Canceled)
	}
}

// disconnect ends the session and its requests, and waits until the session has ended. If the
// server is a child process, disconnect also waits for its exit.
func (s *session) disconnect() {
	s.end(errClosed)
	_ = s.Close()
	<-s.done
	s.cleanUp()
}
