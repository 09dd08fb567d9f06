package server_test

import (
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat/server"
)

func TestAnyTabCanApprove(t *testing.T) {
	a := newApp(t, nil, calls(t, "shop_buy", "item", "apples"), says("Bought."))
	tab1 := a.open("ann")
	tab2 := &page{a, "ann", tab1.id}
	s1, s2 := tab1.stream(""), tab2.stream("")
	tab1.send("Apples, please.")
	asked := last(s1.until("approval_needed"))
	require.Equal(t, asked, last(s2.until("approval_needed")))
	require.JSONEq(t, `{"item":"apples"}`, string(asked.Approval.Arguments))
	c := tab2.show("")
	require.Equal(t, []call{*asked.Approval}, c.Pending)
	require.True(t, c.Running)
	tab2.decide(http.StatusNoContent, asked.Approval, "allow")
	done := last(s1.until("tool_done"))
	require.Equal(t, "ann bought apples", done.Result.Result)
	require.NotContains(t, done.Raw, "svg/>", "data of files is not in events")
	rest := s2.until("run_done")[2:] // without tool_started and tool_done, which only s1 has read before
	require.Equal(t, s1.until("run_done"), rest, "both tabs get the same events")
	tab1.refused(tab1.decision(asked.Approval, "allow"), http.StatusConflict, server.CodeStaleDecision)
	require.Empty(t, tab1.show("").Pending)
}

func TestAFileOfAResultIsSavedAndNotRun(t *testing.T) {
	p := newApp(t, nil, calls(t, "shop_buy", "item", "apples"), says("Bought.")).open("ann")
	s := p.stream("")
	p.send("Apples, please.")
	p.decide(http.StatusNoContent, last(s.until("approval_needed")).Approval, "allow")
	s.until("run_done")
	result := p.show("").Messages[2]
	r := p.request(http.MethodGet, fmt.Sprintf("/files/%d/0/0", result.Seq), "")
	data, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	require.Equal(t, "<svg/>", string(data))
	require.Equal(t, `attachment; filename=bill.svg`, r.Header.Get("Content-Disposition"))
	require.Equal(t, "sandbox; default-src 'none'", r.Header.Get("Content-Security-Policy"))
	for _, path := range []string{"/files/%d/0/1", "/files/%d/1/0", "/files/99%d/0/0"} {
		p.refused(p.request(http.MethodGet, fmt.Sprintf(path, result.Seq), ""), http.StatusNotFound, server.CodeNotFound)
	}
}

// decision sends a decision about a call and returns the response.
func (p *page) decision(c *call, verdict string) response {
	p.t.Helper()
	return p.request(http.MethodPost, "/decisions",
		fmt.Sprintf(`{"requestId":%q,"digest":%q,"decision":{"verdict":%q}}`, c.RequestID, c.Digest, verdict))
}

// decide is like decision, and requires the given status of the response.
func (p *page) decide(status int, c *call, verdict string) {
	p.t.Helper()
	p.read(p.decision(c, verdict), status, nil)
}

func TestAStaleApprovalIsRefused(t *testing.T) {
	a := newApp(t, nil, calls(t, "shop_buy", "item", "apples"), calls(t, "shop_buy", "item", "a house"))
	p := a.open("ann")
	s := p.stream("")
	p.send("Apples, please.")
	old := last(s.until("approval_needed")).Approval
	p.decide(http.StatusNoContent, old, "deny")
	current := last(s.until("approval_needed")).Approval
	require.NotEqual(t, old.RequestID, current.RequestID)
	for name, c := range map[string]*call{
		"the old call": old, "the old digest": {RequestID: current.RequestID, Digest: old.Digest},
		"the old id": {RequestID: old.RequestID, Digest: current.Digest},
		"no digest":  {RequestID: current.RequestID}, "neither id nor digest": {},
	} {
		t.Run(name, func(t *testing.T) {
			p.refused(p.decision(c, "allow"), http.StatusConflict, server.CodeStaleDecision)
		})
	}
	p.refused(p.decision(current, "maybe"), http.StatusBadRequest, server.CodeBadDecision)
	bob := &page{a, "bob", p.id}
	bob.refused(bob.decision(current, "allow"), http.StatusNotFound, server.CodeNotFound)
	require.Equal(t, []call{*current}, p.show("").Pending, "the call still waits")
	p.decide(http.StatusNoContent, current, "deny")
	s.until("run_done")
}

func TestAQuestionEndsWithItsServer(t *testing.T) {
	a := newApp(t, nil, calls(t, "shop_buy", "item", "apples"))
	p := a.open("ann")
	s := p.stream("")
	p.send("Apples, please.")
	asked := last(s.until("approval_needed")).Approval
	require.NoError(t, a.server.Close(t.Context()))
	b := newApp(t, func(o *server.Options) { o.Store = a.store }, says("Well."))
	q := &page{b, "ann", p.id}
	q.refused(q.decision(asked, "allow"), http.StatusConflict, server.CodeStaleDecision)
	require.Equal(t, []string{"Apples, please.", "Look:\n", "result: error"}, q.show("").texts())
	s = q.stream(q.show("").EventID)
	q.post(http.StatusAccepted, "/continue", `{}`, nil)
	s.until("run_done")
	require.Equal(t, "Well.", q.show("").texts()[3])
}
