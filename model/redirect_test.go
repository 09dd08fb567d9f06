package model_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
)

// bothSchemes returns a client that reaches secure as https://example.com and plain as
// http://example.com, so that both have the same host.
func bothSchemes(t *testing.T, secure, plain *httptest.Server) *http.Client {
	t.Helper()
	transport, ok := secure.Client().Transport.(*http.Transport)
	require.True(t, ok)
	transport = transport.Clone()
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		to := plain.Listener
		if strings.HasSuffix(address, ":443") {
			to = secure.Listener
		}
		return new(net.Dialer).DialContext(ctx, network, to.Addr().String())
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func TestRedirectFromHTTPSToHTTPIsRefused(t *testing.T) {
	reached := make(chan string, 1)
	record := func(_ http.ResponseWriter, r *http.Request) { reached <- r.Header.Get("Authorization") }
	plain := httptest.NewServer(http.HandlerFunc(record))
	defer plain.Close()
	secure := httptest.NewTLSServer(http.RedirectHandler("http://example.com/v1/chat/completions",
		http.StatusTemporaryRedirect))
	defer secure.Close()
	c := newClient(t, model.Options{
		BaseURL: "https://example.com/v1", Model: "m", APIKey: "sk-0123456789",
		HTTPClient: bothSchemes(t, secure, plain),
	})
	_, err := ask(t.Context(), c, hello)
	e := requireError(t, err)
	require.Equal(t, model.KindConnect, e.Kind)
	require.Contains(t, e.Error(), "redirects from https to http, and others on the way could read a key")
	require.Empty(t, reached)
}

func TestRedirectFromHTTPToHTTPSIsFollowed(t *testing.T) {
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			_, _ = w.Write([]byte(allStop))
		}
	}))
	defer secure.Close()
	plain := httptest.NewServer(http.RedirectHandler("https://example.com/v1/chat/completions",
		http.StatusPermanentRedirect))
	defer plain.Close()
	got, err := ask(t.Context(), newClient(t, model.Options{
		BaseURL: "http://example.com/v1", Model: "m", HTTPClient: bothSchemes(t, secure, plain),
	}), hello)
	require.NoError(t, err)
	require.Equal(t, "hi", got.Text)
}

func TestRedirectToAnotherHostIsRefused(t *testing.T) {
	elsewhere := modelserver.Start(t, modelserver.Text("ok"))
	s := httptest.NewServer(http.RedirectHandler(elsewhere.URL+"/chat/completions", http.StatusTemporaryRedirect))
	defer s.Close()
	_, err := ask(t.Context(), newClient(t, model.Options{BaseURL: s.URL, Model: "m"}), hello)
	e := requireError(t, err)
	require.Equal(t, model.KindConnect, e.Kind)
	require.Contains(t, e.Error(), "redirects to "+elsewhere.URL[len("http://"):len(elsewhere.URL)-len("/v1")])
	require.Empty(t, elsewhere.Requests())
}

// A redirect with one of these statuses turns the request into a GET without content, which asks
// the model nothing.
func TestRedirectThatDropsTheContentIsRefused(t *testing.T) {
	follow := func(*http.Request, []*http.Request) error { return nil }
	for _, tt := range []struct {
		name   string
		status int // of the redirect
		client *http.Client
	}{
		{"status 301", http.StatusMovedPermanently, nil},
		{"status 302", http.StatusFound, nil},
		{"status 303", http.StatusSeeOther, nil},
		{
			"if the client decides on redirects itself", http.StatusFound,
			&http.Client{Transport: &http.Transport{}, CheckRedirect: follow},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var followed atomic.Bool
			mux := http.NewServeMux()
			mux.Handle("POST /v1/", http.RedirectHandler("/v2/chat/completions?token=hunter22", tt.status))
			mux.HandleFunc("/v2/", func(w http.ResponseWriter, _ *http.Request) {
				followed.Store(true)
				_, _ = w.Write([]byte(allStop))
			})
			s := httptest.NewServer(mux)
			defer s.Close()
			_, err := ask(t.Context(),
				newClient(t, model.Options{BaseURL: s.URL + "/v1", Model: "m", HTTPClient: tt.client}), hello)
			e := requireError(t, err)
			require.Equal(t, model.KindConnect, e.Kind)
			require.Contains(t, e.Error(), fmt.Sprintf("with status %d to %s/v2/chat/completions", tt.status, s.URL))
			require.Contains(t, e.Error(), "give its base URL")
			require.NotContains(t, e.Error(), "hunter22")
			require.False(t, followed.Load())
		})
	}
}

func TestModelListFollowsRedirects(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle("GET /v1/models", http.RedirectHandler("/v2/models", http.StatusFound))
	mux.HandleFunc("GET /v2/models",
		func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"data":[{"id":"a"}]}`)) })
	s := httptest.NewServer(mux)
	defer s.Close()
	names, err := newClient(t, model.Options{BaseURL: s.URL + "/v1"}).Models(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"a"}, names)
}

func TestEndlessRedirectsAreRefused(t *testing.T) {
	var requests atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
	}))
	defer s.Close()
	_, err := ask(t.Context(), newClient(t, model.Options{BaseURL: s.URL, Model: "m"}), hello)
	require.Contains(t, requireError(t, err).Error(), "redirects without end")
	require.EqualValues(t, 5, requests.Load(), "the fifth redirect is not followed")
}
