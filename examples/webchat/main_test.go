package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat/server"
	"github.com/vcpgo/vcp/examples/internal/exampletest"
	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/internal/requesttest"
	"github.com/vcpgo/vcp/protocol/vcp"
)

func TestMain(m *testing.M) { exampletest.Main(m, main) }

// buys returns a reply that requests shop_buy.
func buys(t *testing.T, count string) modelserver.Reply {
	t.Helper()
	return modelserver.Text(requesttest.Text(t, vcp.Protocol{}, "shop_buy", "item", "apples", "count", count))
}

// app is the program as a process of its own, which can be killed and started again.
type app struct {
	*exampletest.Server
	t      *testing.T
	models *modelserver.Server
}

func start(t *testing.T, replies ...modelserver.Reply) *app {
	t.Helper()
	models := modelserver.Start(t, replies...)
	return &app{exampletest.StartWebChat(t, os.Args[0], models), t, models}
}

// call is a call that waits for a decision, and event and conversation are what a page reads.
type (
	call struct{ RequestID, Digest, Method string }

	event struct {
		Kind, Text, Stop string
		Approval         *call
		Result           struct{ Result, ErrorType string }
	}

	conversation struct {
		ID          string
		Messages    []struct{ Role, Content, HTML string }
		Pending     []call
		CanContinue bool
		EventID     string
	}
)

// do sends a request and returns the parts of the response.
func (a *app) do(user, method, path, body string) (status int, header http.Header, content io.ReadCloser) {
	a.t.Helper()
	req, err := http.NewRequestWithContext(a.t.Context(), method, "http://"+a.Address+path, strings.NewReader(body))
	require.NoError(a.t, err)
	req.Header.Set("X-User", user)
	req.Header.Set("Content-Type", "application/json")
	r, err := http.DefaultClient.Do(req)
	require.NoError(a.t, err)
	a.t.Cleanup(func() { r.Body.Close() })
	return r.StatusCode, r.Header, r.Body
}

// post sends a request to a conversation and reads the response, which must have the given status.
func (a *app) post(status int, user, path, body string) (c conversation) {
	a.t.Helper()
	got, _, content := a.do(user, http.MethodPost, "/api/conversations"+path, body)
	text, err := io.ReadAll(content)
	require.NoError(a.t, err)
	require.Equal(a.t, status, got, string(text))
	if len(text) > 0 {
		require.NoError(a.t, json.Unmarshal(text, &c))
	}
	return c
}

func (a *app) show(user, id string) (c conversation) {
	a.t.Helper()
	_, _, content := a.do(user, http.MethodGet, "/api/conversations/"+id, "")
	require.NoError(a.t, json.NewDecoder(content).Decode(&c))
	return c
}

// events reads the events of a conversation. Each call of until returns the next event of a kind.
func (a *app) events(user string, c conversation) (until func(kind string) event) {
	a.t.Helper()
	_, _, content := a.do(user, http.MethodGet, "/api/conversations/"+c.ID+"/events?after="+c.EventID, "")
	lines := bufio.NewReader(content)
	return func(kind string) event {
		for {
			line, err := lines.ReadBytes('\n')
			require.NoError(a.t, err, "the stream ended before %s", kind)
			if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
				var e event
				require.NoError(a.t, json.Unmarshal(data, &e))
				if e.Kind == kind {
					return e
				}
			}
		}
	}
}

func (a *app) decide(status int, user, id string, c call, verdict string) {
	a.t.Helper()
	a.post(status, user, "/"+id+"/decisions", fmt.Sprintf(`{"requestId":%q,"digest":%q,"decision":{"verdict":%q}}`,
		c.RequestID, c.Digest, verdict))
}

func TestAnApprovedCallRuns(t *testing.T) {
	a := start(t, buys(t, "2"), modelserver.Text("*Bought.*"))
	c := a.post(http.StatusCreated, "ann", "", `{}`)
	c = a.show("ann", c.ID)
	until := a.events("ann", c)
	a.post(http.StatusAccepted, "ann", "/"+c.ID+"/messages", `{"text":"Two apples."}`)
	asked := until("approval_needed").Approval
	require.Equal(t, "shop_buy", asked.Method)
	require.Equal(t, []call{*asked}, a.show("ann", c.ID).Pending)
	a.decide(http.StatusNoContent, "ann", c.ID, *asked, "allow")
	require.Equal(t, "paying", until("tool_progress").Text)
	require.Equal(t, "ann bought 2 apples", until("tool_done").Result.Result)
	require.Equal(t, "done", until("run_done").Stop)
	a.decide(http.StatusConflict, "ann", c.ID, *asked, "allow")
	messages := a.show("ann", c.ID).Messages
	require.Contains(t, messages[len(messages)-1].HTML, "<em>Bought.</em>")
}

func TestAGuestBuysNothing(t *testing.T) {
	a := start(t, buys(t, "1"), modelserver.Text("No."))
	c := a.post(http.StatusCreated, "guest", "", `{}`)
	until := a.events("guest", a.show("guest", c.ID))
	a.post(http.StatusAccepted, "guest", "/"+c.ID+"/messages", `{"text":"An apple."}`)
	require.Equal(t, "tool_disabled", until("tool_done").Result.ErrorType)
	until("run_done")
	require.NotContains(t, a.models.Requests()[0].Messages[0].Content, "shop_buy")
}

