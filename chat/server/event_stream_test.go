package server_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

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
	require.Equal(t, "messages", e.Kind, "the stream contains no events of the first turn")
	require.Equal(t, "b?", e.Messages[len(e.Messages)-1].Content)
}

func TestAPageLoadedDuringAReplyGetsItsText(t *testing.T) {
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
