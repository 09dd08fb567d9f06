package server_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/server"
)

func TestATurnReachesThePageAndTheHistory(t *testing.T) {
	a := newApp(t, nil, says("Hello ", "*you*."))
	p := a.open("ann")
	s := p.stream("")
	p.send("Hi.\nThere.")
	list := s.until("run_done")
	require.Equal(t, "messages", list[0].Kind)
	require.Equal(t, "Hi.\nThere.", list[0].Messages[0].Content)
	text := ""
	for _, e := range list {
		text += e.Text
	}
	require.Equal(t, "Hello *you*.", text)
	require.Equal(t, "done", last(list).Stop)
	c := p.show("")
	require.Equal(t, []string{"Hi.\nThere.", "Hello *you*."}, c.texts())
	require.Equal(t, "Hi. There.", c.Title)
	require.Contains(t, c.Messages[1].HTML, "<em>you</em>")
	require.False(t, c.Running)
	require.False(t, c.CanContinue)

	var all struct{ Conversations []chat.Metadata }
	(&page{a, "ann", ""}).read((&page{a, "ann", ""}).request(http.MethodGet, "?limit=10", ""), http.StatusOK, &all)
	require.Len(t, all.Conversations, 1)
	require.Equal(t, p.id, all.Conversations[0].ID)
}

// A page that applies the events of kind messages shows the same as a page that is loaded after
// them.
func TestAPageReplacesMessages(t *testing.T) {
	a := newApp(t, nil, calls(t, "shop_nothing"), says("Well. "), says("Two."), says("Other two."), says("Three."))
	p := a.open("ann")
	s := p.stream("")
	var page []shownMessage
	follow := func() {
		t.Helper()
		for _, e := range s.until("run_done") {
			switch e.Kind {
			case "reset":
				page = p.show("").Messages
			case "messages":
				for len(page) > 0 && page[len(page)-1].Seq > e.After {
					page = page[:len(page)-1]
				}
				page = append(page, e.Messages...)
			}
		}
		require.Equal(t, p.show("").Messages, page)
	}
	p.send("One?")
	follow()
	require.Len(t, page, 4)
	p.send("Two?")
	follow()
	p.post(http.StatusAccepted, "/continue", fmt.Sprintf(`{"regenerate":%d}`, page[len(page)-1].Seq), nil)
	follow()
	c := p.show("")
	require.Equal(t, "Other two.", c.texts()[5])
	p.post(http.StatusAccepted, "/messages", fmt.Sprintf(`{"text":"Three?","edit":%d}`, page[4].Seq), nil)
	follow()
	c = p.show("")
	require.Equal(t, []string{"Three?", "Three."}, c.texts()[4:])
}

func TestAConversationContinuesOnAnyBranch(t *testing.T) {
	a := newApp(t, nil, says("A."), says("B."), says("C."))
	p := a.open("ann")
	s := p.stream("")
	for _, text := range []string{"a?", "b?"} {
		p.send(text)
		s.until("run_done")
	}
	c := p.show("")
	p.post(http.StatusNoContent, "/branches", fmt.Sprintf(`{"after":%d}`, c.Messages[1].Seq), nil)
	s.until("reset")
	require.Equal(t, []string{"a?", "A."}, p.show("").texts())
	p.send("c?")
	s.until("run_done")
	var list struct{ Branches []chat.Branch }
	p.read(p.request(http.MethodGet, "/branches", ""), http.StatusOK, &list)
	require.Len(t, list.Branches, 2)
	require.Equal(t, []bool{true, false}, []bool{list.Branches[0].Current, list.Branches[1].Current})
	p.post(http.StatusNoContent, "/branches", fmt.Sprintf(`{"after":%d}`, list.Branches[1].Seq), nil)
	require.Equal(t, []string{"a?", "A.", "b?", "B."}, p.show("").texts())
	p.refused(p.request(http.MethodPost, "/branches", `{"after":9999}`), http.StatusNotFound, server.CodeNotFound)
	p.refused(p.request(http.MethodPost, "/branches", `{}`), http.StatusBadRequest, server.CodeBadRequest)
	p.refused(p.request(http.MethodPost, "/continue", `{}`), http.StatusConflict, server.CodeNothingToContinue)
	question := fmt.Sprint(p.show("").Messages[0].Seq)
	p.refused(p.request(http.MethodPost, "/continue", `{"regenerate":`+question+`}`), http.StatusConflict, server.CodeBadBranch)
	answer := fmt.Sprint(p.show("").Messages[1].Seq)
	p.refused(p.request(http.MethodPost, "/messages", `{"text":"x","edit":`+answer+`}`), http.StatusConflict, server.CodeBadBranch)
}

