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

// answered returns a response of HTTP.
func answered(status, header, body string) string {
	return "HTTP/1.1 " + status + "\r\n" + header + "Connection: close\r\n\r\n" + body
}

const (
	jsonHead  = "Content-Type: application/json\r\n"
	eventHead = "Content-Type: text/event-stream\r\n"
	textHead  = "Content-Type: text/plain\r\n"
)

// quoted returns text in quotes without escapes, even if that is not valid JSON.
func quoted(text string) string { return `"` + text + `"` }

// inString returns text as a JSON string.
func inString(text string) string {
	raw, _ := json.Marshal(text) // a string always encodes
	return string(raw)
}

// places are the places in a response at which a server may write something.
var places = []struct {
	name  string
	write func(said string) string
}{
	{"the status line", func(s string) string { return answered("400 "+noLine(s), "", "") }},
	{"no status line at all", func(s string) string { return s }},
	{"a status that is not a number", func(s string) string { return answered(noLine(s)+" Bad", "", "") }},
	{"the version", func(s string) string { return "HTTP/" + noLine(s) + " 200 OK\r\n\r\n" }},
	{"the name of a header", func(s string) string { return answered("400 Bad", noLine(s)+": x\r\n", "") }},
	{"a line among the headers", func(s string) string { return answered("400 Bad", noLine(s)+"\r\n", "") }},
	{
		"the value of a header",
		func(s string) string { return answered("400 Bad", "X-Request-Id: "+noLine(s)+"\r\n", "") },
	},
	{"WWW-Authenticate", func(s string) string {
		return answered("401 No", "WWW-Authenticate: Bearer error=\""+noLine(s)+"\"\r\n", "")
	}},
	{"Retry-After", func(s string) string { return answered("400 Bad", "Retry-After: "+noLine(s)+"\r\n", "") }},
	{"the length", func(s string) string { return answered("200 OK", "Content-Length: "+noLine(s)+"\r\n", "{}") }},
	{
		"the encoding of the transfer",
		func(s string) string { return answered("200 OK", "Transfer-Encoding: "+noLine(s)+"\r\n", "{}") },
	},
	{
		"a chunk's length",
		func(s string) string { return answered("200 OK", "Transfer-Encoding: chunked\r\n", noLine(s)+"\r\n") },
	},
	{"the content type", func(s string) string { return answered("200 OK", "Content-Type: "+noLine(s)+"\r\n", "x") }},
	{
		"the host of a redirect",
		func(s string) string { return answered("307 Go", "Location: http://"+noLine(s)+"/v1\r\n", "") },
	},
	{
		"the path of a redirect",
		func(s string) string { return answered("302 Go", "Location: /v1/"+noLine(s)+"\r\n", "") },
	},
	{
		"the query of a redirect",
		func(s string) string { return answered("303 Go", "Location: /v1?key="+noLine(s)+"\r\n", "") },
	},
	{"the user of a redirect", func(s string) string {
		return answered("307 Go", "Location: http://user:"+noLine(s)+"@h.example/v1\r\n", "")
	}},
	{
		"the scheme of a redirect",
		func(s string) string { return answered("307 Go", "Location: "+noLine(s)+"://h.example/\r\n", "") },
	},
	{
		"the message of a failure",
		func(s string) string { return answered("400 Bad", jsonHead, `{"error":{"message":`+inString(s)+`}}`) },
	},
	{
		"the message of a failure, spelled in it",
		func(s string) string { return answered("400 Bad", jsonHead, `{"error":{"message":`+quoted(s)+`}}`) },
	},
	{
		"the type of a failure",
		func(s string) string { return answered("400 Bad", jsonHead, `{"error":{"type":`+inString(s)+`}}`) },
	},
	{
		"the code of a failure",
		func(s string) string { return answered("429 Bad", jsonHead, `{"error":{"code":`+inString(s)+`}}`) },
	},
	{
		"a failure that is a text",
		func(s string) string { return answered("500 Bad", jsonHead, `{"error":`+inString(s)+`}`) },
	},
	{
		"a detail of a failure",
		func(s string) string { return answered("422 Bad", jsonHead, `{"detail":[{"msg":`+inString(s)+`}]}`) },
	},
	{"a failure of another shape", func(s string) string { return answered("403 Bad", jsonHead, `[`+inString(s)+`]`) }},
	{"the name of a member", func(s string) string { return answered("403 Bad", jsonHead, `{`+inString(s)+`:1}`) }},
	{"a failure in text", func(s string) string { return answered("503 Bad", textHead, s) }},
	{
		"a page of a failure",
		func(s string) string { return answered("502 Bad", "Content-Type: text/html\r\n", "<p>"+s+"</p>") },
	},
	{
		"a page in place of a reply",
		func(s string) string { return answered("200 OK", "Content-Type: text/html\r\n", "<p>"+s+"</p>") },
	},
	{"text in place of a reply", func(s string) string { return answered("200 OK", textHead, s) }},
	{"broken JSON in place of a reply", func(s string) string { return answered("200 OK", jsonHead, "{"+s) }},
	{
		"a value that is not part of a reply",
		func(s string) string { return answered("200 OK", eventHead, "data: "+noLine(s)+"\n\n") },
	},
	{
		"a value of the wrong kind",
		func(s string) string { return answered("200 OK", eventHead, `data: {"choices":`+inString(s)+"}\n\n") },
	},
	{
		"a line that is not of an event stream",
		func(s string) string { return answered("200 OK", eventHead, noLine(s)+"\n\n") },
	},
	{"an error among the data", func(s string) string {
		return answered("200 OK", eventHead, `data: {"error":{"message":`+inString(s)+"}}\n\n")
	}},
	{"an error among the data, spelled in it", func(s string) string {
		return answered("200 OK", eventHead, `data: {"error":{"message":`+quoted(noLine(s))+"}}\n\n")
	}},
	{
		"an error event",
		func(s string) string { return answered("200 OK", eventHead, "event: error\ndata: "+noLine(s)+"\n\n") },
	},
	{"an error event of several lines", func(s string) string {
		return answered("200 OK", eventHead, "event: error\ndata: "+strings.ReplaceAll(s, "\n", "\ndata: ")+"\n\n")
	}},
	{"the finish reason", func(s string) string {
		return answered("200 OK", eventHead,
			`data: {"choices":[{"delta":{"content":"x"},"finish_reason":`+inString(s)+"}]}\n\n")
	}},
	{"the name of a call that was not offered", func(s string) string {
		return answered("200 OK", eventHead, `data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":`+inString(s)+`}}]},"finish_reason":"stop"}]}`+"\n\n")
	}},
	{
		"the id of the only model",
		func(s string) string { return answered("200 OK", jsonHead, `{"data":[{"id":`+inString(s)+`}]}`) },
	},
	{"the ids of models", func(s string) string {
		return answered("200 OK", jsonHead, `{"data":[{"id":"a"},{"id":`+inString(s)+`},{"id":`+quoted(s)+`}]}`)
	}},
	{
		"something else than models",
		func(s string) string { return answered("200 OK", jsonHead, `{"models":`+inString(s)+`}`) },
	},
}

