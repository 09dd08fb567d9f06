package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/model"
	"github.com/vcpgo/vcp/protocol"
)

// site is the page over HTTP.
type site struct {
	t   *testing.T
	url string
}

func openSite(t *testing.T, models model.Options) site {
	t.Helper()
	a, err := newAnalyst(models, "sales.csv")
	require.NoError(t, err)
	t.Cleanup(a.close)
	handler, chats, err := a.handler()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, chats.Close(context.Background())) })
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return site{t, server.URL}
}

// do sends a request as the page does, and returns the status, the headers and the body.
func (s site) do(method, path string, body any) (int, http.Header, []byte) {
	s.t.Helper()
	data, err := json.Marshal(body)
	require.NoError(s.t, err)
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, bytes.NewReader(data))
	require.NoError(s.t, err)
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	require.NoError(s.t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(s.t, err)
	return response.StatusCode, response.Header, text
}

// ask asks a question in a new conversation, and returns its path and its messages after the turn.
func (s site) ask(question string) (path string, messages []chat.Message) {
	s.t.Helper()
	var c struct {
		ID       string
		Running  bool
		Messages []chat.Message
	}
	send := func(method, path string, body any, want int) {
		s.t.Helper()
		code, _, data := s.do(method, path, body)
		require.Equal(s.t, want, code, string(data))
		require.NoError(s.t, json.Unmarshal(data, &c))
	}
	send("POST", "/api/conversations", struct{}{}, http.StatusCreated)
	path = "/api/conversations/" + c.ID
	send("POST", path+"/messages", map[string]string{"text": question}, http.StatusAccepted)
	require.Eventually(s.t, func() bool {
		send("GET", path, nil, http.StatusOK)
		return !c.Running
	}, time.Minute, 10*time.Millisecond)
	return path, c.Messages
}

// TestThePageHasTheExactFigures asks as the page does, and compares what the page shows with the
// figures.
func TestThePageHasTheExactFigures(t *testing.T) {
	s := openSite(t, demoModel(t))
	path, messages := s.ask("What was the trend of revenue in the last quarter by month in sales.csv? Draw a chart.")
	require.Len(t, messages, 4)
	plan, results, answer := messages[1], messages[2], messages[3]
	require.Contains(t, plan.Text, "table_aggregate", "the plan")
	require.Len(t, plan.ToolCallsRequested, 1)
	require.Equal(t, "table_aggregate", plan.ToolCallsRequested[0].Method)
	require.Len(t, results.Outcomes, 1)
	r := results.Outcomes[0]
	require.Equal(t, protocol.StatusSuccess, r.Status)

	var table struct {
		Columns []string
		Rows    [][]string
	}
	require.NoError(t, json.Unmarshal(r.Details, &table))
	require.Equal(t, []string{"month", "sum of revenue", "change"}, table.Columns)
	months, _, _ := figures(t)
	require.Len(t, table.Rows, len(months))
	var previousSum *big.Rat
	for _, row := range table.Rows {
		sum, change := months[row[0]], ""
		require.NotNil(t, sum, row[0])
		if previousSum != nil {
			change = growth(previousSum, sum)
		}
		require.Equal(t, []string{decimal(sum), change}, row[1:])
		previousSum = sum
	}

	code, header, chart := s.do("GET", fmt.Sprintf("%s/files/%d/0/0", path, results.Seq), nil)
	require.Equal(t, http.StatusOK, code)
	require.Equal(t, "image/svg+xml", header.Get("Content-Type"))
	requireFigures(t, answer.Text, string(chart))
}

func TestNoRowReachesTheModelOfThePage(t *testing.T) {
	server := rowReader(t)
	_, messages := openSite(t, model.Options{BaseURL: server.URL}).ask("What is the trend?")
	require.Equal(t, "Revenue is in the chart.", messages[len(messages)-1].Text)
	require.Equal(t, protocol.StatusError, messages[4].Outcomes[0].Status, "table_rows is hidden")
	requireNoRow(t, server)
}

func TestThePageIsServedWithASecurityPolicy(t *testing.T) {
	s := openSite(t, demoModel(t))
	for path, kind := range map[string]string{
		"/": "text/html; charset=utf-8", "/page.js": "text/javascript; charset=utf-8", "/page.css": "text/css; charset=utf-8",
	} {
		t.Run(path, func(t *testing.T) {
			code, header, body := s.do("GET", path, nil)
			require.Equal(t, http.StatusOK, code)
			require.Equal(t, kind, header.Get("Content-Type"))
			require.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'")
			require.NotContains(t, string(body), "https://", "the page works without a network")
		})
	}
}

func TestConversationsAreServedToThisMachineOnly(t *testing.T) {
	s := openSite(t, demoModel(t))
	for host, want := range map[string]int{
		"localhost:8118": http.StatusOK, "127.0.0.1:8118": http.StatusOK, "localhost": http.StatusOK, "[::1]": http.StatusOK,
		"evil.example:8118": http.StatusForbidden, "127.0.0.1.evil.example:80": http.StatusForbidden,
	} {
		t.Run("host "+host, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/api/conversations", nil)
			require.NoError(t, err)
			r.Host = host
			response, err := http.DefaultClient.Do(r)
			require.NoError(t, err)
			defer response.Body.Close()
			require.Equal(t, want, response.StatusCode)
		})
	}
}