func TestAHistoryIsReadPageByPage(t *testing.T) {
	a := newApp(t, nil, says("A."), says("B."), says("C."))
	p := a.open("ann")
	s := p.stream("")
	for _, text := range []string{"a?", "b?", "c?"} {
		p.send(text)
		s.until("run_done")
	}
	c := p.show("?limit=2")
	require.Equal(t, []string{"c?", "C."}, c.texts())
	c = p.show(fmt.Sprintf("?limit=3&before=%d", c.Before))
	require.Equal(t, []string{"A.", "b?", "B."}, c.texts())
	c = p.show(fmt.Sprintf("?limit=3&before=%d", c.Before))
	require.Equal(t, []string{"a?"}, c.texts())
	require.Zero(t, c.Before)
	p.refused(p.request(http.MethodGet, "?limit=x", ""), http.StatusBadRequest, server.CodeBadRequest)
	p.refused(p.request(http.MethodGet, "?before=-1", ""), http.StatusBadRequest, server.CodeBadRequest)
}

func TestAListIsReadPageByPage(t *testing.T) {
	a := newApp(t, nil)
	want := map[string]bool{}
	for range 5 {
		want[a.open("ann").id] = true
	}
	all := &page{app: a, user: "ann"}
	got := map[string]bool{}
	for next := ""; ; {
		var list struct {
			Conversations []chat.Metadata
			Next          string
		}
		all.read(all.request(http.MethodGet, "?limit=2&page="+next, ""), http.StatusOK, &list)
		for _, m := range list.Conversations {
			got[m.ID] = true
		}
		if next = list.Next; next == "" {
			break
		}
		require.Equal(t, next, url.QueryEscape(next), "next needs no URL encoding")
	}
	require.Equal(t, want, got)
	for _, page := range []string{"x", "*", "eA"} {
		all.refused(all.request(http.MethodGet, "?page="+page, ""), http.StatusBadRequest, server.CodeBadRequest)
	}
}

func TestAMissingBodyIsAnEmptyObject(t *testing.T) {
	a := newApp(t, nil, waits("Some words", nil), says("Here."))
	var m chat.Metadata
	p := &page{app: a, user: "ann"}
	p.post(http.StatusCreated, "", "", &m)
	p.id = m.ID
	s := p.stream("")
	p.refused(p.request(http.MethodPost, "/messages", ""), http.StatusBadRequest, server.CodeBadRequest)
	p.refused(p.request(http.MethodPost, "/branches", ""), http.StatusBadRequest, server.CodeBadRequest)
	p.refused(p.request(http.MethodPost, "/decisions", ""), http.StatusBadRequest, server.CodeBadDecision)
	p.send("Hi.")
	s.until("text")
	p.post(http.StatusOK, "/stop", "", nil)
	s.until("run_done")
	p.post(http.StatusAccepted, "/continue", "", nil)
	require.Equal(t, "done", last(s.until("run_done")).Stop)
}

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
	require.Equal(t, s1.until("run_done"), s2.until("run_done")[2:], "both tabs get the same events")
	tab1.refused(tab1.decision(asked.Approval, "allow"), http.StatusConflict, server.CodeStaleDecision)
	require.Empty(t, tab1.show("").Pending)

	result := tab1.show("").Messages[2]
	r := tab1.request(http.MethodGet, fmt.Sprintf("/files/%d/0/0", result.Seq), "")
	data, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	require.Equal(t, "<svg/>", string(data))
	require.Equal(t, `attachment; filename=bill.svg`, r.Header.Get("Content-Disposition"))
	require.Equal(t, "sandbox; default-src 'none'", r.Header.Get("Content-Security-Policy"))
	for _, path := range []string{"/files/%d/0/1", "/files/%d/1/0", "/files/99%d/0/0"} {
		tab1.refused(tab1.request(http.MethodGet, fmt.Sprintf(path, result.Seq), ""), http.StatusNotFound, server.CodeNotFound)
	}
}

