package server_test

import (
	"context"
	"fmt"
	"net/http"
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

func TestATitleContainsNoNUL(t *testing.T) {
	a := newApp(t, nil, says("Hello."))
	p := a.open("ann")
	s := p.stream("")
	p.send("Hi\x00.")
	s.until("run_done")
	require.Equal(t, "Hi.", p.show("").Title)
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

func TestStopEndsTheTurnThatRuns(t *testing.T) {
	a := newApp(t, nil, waits("Some words", nil), says("Here."))
	p := a.open("ann")
	s := p.stream("")
	p.send("Hi.")
	s.until("text")
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

func TestARunningTurnKeepsOtherChangesOut(t *testing.T) {
	a := newApp(t, nil, waits("Some words", nil))
	p := a.open("ann")
	s := p.stream("")
	p.send("Hi.")
	s.until("text")
	p.refused(p.request(http.MethodPost, "/messages", `{"text":"x"}`), http.StatusConflict, server.CodeBusy)
	p.refused(p.request(http.MethodPost, "/continue", `{}`), http.StatusConflict, server.CodeBusy)
	p.refused(p.request(http.MethodPost, "/branches", `{"after":0}`), http.StatusConflict, server.CodeBusy)
	p.refused(p.request(http.MethodDelete, "", ""), http.StatusConflict, server.CodeBusy)
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
	ignoresContext := func(_ context.Context, yield func(string) bool) { yield("a"); <-release }
	a := newApp(t, nil, ignoresContext)
	p := a.open("ann")
	s := p.stream("")
	p.send("Hi.")
	s.until("text")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, a.server.Close(ctx), context.Canceled)
	close(release)
}

// Two servers that share only the store represent two processes.
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

func TestAPageShowsThatAnotherProcessLeftATurn(t *testing.T) {
	a := newApp(t, nil, waits("Some words", nil))
	b := newApp(t, func(o *server.Options) { o.Store = a.store })
	pa := a.open("ann")
	pb := &page{b, "ann", pa.id}
	require.False(t, pb.show("").CanContinue) // server b opens the conversation
	s := pa.stream("")
	pa.send("Hi.")
	s.until("text")
	pa.post(http.StatusOK, "/stop", "", &struct{ Stopped bool }{})
	s.until("run_done")
	require.True(t, pb.show("").CanContinue)
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