func TestAnApprovalIsAskedForAgainAfterARestart(t *testing.T) {
	a := start(t, buys(t, "2"), modelserver.Text("Bought."))
	c := a.post(http.StatusCreated, "ann", "", `{}`)
	until := a.events("ann", a.show("ann", c.ID))
	a.post(http.StatusAccepted, "ann", "/"+c.ID+"/messages", `{"text":"Two apples."}`)
	old := until("approval_needed").Approval
	a.Restart()

	c = a.show("ann", c.ID)
	require.Equal(t, "Two apples.", c.Messages[0].Content)
	require.Empty(t, c.Pending)
	require.True(t, c.CanContinue)
	a.decide(http.StatusConflict, "ann", c.ID, *old, "allow") // no turn waits for the decision yet
	until = a.events("ann", c)
	a.post(http.StatusAccepted, "ann", "/"+c.ID+"/continue", `{}`)
	again := until("approval_needed").Approval
	require.Equal(t, old, again, "the ID and the digest are the same")
	a.decide(http.StatusNoContent, "ann", c.ID, *old, "allow")
	require.Equal(t, "ann bought 2 apples", until("tool_done").Result.Result)
	until("run_done")
	require.Len(t, a.show("ann", c.ID).Messages, 4)
	require.Len(t, a.models.Requests(), 2, "the model was not asked again for what is stored")
}

func TestAReplyIsWrittenAgainAfterARestart(t *testing.T) {
	a := start(t, modelserver.Stalled("Let me "), modelserver.Text("Here."))
	c := a.post(http.StatusCreated, "ann", "", `{}`)
	until := a.events("ann", a.show("ann", c.ID))
	a.post(http.StatusAccepted, "ann", "/"+c.ID+"/messages", `{"text":"A story."}`)
	until("text")
	a.Restart()
	c = a.show("ann", c.ID)
	require.Len(t, c.Messages, 1)
	until = a.events("ann", c)
	a.post(http.StatusAccepted, "ann", "/"+c.ID+"/continue", `{}`)
	until("run_done")
	require.Len(t, a.show("ann", c.ID).Messages, 2)
}

func TestTheHostMustBeThisMachineOrTheProxy(t *testing.T) {
	const proxy = "chat.example"
	for _, tt := range []struct {
		name, proxy, host, person string
		user                      string
		status                    int
	}{
		{"this machine", "", "127.0.0.1:8080", "", "you", 0},
		{"this machine at port 80", "", "localhost", "", "you", 0},
		{"this machine by IPv6", "", "[::1]", "ann", "ann", 0},
		{"another host", "", "evil.example:80", "", "", http.StatusForbidden},
		{"a host that begins like this machine", "", "127.0.0.1.evil.example", "", "", http.StatusForbidden},
		{"no host", "", "", "", "", http.StatusForbidden},
		{"the proxy", proxy, proxy, "ann", "ann", 0},
		{"the proxy at a port", proxy, proxy + ":8443", "ann", "ann", 0},
		{"the proxy without a person", proxy, proxy, "", "", http.StatusUnauthorized},
		{"another host than the proxy", proxy, "evil.example", "ann", "", http.StatusForbidden},
		{"a request past the proxy", proxy, "127.0.0.1:8080", "", "", http.StatusForbidden},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("WEBCHAT_HOST", tt.proxy)
			r := httptest.NewRequest(http.MethodGet, "/api/conversations", http.NoBody)
			r.Host = tt.host
			r.Header.Set("X-User", tt.person)
			u, err := user(r)
			require.Equal(t, tt.user, u.ID)
			if tt.status == 0 {
				require.NoError(t, err)
				return
			}
			var refused *server.Error
			require.ErrorAs(t, err, &refused)
			require.Equal(t, tt.status, refused.Status)
		})
	}
}

func TestThePageIsServedWithASecurityPolicy(t *testing.T) {
	a := start(t)
	lines := 0
	for path, kind := range map[string]string{
		"/": "text/html; charset=utf-8", "/page.js": "text/javascript; charset=utf-8", "/style.css": "text/css",
	} {
		status, header, content := a.do("", http.MethodGet, path, "")
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, kind, header.Get("Content-Type"))
		body, err := io.ReadAll(content)
		require.NoError(t, err)
		if path != "/style.css" {
			lines += bytes.Count(body, []byte("\n"))
		}
		if path == "/" {
			require.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'")
		}
	}
	require.LessOrEqual(t, lines, 170, "the page stays short, since it is an example")
}

// TestTheDocumentShowsTheWholeProgram checks that docs/embedding.md contains main.go in order.
func TestTheDocumentShowsTheWholeProgram(t *testing.T) {
	program, err := os.ReadFile("main.go")
	require.NoError(t, err)
	document, err := os.ReadFile(filepath.Join("..", "..", "docs", "embedding.md"))
	require.NoError(t, err)
	rest := string(program)
	for _, m := range regexp.MustCompile("(?s)```go\n(.*?)```").FindAllSubmatch(document, -1) {
		skipped, following, found := strings.Cut(rest, string(m[1]))
		require.True(t, found, "the rest of the program does not contain the next part of the document:\n%s", m[1])
		require.Empty(t, strings.TrimSpace(skipped), "the document does not show this part of the program")
		rest = following
	}
	require.Empty(t, strings.TrimSpace(rest), "the document does not show this part of the program")
}