func (p *page) decision(c *call, verdict string) response {
	p.t.Helper()
	return p.request(http.MethodPost, "/decisions",
		fmt.Sprintf(`{"requestId":%q,"digest":%q,"decision":{"verdict":%q}}`, c.RequestID, c.Digest, verdict))
}

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
	now := last(s.until("approval_needed")).Approval
	require.NotEqual(t, old.RequestID, now.RequestID)
	for name, c := range map[string]*call{
		"the old call": old, "the old digest": {RequestID: now.RequestID, Digest: old.Digest},
		"the old id": {RequestID: old.RequestID, Digest: now.Digest},
		"no digest":  {RequestID: now.RequestID}, "nothing": {},
	} {
		t.Run(name, func(t *testing.T) {
			p.refused(p.decision(c, "allow"), http.StatusConflict, server.CodeStaleDecision)
		})
	}
	p.refused(p.decision(now, "maybe"), http.StatusBadRequest, server.CodeBadDecision)
	(&page{a, "bob", p.id}).refused((&page{a, "bob", p.id}).decision(now, "allow"), http.StatusNotFound, server.CodeNotFound)
	require.Equal(t, []call{*now}, p.show("").Pending, "the call still waits")
	p.decide(http.StatusNoContent, now, "deny")
	s.until("run_done")
}

// TestAPageThatReconnectsMissesNothing reconnects after each event.
func TestAPageThatReconnectsMissesNothing(t *testing.T) {
	a := newApp(t, nil, calls(t, "shop_nothing"), says("Some ", "more ", "words."))
	p := a.open("ann")
	s := p.stream("")
	p.send("Hi.")
	all := s.until("run_done")
	require.Greater(t, len(all), 8)
	for i := range all {
		rest := p.stream(all[i].ID)
		for k := i + 1; k < len(all); k++ {
			e, ok := rest.next()
			require.True(t, ok)
			require.Equal(t, all[k], e)
		}
		rest.body.Close()
	}
}

func TestAPageLoadedAfterATurnGetsTheNextEvents(t *testing.T) {
	a := newApp(t, nil, says("A."), says("B."))
	p := a.open("ann")
	s := p.stream("")
	p.send("a?")
	s.until("run_done")
	s = p.stream(p.show("").EventID)
	p.send("b?")
	e, ok := s.next()
	require.True(t, ok)
	require.Equal(t, "messages", e.Kind, "the stream contains no events of the turn before")
	require.Equal(t, "b?", e.Messages[len(e.Messages)-1].Content)
}

func TestAPageLoadedInMidReplyGetsTheRest(t *testing.T) {
	release := make(chan struct{})
	a := newApp(t, nil, calls(t, "shop_nothing"), waits("Some words", release))
	p := a.open("ann")
	s := p.stream("")
	p.send("Hi.")
	for text := ""; text != "Some words"; {
		text = last(s.until("text")).Text
	}
	c := p.show("")
	require.Equal(t, []string{"Hi.", "Look:\n", "result: error"}, c.texts())
	second := p.stream(c.EventID)
	draft := ""
	for draft == "" {
		draft = last(second.until("text")).Text
	}
	require.Equal(t, "Some words", draft, "the page gets only the text that the messages lack")
	close(release)
	require.Equal(t, "Some words", last(second.until("messages")).Messages[1].Text)
}

func TestAnUnknownEventIDLoadsTheConversationAgain(t *testing.T) {
	a := newApp(t, nil, says("A."))
	p := a.open("ann")
	s := p.stream("")
	p.send("Hi.")
	s.until("run_done")
	for _, id := range []string{"x", "x-1", "AAAAAAAAAA-3", strings.Repeat("9", 100)} {
		s := p.stream(id)
		e, ok := s.next()
		require.True(t, ok)
		require.Equal(t, "reset", e.Kind)
		for _, e := range s.until("run_done") {
			require.NotEqual(t, "text", e.Kind, "the messages contain the text of the turn")
		}
	}
}

