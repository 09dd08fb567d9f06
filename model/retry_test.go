package model_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
)

// piped returns a server in memory, which uses the time of synctest, and its client.
func piped(t *testing.T, o model.Options, script ...modelserver.Reply) (*modelserver.Server, *model.Client) {
	t.Helper()
	s, client := modelserver.Pipe(t, script...)
	o.BaseURL, o.HTTPClient = s.URL, client
	if o.Model == "" {
		o.Model = "scripted"
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return s, retryingClient(t, o)
}

// requireWaits checks the times between the requests. waits has the range of each: at least its
// first value, and less than its second.
func requireWaits(t *testing.T, s *modelserver.Server, waits ...[2]time.Duration) {
	t.Helper()
	got := s.Requests()
	require.Len(t, got, len(waits)+1)
	for i, w := range waits {
		waited := got[i+1].At.Sub(got[i].At)
		require.GreaterOrEqual(t, waited, w[0], "wait %d", i+1)
		require.Less(t, waited, w[1], "wait %d", i+1)
	}
}

const ms, sec = time.Millisecond, time.Second

// with returns a reply with one header.
func with(r modelserver.Reply, key, value string) modelserver.Reply {
	r.Header = http.Header{key: {value}}
	return r
}

func TestTemporaryFailuresAreRetried(t *testing.T) {
	busy, broken := modelserver.Failure(429, "slow down"), modelserver.Failure(500, "boom")
	// The ranges of the first and of the second wait.
	first, second := [2]time.Duration{250 * ms, 500 * ms}, [2]time.Duration{500 * ms, sec}
	// pauseUntil asks for a pause until a date, d from now.
	pauseUntil := func(d time.Duration) modelserver.Reply {
		return modelserver.Func(func(modelserver.Request) modelserver.Reply {
			return with(busy, "Retry-After", time.Now().Add(d).UTC().Format(http.TimeFormat))
		})
	}
	tests := []struct {
		name     string
		failures []modelserver.Reply
		waits    [][2]time.Duration // as for requireWaits
	}{
		{"status 500", []modelserver.Reply{broken}, [][2]time.Duration{first}},
		{
			"the second wait may be twice as long",
			[]modelserver.Reply{broken, broken},
			[][2]time.Duration{first, second},
		},
		{"status 408", []modelserver.Reply{modelserver.Failure(408, "late")}, [][2]time.Duration{first}},
		{"status 429", []modelserver.Reply{busy}, [][2]time.Duration{first}},
		{
			"a Retry-After in seconds is respected",
			[]modelserver.Reply{with(busy, "Retry-After", "7")},
			[][2]time.Duration{{7 * sec, 7250 * ms}},
		},
		{
			"a Retry-After with decimals is respected",
			[]modelserver.Reply{with(busy, "Retry-After", "1.5")},
			[][2]time.Duration{{1500 * ms, 1750 * ms}},
		},
		{
			"a Retry-After below a second is respected",
			[]modelserver.Reply{with(busy, "Retry-After", " 0.75")},
			[][2]time.Duration{{750 * ms, sec}},
		},
		{
			"a Retry-After as a date is respected",
			[]modelserver.Reply{pauseUntil(30 * sec)},
			[][2]time.Duration{{30 * sec, 30250 * ms}},
		},
		{
			"a Retry-After of another status is respected",
			[]modelserver.Reply{with(modelserver.Failure(503, "down"), "Retry-After", "20")},
			[][2]time.Duration{{20 * sec, 20250 * ms}},
		},
		{
			"a Retry-After in milliseconds is respected",
			[]modelserver.Reply{with(busy, "Retry-After-Ms", "1500")},
			[][2]time.Duration{{1500 * ms, 1750 * ms}},
		},
		{
			"a Retry-After in fractions of milliseconds is respected",
			[]modelserver.Reply{with(busy, "Retry-After-Ms", "1500.5")},
			[][2]time.Duration{{1500 * ms, 1751 * ms}},
		},
		{"a date in the past is ignored", []modelserver.Reply{pauseUntil(-sec)}, [][2]time.Duration{first}},
		{"a word is ignored", []modelserver.Reply{with(busy, "Retry-After", "soon")}, [][2]time.Duration{first}},
		{
			"a number with two points is ignored",
			[]modelserver.Reply{with(busy, "Retry-After", "30.0.0")},
			[][2]time.Duration{first},
		},
		{
			"a negative number is ignored",
			[]modelserver.Reply{with(busy, "Retry-After", "-5")},
			[][2]time.Duration{first},
		},
		{"a connection closed without a response", []modelserver.Reply{{HangUp: true}}, [][2]time.Duration{first}},
		{
			"a connection that breaks before the first word",
			[]modelserver.Reply{modelserver.Text("hi").BrokenAfter(40)}, // within the first event
			[][2]time.Duration{first},
		},
		{
			"a connection that ends before the first word",
			[]modelserver.Reply{modelserver.Unfinished("")},
			[][2]time.Duration{first},
		},
		{"an empty response", []modelserver.Reply{modelserver.RawStream("")}, [][2]time.Duration{first}},
		{"DONE alone", []modelserver.Reply{modelserver.RawStream("data: [DONE]\n\n")}, [][2]time.Duration{first}},
		{
			"an error event in place of a reply",
			[]modelserver.Reply{modelserver.RawStream("event: error\ndata: overloaded\n\n")},
			[][2]time.Duration{first},
		},
		{
			"an error event with code 503",
			[]modelserver.Reply{events(`{"error":{"message":"overloaded","code":503}}`)},
			[][2]time.Duration{first},
		},
		{
			"an error event with code 503 as a text",
			[]modelserver.Reply{events(`{"error":{"message":"overloaded","code":"503"}}`)},
			[][2]time.Duration{first},
		},
		{
			"an error with a code that is not a status",
			[]modelserver.Reply{events(`{"error":{"message":"overloaded","code":"7"}}`)},
			[][2]time.Duration{first},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, c := piped(t, model.Options{}, append(tt.failures, modelserver.Text("hi"))...)
				got, err := ask(t.Context(), c, hello)
				require.NoError(t, err)
				require.Equal(t, reply{Text: "hi", Finish: protocol.FinishStop, Finished: true}, got)
				requireWaits(t, s, tt.waits...)
			})
		})
	}
}

