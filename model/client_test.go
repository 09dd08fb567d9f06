package model_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newClient returns a client that sends each request once, unless o says otherwise.
func newClient(t *testing.T, o model.Options) *model.Client {
	t.Helper()
	if o.Retries == 0 {
		o.Retries = -1
	}
	return retryingClient(t, o)
}

// retryingClient returns a client that retries as o says.
func retryingClient(t *testing.T, o model.Options) *model.Client {
	t.Helper()
	c, err := model.New(o)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// reply is the joined deltas of a stream.
type reply struct {
	Text, Reasoning string
	Finish          protocol.FinishReason
	Finished        bool
	Usage           *engine.Usage
}

// ask returns the reply to a request. An error ends the reply.
func ask(ctx context.Context, c *model.Client, req engine.ModelRequest) (r reply, err error) {
	for d, err := range c.Stream(ctx, req) {
		if err != nil {
			return r, err
		}
		if r.Finished && (d.Text != "" || d.Reasoning != "" || d.Finished) {
			return r, fmt.Errorf("a delta after the Finished delta: %+v", d)
		}
		r.Text += d.Text
		r.Reasoning += d.Reasoning
		if d.Finished {
			r.Finish, r.Finished = d.Finish, true
		}
		if d.Usage != nil {
			r.Usage = d.Usage
		}
	}
	return r, nil
}

var hello = engine.ModelRequest{Messages: []protocol.Message{{Role: protocol.RoleUser, Content: "hello"}}}

func requireError(t *testing.T, err error) *model.Error {
	t.Helper()
	var e *model.Error
	require.ErrorAs(t, err, &e)
	require.NotContains(t, e.Message, "\n")
	return e
}

func TestRequestsCarryWhatOptionsSay(t *testing.T) {
	s := modelserver.Start(t, modelserver.Text("ok"), modelserver.Text("ok"))
	zero := float32(0)
	c := newClient(t, model.Options{
		BaseURL: s.URL + "/", APIKey: "sk-secret\n", Model: "m1", Temperature: &zero,
		Headers: http.Header{"X-Org": {"acme"}},
	})
	messages := []protocol.Message{
		{Role: protocol.RoleSystem, Content: "be brief"},
		{Role: protocol.RoleUser, Content: "<<<[\"é"},
		{Role: protocol.RoleAssistant, Content: ""},
	}
	_, err := ask(t.Context(), c, engine.ModelRequest{Messages: messages, Stop: []string{"a", "b", "c", "d", "e"}})
	require.NoError(t, err)
	got := s.Requests()[0]
	require.Equal(t, "Bearer sk-secret", got.Header.Get("Authorization"))
	require.Equal(t, "acme", got.Header.Get("X-Org"))
	require.Equal(t, "m1", got.Model)
	require.True(t, got.Stream)
	require.EqualValues(t, []string{"a", "b", "c", "d"}, got.Stop, "OpenAI accepts four stop sequences")
	require.NotNil(t, got.Temperature, "a temperature of 0 is sent")
	require.InDelta(t, 0, *got.Temperature, 1e-6)
	want := []modelserver.Message{
		{Role: "system", Content: "be brief"},
		{Role: "user", Content: "<<<[\"é"},
		{Role: "assistant", Content: " "}, // servers refuse empty content
	}
	if diff := cmp.Diff(want, got.Messages); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}

	plain := newClient(t, model.Options{BaseURL: s.URL, Model: "m1"})
	_, err = ask(t.Context(), plain, hello)
	require.NoError(t, err)
	got = s.Requests()[1]
	require.NotContains(t, got.Header, "Authorization")
	require.Nil(t, got.Temperature)
}

