package modelserver_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/vcpgo/vcp/internal/chatapi"
	"github.com/vcpgo/vcp/internal/modelserver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// post sends one request on a new connection.
func post(t *testing.T, s *modelserver.Server, body string) (status int, reply string, err error) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Post(s.URL+"/chat/completions", "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b), err
}

// streamed is a request for a stream.
const streamed = `{"model":"m","stream":true,"stop":["x"],"messages":[{"role":"system","content":"s"},{"role":"user","content":"hi"}]}`

func TestRepliesAreSentAsScripted(t *testing.T) {
	const whole = `{"model":"m","messages":[{"role":"user","content":"hi"}]}`
	tests := []struct {
		name    string
		reply   modelserver.Reply
		request string
		status  int
		has     []string
		hasNot  []string
	}{
		{
			"a text arrives in pieces with a finish reason and DONE", modelserver.Text("hello wörld"), streamed, 200,
			[]string{`"content":"hello"`, `"content":" wörl"`, `"finish_reason":"stop"`, "data: [DONE]\n\n"},
			nil,
		},
		{
			"a request that does not stream gets one object", modelserver.Text("hello world"), whole, 200,
			[]string{`"object":"chat.completion"`, `"content":"hello world"`, `"finish_reason":"stop"`},
			[]string{"data:"},
		},
		{
			"an unfinished reply has no finish reason", modelserver.Unfinished("hello"), streamed, 200,
			[]string{"hello", "[DONE]"},
			[]string{`"finish_reason":"`},
		},
		{
			"a reply truncated at the token limit says so", modelserver.Length("hello"), streamed, 200,
			[]string{`"finish_reason":"length"`},
			nil,
		},
		{
			"reasoning is separate from the text",
			modelserver.Reply{Reasoning: []string{"hm"}, Pieces: []string{"yes"}, Finish: "stop"},
			streamed, 200,
			[]string{`"reasoning_content":"hm"`},
			nil,
		},
		{
			"usage is sent",
			modelserver.Reply{Finish: "stop", Usage: &modelserver.Usage{PromptTokens: 3}},
			streamed, 200,
			[]string{`"prompt_tokens":3`},
			nil,
		},
		{"a failure has the form of the API", modelserver.Failure(429, "slow down"), streamed, 429, []string{`"message":"slow down"`}, nil},
		{"a raw body is sent byte for byte", modelserver.Raw("text/html", "<html>"), streamed, 200, []string{"<html>"}, []string{"data:"}},
		{"a reply may be made from the request", modelserver.Func(func(r modelserver.Request) modelserver.Reply {
			return modelserver.Pieces("you said " + r.Last())
		}), streamed, 200, []string{"you said hi"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := modelserver.Start(t, tt.reply)
			status, reply, err := post(t, s, tt.request)
			require.NoError(t, err)
			require.Equal(t, tt.status, status)
			for _, part := range tt.has {
				require.Contains(t, reply, part)
			}
			for _, part := range tt.hasNot {
				require.NotContains(t, reply, part)
			}
		})
	}
}

func TestRequestsAreRecorded(t *testing.T) {
	s := modelserver.Start(t, modelserver.Text("a"), modelserver.Text("b"))
	_, _, err := post(t, s, streamed)
	require.NoError(t, err)
	require.Equal(t, 1, s.Left())
	got := s.Requests()
	require.Len(t, got, 1)
	require.Equal(t, "application/json", got[0].Header.Get("Content-Type"))
	require.JSONEq(t, streamed, string(got[0].Body))
	require.Equal(t, "s", got[0].System())
	require.False(t, got[0].At.IsZero())
	got[0].At, got[0].Header, got[0].Body = time.Time{}, nil, nil
	want := modelserver.Request{Request: chatapi.Request{
		Model: "m", Stream: true, Stop: []string{"x"},
		Messages: []modelserver.Message{{Role: "system", Content: "s"}, {Role: "user", Content: "hi"}},
	}}
	if diff := cmp.Diff(want, got[0]); diff != "" {
		t.Errorf("recorded request (-want +got):\n%s", diff)
	}
}

func TestRequestsAfterTheEndOfTheScriptFail(t *testing.T) {
	s := modelserver.Start(t)
	status, reply, err := post(t, s, streamed)
	require.NoError(t, err)
	require.Equal(t, http.StatusInternalServerError, status)
	require.Contains(t, reply, "no reply left")
	require.Len(t, s.Requests(), 1)
}

func TestTheConnectionBreaksAfterTheGivenBytes(t *testing.T) {
	reply := modelserver.Text("hello")
	body := reply.Body(true)
	for _, n := range []int{0, 1, len(body) / 2, len(body)} {
		s := modelserver.Start(t, reply.BrokenAfter(n))
		_, got, err := post(t, s, streamed)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, "truncated at %d", n)
		require.Equal(t, body[:n], got)
	}
}

func TestCloseEndsAStalledReply(t *testing.T) {
	s := modelserver.Start(t, modelserver.Stalled("hello"))
	started, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		resp, err := client.Post(s.URL+"/chat/completions", "application/json", strings.NewReader(streamed))
		if err != nil {
			close(started)
			return
		}
		defer resp.Body.Close()
		close(started)
		_, _ = io.Copy(io.Discard, resp.Body)
	}()
	<-started
	s.Close()
	<-done
}

func TestModelsAreListedOrRefused(t *testing.T) {
	s := modelserver.Start(t)
	s.SetModels("a", "b")
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get(s.URL + "/models")
	require.NoError(t, err)
	defer resp.Body.Close()
	var list struct{ Data []struct{ ID string } }
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&list))
	require.Equal(t, []struct{ ID string }{{"a"}, {"b"}}, list.Data)

	s.RefuseModels()
	refused, err := client.Get(s.URL + "/models")
	require.NoError(t, err)
	defer refused.Body.Close()
	require.Equal(t, http.StatusNotFound, refused.StatusCode)
}

func TestHangUpSendsNoResponse(t *testing.T) {
	s := modelserver.Start(t, modelserver.Reply{HangUp: true})
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	//nolint:bodyclose // there is no body
	_, err := client.Post(s.URL+"/chat/completions", "application/json", strings.NewReader(streamed))
	require.ErrorIs(t, err, io.EOF)
	require.Len(t, s.Requests(), 1)
}

func TestPausesUseSynctestTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, client := modelserver.Pipe(t, modelserver.Reply{Raw: "a\nb\n", Pause: time.Hour})
		begun := time.Now()
		resp, err := client.Post(s.URL+"/chat/completions", "application/json", strings.NewReader(streamed))
		require.NoError(t, err)
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.Equal(t, "a\nb\n", string(b))
		require.Equal(t, 2*time.Hour, time.Since(begun))
	})
}