func TestATurnContinuesWithoutItsPage(t *testing.T) {
	release := make(chan struct{})
	a := newApp(t, nil, waits("Some words", release))
	p := a.open("ann")
	s := p.stream("")
	p.send("Hi.")
	s.until("text")
	s.body.Close()
	p.client.CloseIdleConnections()
	require.True(t, p.show("").Running)
	c := p.show("")
	close(release)
	require.Equal(t, "done", last(p.stream(c.EventID).until("run_done")).Stop)
}

func TestStopEndsTheTurnThatRuns(t *testing.T) {
	a := newApp(t, nil, waits("Some words", nil), says("Here."))
	p := a.open("ann")
	s := p.stream("")
	p.send("Hi.")
	s.until("text")
	p.refused(p.request(http.MethodPost, "/messages", `{"text":"x"}`), http.StatusConflict, server.CodeBusy)
	p.refused(p.request(http.MethodPost, "/continue", `{}`), http.StatusConflict, server.CodeBusy)
	p.refused(p.request(http.MethodPost, "/branches", `{"after":0}`), http.StatusConflict, server.CodeBusy)
	p.refused(p.request(http.MethodDelete, "", ""), http.StatusConflict, server.CodeBusy)
	var out struct{ Stopped bool }
	(&page{a, "ann", p.id}).post(http.StatusOK, "/stop", "", &out)
	require.True(t, out.Stopped)
	require.Equal(t, "canceled", last(s.until("run_done")).Stop)
	p.post(http.StatusOK, "/stop", "", &out)
	require.False(t, out.Stopped)
	require.True(t, p.show("").CanContinue)
	p.post(http.StatusAccepted, "/continue", `{}`, nil)
	require.Equal(t, "done", last(s.until("run_done")).Stop)
}

func TestUsersSeeOnlyTheirConversations(t *testing.T) {
	a := newApp(t, nil, says("A."), calls(t, "shop_buy", "item", "x"), says("No."))
	ann, guest := a.open("ann"), a.open("guest")
	s := ann.stream("")
	ann.send("Hi.")
	s.until("run_done")
	s = guest.stream("")
	guest.send("Buy.")
	require.Equal(t, "tool_disabled", last(s.until("tool_done")).Result.ErrorType)
	s.until("run_done")
	require.Contains(t, a.model.systems[0], "shop_buy")
	require.NotContains(t, a.model.systems[1], "shop_buy")

	bob := &page{a, "bob", ann.id}
	for _, route := range []struct{ method, path, body string }{
		{"GET", "", ""},
		{"GET", "/events", ""},
		{"GET", "/branches", ""},
		{"GET", "/files/1/0/0", ""},
		{"DELETE", "", ""},
		{"POST", "/stop", ""},
		{"POST", "/messages", `{"text":"x"}`},
		{"POST", "/continue", `{}`},
		{"POST", "/branches", `{"after":0}`},
		{"POST", "/decisions", `{"requestId":"1"}`},
	} {
		bob.refused(bob.request(route.method, route.path, route.body), http.StatusNotFound, server.CodeNotFound)
		nobody := &page{a, "", ann.id}
		nobody.refused(nobody.request(route.method, route.path, route.body), http.StatusUnauthorized, server.CodeUnauthenticated)
	}
	require.Equal(t, []string{"Hi.", "A."}, ann.show("").texts())
}

func TestOtherSitesAreRefused(t *testing.T) {
	a := newApp(t, func(o *server.Options) { o.TrustedOrigins = []string{"https://friend.example"} })
	p := a.open("ann")
	for _, path := range []string{"/messages", "/continue", "/decisions", "/stop", "/branches"} {
		for _, header := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://evil.example"}} {
			p.refused(p.request(http.MethodPost, path, `{}`, header...), http.StatusForbidden, server.CodeCrossOrigin)
		}
	}
	p.refused(p.request(http.MethodDelete, "", "", "Sec-Fetch-Site", "cross-site"), http.StatusForbidden, server.CodeCrossOrigin)
	p.read(p.request(http.MethodPost, "/stop", "", "Sec-Fetch-Site", "cross-site", "Origin", "https://friend.example"), http.StatusOK, nil)
}

