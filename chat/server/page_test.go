package server_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/server"
)

// page is a tab of a user's browser that shows a conversation.
type page struct {
	*app
	user, id string
}

// open creates a conversation of a user and returns a page that shows it.
func (a *app) open(user string) *page {
	a.t.Helper()
	p := &page{a, user, ""}
	var m chat.Metadata
	p.post(http.StatusCreated, "", `{}`, &m)
	p.id = m.ID
	return p
}

// response is the response to a request of a page. Its body is closed at the end of the test.
type response struct {
	StatusCode int
	Header     http.Header
	Body       io.ReadCloser
}

// request sends a request of the page's user. Names and values alternate in header.
func (p *page) request(method, path, body string, header ...string) response {
	p.t.Helper()
	address := p.url + "/conversations"
	if p.id != "" {
		address += "/" + p.id
	}
	req, err := http.NewRequestWithContext(p.t.Context(), method, address+path, strings.NewReader(body))
	require.NoError(p.t, err)
	req.Header.Set("X-User", p.user)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	r, err := p.client.Do(req)
	require.NoError(p.t, err)
	p.t.Cleanup(func() { r.Body.Close() })
	return response{r.StatusCode, r.Header, r.Body}
}

// read decodes the JSON of a response, which must have the given status.
func (p *page) read(r response, status int, out any) {
	p.t.Helper()
	data, err := io.ReadAll(r.Body)
	require.NoError(p.t, err)
	require.Equal(p.t, status, r.StatusCode, string(data))
	if out != nil {
		require.NoError(p.t, json.Unmarshal(data, out), string(data))
	}
}

func (p *page) post(status int, path, body string, out any) {
	p.t.Helper()
	p.read(p.request(http.MethodPost, path, body), status, out)
}

// refused fails the test unless a response is an error with the given status and code.
func (p *page) refused(r response, status int, code string) {
	p.t.Helper()
	var out struct{ Error server.Error }
	p.read(r, status, &out)
	require.Equal(p.t, code, out.Error.Code, out.Error.Message)
}

func (p *page) send(text string) {
	p.t.Helper()
	body, err := json.Marshal(map[string]string{"text": text})
	require.NoError(p.t, err)
	p.post(http.StatusAccepted, "/messages", string(body), nil)
}

// shownMessage is the JSON of a message as a page reads it.
type shownMessage struct {
	Seq                 int64
	Role, Content, HTML string
	Text                string
	ToolCall            []struct{ Status, Result string }
}

// shown is the JSON of a conversation as a page reads it.
type shown struct {
	Title                string
	Messages             []shownMessage
	Before               int64
	Pending              []call
	Running, CanContinue bool
	EventID              string
}

// call is the JSON of a call that waits for a decision.
type call struct {
	RequestID, Digest, Method string
	Arguments                 json.RawMessage
}

func (p *page) show(query string) (c shown) {
	p.t.Helper()
	p.read(p.request(http.MethodGet, query, ""), http.StatusOK, &c)
	return c
}

// texts returns the text of each message. For a result message it returns the status of the first
// result.
func (c shown) texts() (list []string) {
	for _, m := range c.Messages {
		switch {
		case len(m.ToolCall) > 0:
			list = append(list, "result: "+m.ToolCall[0].Status)
		case m.Role == "assistant":
			list = append(list, m.Text)
		default:
			list = append(list, m.Content)
		}
	}
	return list
}

// event contains the members of an event that the tests check.
type event struct {
	ID, Raw          string `json:"-"`
	Kind, Text, Stop string
	After            int64
	Messages         []shownMessage
	Approval         *call
	Error            any
	Result           struct{ ErrorType, Result string }
}

// events reads the events of an open stream.
type events struct {
	t     *testing.T
	lines *bufio.Reader
	body  io.ReadCloser
}

// stream opens the stream of the events after the one with the given ID; "" means from now on.
func (p *page) stream(after string) *events {
	p.t.Helper()
	r := p.request(http.MethodGet, "/events", "", "Last-Event-ID", after)
	require.Equal(p.t, http.StatusOK, r.StatusCode)
	require.Equal(p.t, "text/event-stream", r.Header.Get("Content-Type"))
	return &events{p.t, bufio.NewReader(r.Body), r.Body}
}

// next returns the next event. It returns false at the end of the stream.
func (s *events) next() (e event, ok bool) {
	s.t.Helper()
	for {
		line, err := s.lines.ReadBytes('\n')
		if err != nil {
			return e, false
		}
		name, value, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(": "))
		switch string(name) {
		case "id":
			e.ID = string(value)
		case "data":
			e.Raw = string(value)
			require.NoError(s.t, json.Unmarshal(value, &e), "%d bytes, from %.40q to %.40q", len(value), value,
				value[max(0, len(value)-40):])
		case "":
			if e.Raw != "" {
				return e, true
			}
		}
	}
}

// until returns the events up to the first of the given kind.
func (s *events) until(kind string) (list []event) {
	s.t.Helper()
	for {
		e, ok := s.next()
		require.True(s.t, ok, "the stream ended before %s", kind)
		if list = append(list, e); e.Kind == kind {
			return list
		}
	}
}

func last(list []event) event { return list[len(list)-1] }
