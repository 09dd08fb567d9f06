package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/modelserver"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// TestMain runs the program itself if a test started it as a process of its own.
func TestMain(m *testing.M) {
	if os.Getenv("WEBCHAT_ADDRESS") != "" {
		main()
	}
	os.Exit(m.Run())
}

func asks(t *testing.T, name string, args ...string) modelserver.Reply {
	t.Helper()
	req := protocol.ToolRequest{ToolName: name}
	for i := 0; i < len(args); i += 2 {
		req.Arguments = append(req.Arguments, protocol.Argument{Name: args[i], Value: args[i+1]})
	}
	text, err := vcp.Protocol{}.FormatToolRequests([]protocol.ToolRequest{req})
	require.NoError(t, err)
	return modelserver.Text(text)
}

func buys(t *testing.T, count string) modelserver.Reply {
	return asks(t, "shop_buy", "item", "apples", "count", count)
}

// event is what a page reads of an event.
type event struct {
	Kind, RequestID, Text, Stop, Error string
	Approval                           *call
	Result                             struct{ Status, ErrorType, Result, Why string }
}

type call struct {
	RequestID, Digest, Method, Risk string
	Arguments                       json.RawMessage
}

// page is a tab of a user's browser.
type page struct {
	t         *testing.T
	url, user string
}

func (p page) do(method, path, contentType, body string) (status int, answer io.ReadCloser) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), method, p.url+path, strings.NewReader(body))
	require.NoError(p.t, err)
	req.Header.Set("X-User", p.user)
	req.Header.Set("Content-Type", contentType)
	r, err := http.DefaultClient.Do(req)
	require.NoError(p.t, err)
	p.t.Cleanup(func() { r.Body.Close() })
	return r.StatusCode, r.Body
}

// turn sends a text, or lets the model go on, and returns the next event on each call.
func (p page) turn(text string) (next func() event) {
	p.t.Helper()
	status, answer := p.do("POST", "/chats/1/turns", "application/x-www-form-urlencoded", url.Values{"text": {text}}.Encode())
	require.Equal(p.t, http.StatusOK, status)
	lines := bufio.NewReader(answer)
	return func() (e event) {
		line, err := lines.ReadBytes('\n')
		require.NoError(p.t, err)
		require.NoError(p.t, json.Unmarshal(line, &e), string(line))
		return e
	}
}

// until returns the first event of a kind.
func until(next func() event, kind string) event {
	for {
		if e := next(); e.Kind == kind {
			return e
		}
	}
}

func (p page) decide(id, digest, verdict string) (status int, message string) {
	p.t.Helper()
	status, answer := p.do("POST", "/chats/1/decisions", "application/json", fmt.Sprintf(`{"requestId":%q,"digest":%q,"decision":{"verdict":%q}}`, id, digest, verdict))
	text, err := io.ReadAll(answer)
	require.NoError(p.t, err)
	return status, string(text)
}

func (p page) approve(c *call) { p.t.Helper(); p.expect(http.StatusOK, c.RequestID, c.Digest) }

func (p page) expect(want int, id, digest string) {
	p.t.Helper()
	status, message := p.decide(id, digest, "allow")
	require.Equal(p.t, want, status, message)
}

// shown is the chat as a page shows it.
func (p page) shown() (messages []map[string]any, pending []call) {
	p.t.Helper()
	var chat struct {
		Messages []map[string]any
		Pending  []call
	}
	_, answer := p.do("GET", "/chats/1", "", "")
	require.NoError(p.t, json.NewDecoder(answer).Decode(&chat))
	return chat.Messages, chat.Pending
}

// app starts the application in this process, in a directory of its own.
func app(t *testing.T, replies ...modelserver.Reply) (string, *modelserver.Server) {
	t.Helper()
	t.Chdir(t.TempDir())
	return start(t, modelserver.Start(t, replies...))
}

// start starts the application in the current directory.
func start(t *testing.T, models *modelserver.Server) (string, *modelserver.Server) {
	t.Helper()
	client, err := model.New(model.Options{BaseURL: models.URL, Model: "scripted"})
	require.NoError(t, err)
	handler, err := newServer(client)
	require.NoError(t, err)
	s := httptest.NewServer(handler)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close(); client.Close() })
	return s.URL, models
}