func TestANegativeTemperatureIsSentAsItIs(t *testing.T) {
	s := modelserver.Start(t, modelserver.Text("ok"))
	negative := float32(-1)
	_, err := ask(t.Context(), newClient(t, model.Options{BaseURL: s.URL, Model: "m1", Temperature: &negative}), hello)
	require.NoError(t, err)
	require.InDelta(t, -1, *s.Requests()[0].Temperature, 0, "the server decides which temperatures are valid")
}

func TestBuildingAStreamSendsNothing(t *testing.T) {
	s := modelserver.Start(t, modelserver.Text("ok"))
	c := newClient(t, model.Options{BaseURL: s.URL})
	_ = c.Stream(t.Context(), hello)
	require.Empty(t, s.Requests())
}

func TestUnusableBaseURLsAreRefused(t *testing.T) {
	tests := []struct{ name, url string }{
		{"an empty URL is refused", ""},
		{"a URL without a scheme is refused", "127.0.0.1:11434/v1"},
		{"a scheme other than http and https is refused", "ftp://host/v1"},
		{"a port without a host is refused", "http://:8080/v1"},
		{"a port above 65535 is refused", "http://host:65536/v1"},
		{"a URL without a host is refused", "http:///v1"},
		{"a URL with a query is refused", "http://host/v1?key=hunter22"},
		{"a malformed URL is refused", "http://user:hunter22@host:x y/v1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := model.New(model.Options{BaseURL: tt.url})
			e := requireError(t, err)
			require.Equal(t, model.KindOptions, e.Kind)
			require.Contains(t, e.Error(), "base URL")
			require.NotContains(t, e.Error(), "hunter22")
		})
	}
}

func TestTheErrorShowsABaseURLWithoutAScheme(t *testing.T) {
	_, err := model.New(model.Options{BaseURL: "127.0.0.1:80"})
	require.ErrorContains(t, err, `"127.0.0.1:80"`)
}

func TestServerMessagesHaveNoControlCharacters(t *testing.T) {
	s := modelserver.Start(t, modelserver.Failure(400, "too\x1b[31m\u009b long\u202e,\u2066 by\nfar"))
	_, err := ask(t.Context(), newClient(t, model.Options{BaseURL: s.URL, Model: "m1"}), hello)
	require.Contains(t, requireError(t, err).Message, "too[31m long, by far")
}

func TestRefusedConnectionIsExplained(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	base := "http://" + l.Addr().String() + "/v1"
	require.NoError(t, l.Close())
	_, err = ask(t.Context(), newClient(t, model.Options{BaseURL: base, Model: "m"}), hello)
	e := requireError(t, err)
	require.Equal(t, model.KindConnect, e.Kind)
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
	require.Contains(t, e.Error(), base+" cannot be reached: connection refused; is the server running?")
}

func TestHTTPSToAnHTTPServerIsExplained(t *testing.T) {
	s := modelserver.Start(t)
	_, err := ask(t.Context(), newClient(t, model.Options{BaseURL: "https" + s.URL[len("http"):], Model: "m"}), hello)
	e := requireError(t, err)
	require.Equal(t, model.KindConnect, e.Kind)
	require.Contains(t, e.Error(), "write http://")
}

func TestARefusedParameterIsAnOptionsError(t *testing.T) {
	s := modelserver.Start(t)
	half := float32(0.5) // the SDK refuses it for o3, a reasoning model
	_, err := ask(t.Context(), newClient(t, model.Options{BaseURL: s.URL, Model: "o3", Temperature: &half}), hello)
	e := requireError(t, err)
	require.Equal(t, model.KindOptions, e.Kind)
	require.Error(t, errors.Unwrap(err))
	require.Empty(t, s.Requests())
}

func TestAnUnknownValueOfCallsIsRefused(t *testing.T) {
	_, err := model.New(model.Options{BaseURL: "http://127.0.0.1:1/v1", Calls: "natve"})
	e := requireError(t, err)
	require.Equal(t, model.KindOptions, e.Kind)
	require.Equal(t, `Options.Calls is "natve"; allowed is auto, text or native`, e.Error())
}