func TestBadRequestsAreRefusedWithACode(t *testing.T) {
	a := newApp(t, func(o *server.Options) { o.Limits.BodyBytes = 1000 })
	p := a.open("ann")
	for _, tt := range []struct {
		name, path, body string
		status           int
		code             string
	}{
		{"no JSON", "/messages", "x", 400, server.CodeBadRequest},
		{"an array", "/messages", "[]", 400, server.CodeBadRequest},
		{"an unknown member", "/messages", `{"text":"x","texts":1}`, 400, server.CodeBadRequest},
		{"two objects", "/messages", `{"text":"x"}{}`, 400, server.CodeBadRequest},
		{"a wrong type", "/messages", `{"text":1}`, 400, server.CodeBadRequest},
		{"a blank text", "/messages", `{"text":" \n"}`, 400, server.CodeBadRequest},
		{"no text", "/messages", `{}`, 400, server.CodeBadRequest},
		{"a long body", "/messages", `{"text":"` + strings.Repeat("x", 1000) + `"}`, 413, server.CodeTooLarge},
		{"blanks after the object", "/messages", `{"text":""}` + strings.Repeat(" ", 1000), 413, server.CodeTooLarge},
		{"an unknown route", "/nothing", `{}`, 404, server.CodeNotFound},
		{"a number that is not a reply's", "/continue", `{"regenerate":77}`, 404, server.CodeNotFound},
		{"a number that is not a message's", "/messages", `{"edit":77,"text":"x"}`, 404, server.CodeNotFound},
		{"a negative branch", "/branches", `{"after":-1}`, 400, server.CodeBadRequest},
		{"nothing to continue", "/continue", `{}`, 409, server.CodeNothingToContinue},
	} {
		t.Run(tt.name, func(t *testing.T) {
			own := *a
			own.t = t
			q := &page{&own, "ann", p.id}
			q.refused(q.request(http.MethodPost, tt.path, tt.body), tt.status, tt.code)
		})
	}
	p.refused(p.request(http.MethodPost, "/messages", `{"text":"x"}`, "Content-Type", "text/plain"),
		http.StatusUnsupportedMediaType, server.CodeBadRequest)
	p.refused(p.request(http.MethodPut, "", `{}`), http.StatusNotFound, server.CodeNotFound)
	require.Empty(t, p.show("").Messages)
}

func TestLimitsCountForEachUser(t *testing.T) {
	a := newApp(t, func(o *server.Options) { o.Limits = server.Limits{Turns: 1, Streams: 2} }, waits("a", nil), says("b"))
	p, other := a.open("ann"), a.open("ann")
	s := p.stream("")
	other.stream("")
	p.refused(p.request(http.MethodGet, "/events", ""), http.StatusTooManyRequests, server.CodeTooMany)
	p.send("Hi.")
	s.until("text")
	other.refused(other.request(http.MethodPost, "/messages", `{"text":"x"}`), http.StatusTooManyRequests, server.CodeTooMany)
	bob := a.open("bob")
	sb := bob.stream("")
	bob.send("Hi.") // the limits count each user alone
	sb.until("run_done")
	p.post(http.StatusOK, "/stop", "", nil)
	s.until("run_done")
	other.send("x")
	require.Eventually(t, func() bool { return !other.show("").Running }, time.Minute, time.Millisecond)
}

func TestATurnHasATimeLimit(t *testing.T) {
	a := newApp(t, func(o *server.Options) { o.Limits.TurnTime = time.Millisecond }, waits("a", nil))
	p := a.open("ann")
	s := p.stream("")
	p.send("Hi.")
	require.Equal(t, "canceled", last(s.until("run_done")).Stop)
}

func TestADeletedConversationIsGone(t *testing.T) {
	a := newApp(t, nil, says("A."))
	p := a.open("ann")
	s := p.stream("")
	p.send("Hi.")
	s.until("run_done")
	p.read(p.request(http.MethodDelete, "", ""), http.StatusNoContent, nil)
	s.until("deleted")
	_, ok := s.next()
	require.False(t, ok, "the stream ends")
	p.refused(p.request(http.MethodGet, "", ""), http.StatusNotFound, server.CodeNotFound)
}