func TestAnApprovalFromASecondTab(t *testing.T) {
	base, _ := app(t, buys(t, "2"), modelserver.Text("Bought."))
	first, second := page{t, base, "ann"}, page{t, base, "ann"}
	next := first.turn("Two apples, please.")
	asked := until(next, "approval_needed").Approval
	_, pending := second.shown()
	require.Equal(t, []call{*asked}, pending)
	require.Equal(t, []string{"shop_buy", "dangerous"}, []string{pending[0].Method, pending[0].Risk})
	require.JSONEq(t, `{"item":"apples","count":2}`, string(pending[0].Arguments))
	second.approve(&pending[0])
	require.Equal(t, "paying", until(next, "tool_progress").Text)
	require.Equal(t, "ann bought 2 apples", until(next, "tool_done").Result.Result)
	require.Equal(t, "done", until(next, "run_done").Stop)
	first.expect(http.StatusConflict, asked.RequestID, asked.Digest) // the other tab was first
}

func TestAStaleApprovalIsRefused(t *testing.T) {
	base, _ := app(t, buys(t, "2"), buys(t, "2000"), modelserver.Text("Well."))
	p := page{t, base, "ann"}
	next := p.turn("Apples, please.")
	old := until(next, "approval_needed").Approval
	status, _ := p.decide(old.RequestID, old.Digest, "deny")
	require.Equal(t, http.StatusOK, status)
	now := until(next, "approval_needed").Approval
	require.NotEqual(t, old.RequestID, now.RequestID)
	p.expect(http.StatusConflict, old.RequestID, old.Digest)
	p.expect(http.StatusConflict, now.RequestID, old.Digest)
	p.expect(http.StatusConflict, old.RequestID, now.Digest)
	p.expect(http.StatusConflict, now.RequestID, "")
	_, pending := p.shown()
	require.Len(t, pending, 1, "it still waits")
	p.approve(now)
	require.Equal(t, "ann bought 2000 apples", until(next, "tool_done").Result.Result)
	until(next, "run_done")
}

func TestTwoUsersHaveDifferentTools(t *testing.T) {
	base, models := app(t, modelserver.Text("Hello."), buys(t, "1"), modelserver.Text("No."))
	until(page{t, base, "ann"}.turn("Hi."), "run_done")
	next := page{t, base, "guest"}.turn("Buy an apple.")
	done := until(next, "tool_done").Result
	require.Equal(t, []string{"tool_disabled", "the session's toolToggles: shop_buy is false"}, []string{done.ErrorType, done.Why})
	until(next, "run_done")
	requests := models.Requests()
	require.Contains(t, requests[0].Messages[0].Content, "shop_buy")
	require.NotContains(t, requests[1].Messages[0].Content, "shop_buy")
	require.Contains(t, requests[1].Messages[0].Content, "shop_stock")
	messages, _ := page{t, base, "guest"}.shown()
	require.Equal(t, "Buy an apple.", messages[0]["content"], "chats with the same id are different for different users")
}

func TestStopFromASecondTab(t *testing.T) {
	base, _ := app(t, modelserver.Stalled("Let me "), modelserver.Text("Here."))
	p := page{t, base, "ann"}
	next := p.turn("A story.")
	require.Equal(t, "text", next().Kind)
	status, _ := p.do("POST", "/chats/1/turns", "", "")
	require.Equal(t, http.StatusConflict, status, "one turn at a time")
	status, _ = p.do("POST", "/chats/1/stop", "", "")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "canceled", until(next, "run_done").Stop)
	until(p.turn(""), "run_done")
}

func TestABrowserThatLeavesEndsItsTurn(t *testing.T) {
	base, _ := app(t, buys(t, "2"), modelserver.Text("Well."))
	p := page{t, base, "ann"}
	_, answer := p.do("POST", "/chats/1/turns", "application/x-www-form-urlencoded", "text=Go.")
	line, err := bufio.NewReader(answer).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "kind")
	answer.Close()
	require.Eventually(t, func() bool {
		_, pending := p.shown()
		messages, _ := p.shown()
		return len(pending) == 0 && len(messages) > 1
	}, time.Minute, 10*time.Millisecond)
}

