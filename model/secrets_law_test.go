package model_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/redact/redacttest"
	"github.com/vcpgo/vcp/model"
)

// rawServer answers each request with the same bytes, valid HTTP or not, and closes the connection.
type rawServer struct {
	*httptest.Server
	mu     sync.Mutex
	answer string
}

func newRawServer(t *testing.T) *rawServer {
	t.Helper()
	s := &rawServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		s.mu.Lock()
		defer s.mu.Unlock()
		_, _ = io.WriteString(conn, s.answer)
		if c, ok := conn.(*net.TCPConn); ok {
			_ = c.CloseWrite() // so that the client receives the answer before the connection closes
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *rawServer) answers(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = text
}

// everythingShown makes requests and returns everything that may be shown, except the text of
// replies. list says to ask for the server's models instead of a reply.
func everythingShown(t require.TestingT, o model.Options, list bool) string {
	var shown strings.Builder
	o.Logger = slog.New(slog.NewTextHandler(&shown, &slog.HandlerOptions{Level: slog.LevelDebug}))
	c, err := model.New(o)
	require.NoError(t, err)
	defer c.Close()
	show := func(err error) {
		for ; err != nil; err = errors.Unwrap(err) {
			fmt.Fprintf(&shown, "\n%v %+v %#v", err, err, err)
			if e := (*model.Error)(nil); errors.As(err, &e) {
				fmt.Fprintf(&shown, "\n%s %s %s %s %v", e.Message, e.URL, e.Op, e.Kind, e.RetryAfter)
				if len(e.Message) > 4<<10 || strings.ContainsAny(e.Message, "\n\r\x00\x1b\u200b\u202e") {
					require.Fail(t, "the message is not a short line", "%q", e.Message)
				}
			}
		}
	}
	ctx := context.Background()
	if list {
		names, err := c.Models(ctx)
		show(err)
		fmt.Fprintf(&shown, "\n%s", strings.Join(names, "\n"))
		name, err := c.Name(ctx)
		show(err)
		fmt.Fprintf(&shown, "\n%s", name)
	} else {
		for d, err := range c.Stream(ctx, engine.ModelRequest{Messages: hello.Messages}) {
			show(err)
			fmt.Fprintf(&shown, "\n%s", d.Finish)
		}
	}
	fmt.Fprintf(&shown, "\n%v %+v %#v %v %#v", c, c, c, o, o)
	return shown.String()
}

// A law is a property that rapid checks with generated inputs.
func TestLawServerCannotRevealASecret(t *testing.T) {
	const key = "sk-proj-A1b2C3d4E5f6G7h8I9j0KLMN"
	const password = "pw/0123456789+abcdef"
	s := newRawServer(t)
	base := s.URL + "/v1"
	withPassword := "http://user:" + strings.ReplaceAll(strings.ReplaceAll(password, "/", "%2F"), "+", "%2B") + "@" +
		strings.TrimPrefix(base, "http://")
	long := strings.Repeat("wörd ", 300)
	check := func(t require.TestingT, what, secret, written string, o model.Options) {
		s.answers(written)
		o.Retries = -1
		for _, list := range []bool{false, true} {
			if list {
				o.Model = ""
			}
			if leak := redacttest.Leak(everythingShown(t, o, list), secret); leak != "" {
				require.Fail(t, "a secret is shown", "%s: %s, of %.2000q", what, leak, written)
			}
		}
	}
	optionsWith := map[string]model.Options{ // by the secret
		key:      {BaseURL: base, APIKey: key, Model: "m", HTTPClient: noKeepAlive(t)},
		password: {BaseURL: withPassword, Model: "m", HTTPClient: noKeepAlive(t)},
	}
	for i, place := range places {
		t.Run(place.name, func(t *testing.T) {
			for j, spelling := range redacttest.Spellings {
				if (i+j)%longtest.Count(30, 1) != 0 {
					continue // "make test" tries every 30th spelling
				}
				check(t, spelling.Name, key, place.write("bad: "+spelling.Write(key)+" !"), optionsWith[key])
				if !spelling.Long { // the password has too few letters for a Long spelling
					check(t, spelling.Name, password, place.write(spelling.Write(password)), optionsWith[password])
				}
			}
		})
	}
	t.Run("after other text, whole or truncated", func(t *testing.T) {
		rapid.Check(t, func(rt *rapid.T) {
			place := rapid.SampledFrom(places).Draw(rt, "place")
			spelling := rapid.SampledFrom(redacttest.Spellings).Draw(rt, "spelling")
			lead := long[:rapid.IntRange(0, len(long)).Draw(rt, "lead")]
			written := place.write(lead + spelling.Write(key))
			if rapid.Bool().Draw(rt, "truncated") {
				written = written[:rapid.IntRange(len(written)/2, len(written)).Draw(rt, "length")]
			}
			check(rt, place.name+", "+spelling.Name, key, written, optionsWith[key])
		})
	})
	t.Run("in a header of options", func(t *testing.T) {
		o := model.Options{BaseURL: base, Model: "m", HTTPClient: noKeepAlive(t), Headers: http.Header{
			"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte("user:"+password))},
			"X-Title":       {"a title of the program"},
		}}
		encoded := base64.StdEncoding.EncodeToString([]byte("user:" + password))
		for _, said := range []string{password, encoded, "a\x01b user:" + password} {
			check(t, "a header", password, answered("400 Bad", textHead, said), o)
		}
		s.answers(answered("400 Bad", textHead, "what is a title of the program?"))
		require.Contains(t, everythingShown(t, o, false), "what is a title of the program?",
			"a header that names the sender is not a secret")
	})
}

func noKeepAlive(t *testing.T) *http.Client {
	t.Helper()
	transport := &http.Transport{DisableKeepAlives: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// An id is written by the server like any other text.
func TestModelIDsAreShortAndWithoutSecrets(t *testing.T) {
	const key = "sk-proj-A1b2C3d4E5f6G7h8I9j0KLMN"
	ids := []string{
		"good", "sk-proj-A1b2C3d4\x01E5f6G7h8I9j0KLMN", "a\nb\x1b[2J", strings.Repeat("x", 5000), " ",
		"\u200b",
	}
	body, err := json.Marshal(map[string]any{"data": func() (list []any) {
		for _, id := range ids {
			list = append(list, map[string]any{"id": id})
		}
		for i := range 20_000 {
			list = append(list, map[string]any{"id": fmt.Sprint("m", i)})
		}
		return list
	}()})
	require.NoError(t, err)
	s := newRawServer(t)
	s.answers(answered("200 OK", jsonHead, string(body)))
	c := newClient(t, model.Options{BaseURL: s.URL, APIKey: key})
	names, err := c.Models(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"good", "[secret]", "a b[2J", strings.Repeat("x", 200) + "…", "m0"}, names[:5])
	require.Len(t, names, 10_000, "a list is read to its 10,000th id")
	_, err = c.Name(t.Context())
	require.Less(t, len(requireError(t, err).Message), 4<<10)
}

func TestErrorsShowNoPasswordOfTheBaseURL(t *testing.T) {
	const password = "pw-0123456789"
	for _, base := range []string{
		"http://user:%s@", "http:user:%s@host/v1", "user:%s@host/v1", "http:/user:%s@host", "//user:%s@host",
		"http://user:%s@host/v1?x=1", "http://user:%s@ho st/v1",
		"http://host/v1?key=%s", "http://host/v1#%s", "ftp://user:%s@host", "http://%s:x@host:port/v1",
		"\x01http://user:%s@host",
	} {
		_, err := model.New(model.Options{BaseURL: fmt.Sprintf(base, password)})
		require.Empty(t, redacttest.Leak(requireError(t, err).Error(), password), base)
	}
}
