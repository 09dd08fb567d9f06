package model_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
)

// A reply that is truncated before its whole finish reason arrived ends in an error or without a
// Finished delta. Its text is the beginning of the whole text.
func TestReplyTruncatedAtAnyByteIsNotFinished(t *testing.T) {
	const text = "Let me look.\n<<<[TOOL_REQUEST]>>>\ntool_name:「始」x「末」\n<<<[END_TOOL_REQUEST]>>>"
	whole := modelserver.Pieces(text[:20], text[20:60], text[60:]).Body(true)
	for _, body := range []string{whole, inLines(whole), strings.ReplaceAll(whole, "\n", "\r\n")} {
		truncateStreamEverywhere(t, text, body)
	}
}

// truncateStreamEverywhere requests a stream that is truncated at its bytes, by a lost connection
// and by a clean end.
func truncateStreamEverywhere(t *testing.T, text, body string) {
	t.Helper()
	finishEnd := strings.Index(body, `"finish_reason":"stop"`)
	finishEnd += regexp.MustCompile(`\}\r?\n`).FindStringIndex(body[finishEnd:])[0] + 1 // here the value is whole
	for _, connectionLost := range []bool{true, false} {
		s := modelserver.Start(t)
		c := newClient(t, model.Options{BaseURL: s.URL, Model: "scripted"})
		for _, n := range longtest.Offsets(truncationsPerReply, len(body), 0, finishEnd, len(body)) {
			if connectionLost {
				s.Add(modelserver.RawStream(body).BrokenAfter(n))
			} else {
				s.Add(modelserver.RawStream(body[:n]))
			}
			got, err := ask(t.Context(), c, hello)
			where := fmt.Sprintf("truncated at %d of %d, connection lost %v: %q", n, len(body), connectionLost,
				body[max(0, n-20):n])
			require.True(t, strings.HasPrefix(text, got.Text), where)
			require.Equal(t, n >= finishEnd, got.Finished, where)
			switch {
			case got.Finished:
				require.NoError(t, err, where)
				require.Equal(t, text, got.Text, where)
			case connectionLost:
				require.ErrorIs(t, err, io.ErrUnexpectedEOF, where)
				require.Equal(t, model.KindTruncated, requireError(t, err).Kind, where)
			case err != nil:
				require.Equal(t, model.KindResponse, requireError(t, err).Kind, where)
				require.Empty(t, got.Text, where)
			}
		}
	}
}

func TestCancelEndsAStalledReply(t *testing.T) {
	s := modelserver.Start(t, modelserver.Stalled("hello"))
	c := newClient(t, model.Options{BaseURL: s.URL, Model: "scripted"})
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	stopped := errors.New("stopped by the user")
	var last error
	for d, err := range c.Stream(ctx, hello) {
		last = err
		if d.Text != "" {
			cancel(stopped)
		}
	}
	e := requireError(t, last)
	require.Equal(t, model.KindCanceled, e.Kind)
	require.ErrorIs(t, last, context.Canceled)
	require.ErrorIs(t, last, stopped)
}

func TestADeadlineEndsASilentRequest(t *testing.T) {
	s := modelserver.Start(t, modelserver.Func(func(modelserver.Request) modelserver.Reply {
		return modelserver.Reply{NoDone: true, Stall: true}
	}))
	c := newClient(t, model.Options{BaseURL: s.URL, Model: "scripted"})
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	_, err := ask(ctx, c, hello)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Equal(t, model.KindCanceled, requireError(t, err).Kind)
}

func TestTheRequestEndsWhenItsReaderStops(t *testing.T) {
	gone := make(chan struct{})
	s := modelserver.Start(t, modelserver.Stalled("hello"))
	client := &http.Client{Transport: watchClose{http.DefaultTransport, gone}}
	defer client.CloseIdleConnections()
	c := newClient(t, model.Options{BaseURL: s.URL, Model: "scripted", HTTPClient: client})
	for _, err := range c.Stream(t.Context(), hello) {
		require.NoError(t, err)
		break
	}
	<-gone
}

// watchClose reports when the body of a response is closed.
type watchClose struct {
	http.RoundTripper
	closed chan struct{}
}

func (w watchClose) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := w.RoundTripper.RoundTrip(req)
	if err == nil {
		resp.Body = &closeWatcher{resp.Body, w.closed}
	}
	return resp, err
}

func (w watchClose) CloseIdleConnections() {
	if t, ok := w.RoundTripper.(*http.Transport); ok {
		t.CloseIdleConnections()
	}
}

type closeWatcher struct {
	io.ReadCloser
	closed chan struct{}
}

func (c *closeWatcher) Close() error {
	close(c.closed)
	return c.ReadCloser.Close()
}