func TestOtherSitesDecideNothing(t *testing.T) {
	base, _ := app(t)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/chats/1/stop", nil)
	require.NoError(t, err)
	req.Header.Set("Sec-Fetch-Site", "cross-site")
	r, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer r.Body.Close()
	require.Equal(t, http.StatusForbidden, r.StatusCode)
}

// process starts the program as a process of its own in a directory, and returns how to kill it.
func process(t *testing.T, dir, address, models string) (kill func()) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	cmd.Env = append(os.Environ(), "WEBCHAT_ADDRESS="+address, "OPENAI_BASE_URL="+models, "OPENAI_MODEL=scripted")
	require.NoError(t, cmd.Start())
	kill = func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }
	t.Cleanup(kill)
	require.Eventually(t, func() bool {
		c, err := net.Dial("tcp", address)
		if err == nil {
			c.Close()
		}
		return err == nil
	}, time.Minute, 10*time.Millisecond)
	return kill
}

func TestKilledAndRestartedInMidApproval(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := l.Addr().String()
	require.NoError(t, l.Close())
	models := modelserver.Start(t, buys(t, "2"), buys(t, "2"), modelserver.Text("Bought."))
	dir := t.TempDir()
	p := page{t, "http://" + address, "ann"}

	kill := process(t, dir, address, models.URL)
	old := until(p.turn("Two apples, please."), "approval_needed").Approval
	kill()
	process(t, dir, address, models.URL)

	messages, pending := p.shown()
	require.Len(t, messages, 1)
	require.Equal(t, "Two apples, please.", messages[0]["content"])
	require.Empty(t, pending)
	p.expect(http.StatusConflict, old.RequestID, old.Digest)
	next := p.turn("") // the model goes on
	now := until(next, "approval_needed").Approval
	require.Equal(t, old.Digest, now.Digest, "it is the same call")
	p.expect(http.StatusConflict, old.RequestID, old.Digest) // and yet nobody has approved it
	p.approve(now)
	require.Equal(t, "ann bought 2 apples", until(next, "tool_done").Result.Result)
	until(next, "run_done")
	messages, _ = p.shown()
	require.Len(t, messages, 4)
}

func TestKilledWhileTheModelWrites(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := l.Addr().String()
	require.NoError(t, l.Close())
	models := modelserver.Start(t, modelserver.Stalled("Let me "), modelserver.Text("Here."))
	dir := t.TempDir()
	p := page{t, "http://" + address, "ann"}

	kill := process(t, dir, address, models.URL)
	until(p.turn("Two apples, please."), "text")
	kill()
	process(t, dir, address, models.URL)

	messages, _ := p.shown()
	require.Len(t, messages, 1)
	require.Equal(t, "Two apples, please.", messages[0]["content"])
	until(p.turn(""), "run_done")
	messages, _ = p.shown()
	require.Len(t, messages, 2)
}

// TestThePageShowsThisProgram keeps docs/embedding.md equal to the program.
func TestThePageShowsThisProgram(t *testing.T) {
	program, err := os.ReadFile("main.go")
	require.NoError(t, err)
	document, err := os.ReadFile(filepath.Join("..", "..", "docs", "embedding.md"))
	require.NoError(t, err)
	rest := string(program)
	for _, m := range regexp.MustCompile("(?s)```go\n(.*?)```").FindAllSubmatch(document, -1) {
		before, after, found := strings.Cut(rest, string(m[1]))
		require.True(t, found, "the program does not contain, or not in this order:\n%s", m[1])
		require.Empty(t, strings.TrimSpace(before), "the page does not show this part of the program")
		rest = after
	}
	require.Empty(t, strings.TrimSpace(rest), "the page does not show this part of the program")
	require.LessOrEqual(t, bytes.Count(program, []byte("\n")), 180)
}