func TestCloseStopsTurnsAndStreams(t *testing.T) {
	a := newApp(t, nil, waits("Some words", nil))
	p := a.open("ann")
	s := p.stream("")
	p.send("Hi.")
	s.until("text")
	require.NoError(t, a.server.Close(t.Context()))
	p.refused(p.request(http.MethodGet, "", ""), http.StatusServiceUnavailable, server.CodeClosed)
	for ok := true; ok; {
		_, ok = s.next()
	}
	require.NoError(t, a.server.Close(t.Context()), "closing twice is not an error")
	m, err := a.store.Metadata(t.Context(), p.id)
	require.NoError(t, err)
	list, _, err := chat.ReadPage(t.Context(), a.store, p.id, m.Tip, 10)
	require.NoError(t, err)
	require.Equal(t, "Hi.", list[0].Content, "the message of the stopped turn is stored")
}

func TestCloseGivesUpAtTheEndOfItsContext(t *testing.T) {
	release := make(chan struct{})
	a := newApp(t, nil, func(_ context.Context, yield func(string) bool) { yield("a"); <-release }) // ignores its context
	p := a.open("ann")
	s := p.stream("")
	p.send("Hi.")
	s.until("text")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, a.server.Close(ctx), context.Canceled)
	close(release)
}

// Two servers that share only the store stand for two processes.
func TestTwoProcessesServeOneStore(t *testing.T) {
	release := make(chan struct{})
	a := newApp(t, nil, says("A."), waits("C", release))
	b := newApp(t, func(o *server.Options) { o.Store = a.store }, says("B."), says("D."))
	pa := a.open("ann")
	pb := &page{b, "ann", pa.id}
	sa, sb := pa.stream(""), pb.stream("")
	pa.send("a?")
	sa.until("run_done")
	pb.send("b?") // server b opens the conversation now
	sb.until("run_done")
	require.Equal(t, []string{"a?", "A.", "b?", "B."}, pa.show("").texts())
	pa.send("c?") // server a opens the conversation again
	sa.until("text")
	pb.refused(pb.request(http.MethodPost, "/messages", `{"text":"d?"}`), http.StatusConflict, server.CodeInUse)
	close(release)
	sa.until("run_done")
	require.Eventually(t, func() bool {
		return pb.request(http.MethodPost, "/messages", `{"text":"d?"}`).StatusCode == http.StatusAccepted
	}, time.Minute, 10*time.Millisecond)
	sb.until("run_done")
	require.Equal(t, []string{"a?", "A.", "b?", "B.", "c?", "C", "d?", "D."}, pa.show("").texts())
}

func TestARefusedBodyNamesItsMembers(t *testing.T) {
	p := newApp(t, nil).open("ann")
	for path, members := range map[string]string{
		"/messages": "text, edit", "/continue": "regenerate", "/decisions": "requestId, digest, decision", "/branches": "after",
	} {
		var out struct{ Error server.Error }
		p.read(p.request(http.MethodPost, path, `{"other":1}`), http.StatusBadRequest, &out)
		require.Contains(t, out.Error.Message, "the members "+members+":")
	}
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

func TestNewRefusesWrongOptions(t *testing.T) {
	good := server.Options{
		Engine: newEngine(t, &script{}), Store: chat.NewMemoryStore(),
		User: func(*http.Request) (server.User, error) { return server.User{}, nil },
	}
	for name, change := range map[string]func(*server.Options){
		"no engine":        func(o *server.Options) { o.Engine = nil },
		"no store":         func(o *server.Options) { o.Store = nil },
		"no user":          func(o *server.Options) { o.User = nil },
		"a negative limit": func(o *server.Options) { o.Limits.Turns = -1 },
		"a wrong origin":   func(o *server.Options) { o.TrustedOrigins = []string{"friend.example/x"} },
	} {
		t.Run(name, func(t *testing.T) {
			o := good
			change(&o)
			_, err := server.New(o)
			require.Error(t, err)
		})
	}
	s, err := server.New(good)
	require.NoError(t, err)
	require.NoError(t, s.Close(t.Context()))
}
