package server_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/server"
)

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

func TestUsersSeeOnlyTheirConversationsAndTools(t *testing.T) {
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
		nobody.refused(nobody.request(route.method, route.path, route.body), http.StatusUnauthorized,
			server.CodeUnauthenticated)
	}
	require.Equal(t, []string{"Hi.", "A."}, ann.show("").texts())
}

func TestOtherSitesAreRefused(t *testing.T) {
	a := newApp(t, func(o *server.Options) { o.TrustedOrigins = []string{"https://friend.example"} })
	p := a.open("ann")
	for _, path := range []string{"/messages", "/continue", "/decisions", "/stop", "/branches"} {
		for _, header := range [][]string{
			{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "https://evil.example"},
		} {
			p.refused(p.request(http.MethodPost, path, `{}`, header...), http.StatusForbidden, server.CodeCrossOrigin)
		}
	}
	p.refused(p.request(http.MethodDelete, "", "", "Sec-Fetch-Site", "cross-site"), http.StatusForbidden,
		server.CodeCrossOrigin)
	p.read(p.request(http.MethodPost, "/stop", "", "Sec-Fetch-Site", "cross-site", "Origin", "https://friend.example"),
		http.StatusOK, nil)
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
			inSubtest := *a
			inSubtest.t = t
			q := &page{&inSubtest, "ann", p.id}
			q.refused(q.request(http.MethodPost, tt.path, tt.body), tt.status, tt.code)
		})
	}
	p.refused(p.request(http.MethodPost, "/messages", `{"text":"x"}`, "Content-Type", "text/plain"),
		http.StatusUnsupportedMediaType, server.CodeBadRequest)
	p.refused(p.request(http.MethodPut, "", `{}`), http.StatusNotFound, server.CodeNotFound)
	require.Empty(t, p.show("").Messages)
}

func TestLimitsCountForEachUser(t *testing.T) {
	a := newApp(t, func(o *server.Options) { o.Limits = server.Limits{Turns: 1, Streams: 2} }, waits("a", nil),
		says("b"))
	p, other := a.open("ann"), a.open("ann")
	s := p.stream("")
	other.stream("")
	p.refused(p.request(http.MethodGet, "/events", ""), http.StatusTooManyRequests, server.CodeTooMany)
	p.send("Hi.")
	s.until("text")
	other.refused(other.request(http.MethodPost, "/messages", `{"text":"x"}`), http.StatusTooManyRequests,
		server.CodeTooMany)
	bob := a.open("bob")
	sb := bob.stream("")
	bob.send("Hi.") // the limits count each user alone
	sb.until("run_done")
	p.post(http.StatusOK, "/stop", "", nil)
	s.until("run_done")
	other.send("x")
	require.Eventually(t, func() bool { return !other.show("").Running }, time.Minute, time.Millisecond)
}

func TestARefusalNamesTheAllowedMembers(t *testing.T) {
	p := newApp(t, nil).open("ann")
	for path, members := range map[string]string{
		"/messages": "text, edit", "/continue": "regenerate", "/decisions": "requestId, digest, decision", "/branches": "after",
	} {
		var out struct{ Error server.Error }
		p.read(p.request(http.MethodPost, path, `{"other":1}`), http.StatusBadRequest, &out)
		require.Contains(t, out.Error.Message, "the members "+members+":")
	}
}

func TestUnfinishedImportsAreNotServed(t *testing.T) {
	a := newApp(t, nil)
	ann := a.open("ann")
	require.NoError(t, a.store.Create(t.Context(), chat.Metadata{ID: "import", Owner: "ann", Imported: 2}))
	var out struct{ Conversations []chat.Metadata }
	all := &page{a, "ann", ""}
	all.read(all.request("GET", "", ""), http.StatusOK, &out)
	require.Len(t, out.Conversations, 1)
	require.Equal(t, ann.id, out.Conversations[0].ID)
	unfinished := &page{a, "ann", "import"}
	unfinished.refused(unfinished.request("GET", "", ""), http.StatusNotFound, server.CodeNotFound)
}