func TestRetriesLimitsTheAttempts(t *testing.T) {
	for _, tt := range []struct{ retries, want int }{{-1, 1}, {0, 1 + model.DefaultRetries}, {1, 2}, {5, 6}} {
		t.Run(fmt.Sprintf("retries %d", tt.retries), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var script []modelserver.Reply
				for i := range tt.want + 1 {
					script = append(script, modelserver.Failure(500, fmt.Sprintf("boom %d", i+1)))
				}
				s, c := piped(t, model.Options{Retries: tt.retries}, script...)
				_, err := ask(t.Context(), c, hello)
				e := requireError(t, err)
				require.Equal(t, tt.want, e.Attempts)
				require.Len(t, s.Requests(), tt.want)
				require.Contains(t, e.Error(), fmt.Sprintf("boom %d", tt.want), "the error is the last failure")
				require.Equal(t, tt.want > 1, strings.Contains(e.Error(), fmt.Sprintf("(%d attempts)", tt.want)))
			})
		})
	}
}

func TestAStartingServerIsRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, client := modelserver.Pipe(t, modelserver.Text("hi"))
		up := time.Now().Add(400 * ms) // the second retry comes after at least 750 ms
		starting := refusing{until: up, next: client.Transport}
		c := retryingClient(t, model.Options{
			BaseURL: s.URL, Model: "m", HTTPClient: &http.Client{Transport: starting},
			Logger: slog.New(slog.DiscardHandler),
		})
		got, err := ask(t.Context(), c, hello)
		require.NoError(t, err)
		require.Equal(t, "hi", got.Text)
	})
}

// refusing refuses connections like a closed port.
type refusing struct {
	until time.Time
	next  http.RoundTripper
}

func (r refusing) RoundTrip(req *http.Request) (*http.Response, error) {
	if time.Now().Before(r.until) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	}
	return r.next.RoundTrip(req)
}

func TestModelListIsRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := piped(t, model.Options{}, modelserver.Text("hi"))
		s.RefuseModels()
		_, err := c.Models(t.Context())
		require.Equal(t, 1, requireError(t, err).Attempts, "status 404 is not retried")
		s.FailModels(http.StatusServiceUnavailable, 2)
		names, err := c.Models(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{"scripted"}, names)
	})
}

// The log has the number, the wait and the reason of each failed attempt, and no secret.
func TestAttemptsAreLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const key, header = "sk-0123456789", "hdr-0123456789"
		var log bytes.Buffer
		failure := "boom " + key + " " + header
		_, c := piped(t, model.Options{
			APIKey: key, Headers: http.Header{"X-Key": {header}}, Logger: slog.New(slog.NewTextHandler(&log, nil)),
		}, modelserver.Failure(500, failure), modelserver.Reply{HangUp: true}, modelserver.Text("hi"))
		_, err := ask(t.Context(), c, hello)
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSpace(log.String()), "\n")
		require.Len(t, lines, 2)
		for i, line := range lines {
			require.Contains(t, line,
				"level=WARN msg=\"model request failed, trying again\" server=http://modelserver/v1")
			require.Contains(t, line, fmt.Sprintf(" attempt=%d wait=", i+1))
			require.NotContains(t, line, hello.Messages[0].Content)
		}
		require.Contains(t, lines[0], "boom [secret] [secret]")
		require.Contains(t, lines[1], "without a response")
		require.NotContains(t, log.String(), key)
		require.NotContains(t, log.String(), header)
	})
}