// noLine returns text without line breaks, which would end a line of HTTP.
func noLine(text string) string { return strings.NewReplacer("\r", " ", "\n", " ").Replace(text) }

// everythingShown makes a request and returns everything that may be shown, except the text of
// replies.
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
					require.Fail(t, "no short line", "%q", e.Message)
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
	client := map[string]model.Options{
		key:      {BaseURL: base, APIKey: key, Model: "m", HTTPClient: noKeepAlive(t)},
		password: {BaseURL: withPassword, Model: "m", HTTPClient: noKeepAlive(t)},
	}
	for i, place := range places {
		t.Run(place.name, func(t *testing.T) {
			for j, spelling := range redacttest.Spellings {
				if (i+j)%longtest.Count(30, 1) != 0 {
					continue
				}
				check(t, spelling.Name, key, place.write("bad: "+spelling.Write(key)+" !"), client[key])
				if !spelling.Long { // it has too few letters
					check(t, spelling.Name, password, place.write(spelling.Write(password)), client[password])
				}
			}
		})
	}
	t.Run("truncated anywhere", func(t *testing.T) {
		rapid.Check(t, func(rt *rapid.T) {
			place := rapid.SampledFrom(places).Draw(rt, "place")
			spelling := rapid.SampledFrom(redacttest.Spellings).Draw(rt, "spelling")
			before := long[:rapid.IntRange(0, len(long)).Draw(rt, "before")]
			written := place.write(before + spelling.Write(key))
			if rapid.Bool().Draw(rt, "cut") {
				written = written[:rapid.IntRange(len(written)/2, len(written)).Draw(rt, "to")]
			}
			check(rt, place.name+", "+spelling.Name, key, written, client[key])
		})
	})
	t.Run("in a header of options", func(t *testing.T) {
		o := model.Options{BaseURL: base, Model: "m", HTTPClient: noKeepAlive(t), Headers: http.Header{
			"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte("user:"+password))},
			"X-Title":       {"a title of the program"},
		}}
		for _, said := range []string{password, base64.StdEncoding.EncodeToString([]byte("user:" + password)), "a\x01b user:" + password} {
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
		"http://host/v1?key=%s", "http://host/v1#%s", "ftp://user:%s@host", "http://%s:x@host:port/v1", "\x01http://user:%s@host",
	} {
		_, err := model.New(model.Options{BaseURL: fmt.Sprintf(base, password)})
		require.Empty(t, redacttest.Leak(requireError(t, err).Error(), password), base)
	}
}
