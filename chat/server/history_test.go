package server_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/server"
)

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
	questionSeq := fmt.Sprint(p.show("").Messages[0].Seq)
	p.refused(p.request(http.MethodPost, "/continue", `{"regenerate":`+questionSeq+`}`), http.StatusConflict,
		server.CodeBadBranch)
	replySeq := fmt.Sprint(p.show("").Messages[1].Seq)
	p.refused(p.request(http.MethodPost, "/messages", `{"text":"x","edit":`+replySeq+`}`), http.StatusConflict,
		server.CodeBadBranch)
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
	p.refused(p.request(http.MethodGet, "?limit=0", ""), http.StatusBadRequest, server.CodeBadRequest)
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
