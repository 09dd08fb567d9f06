package markdown_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/chat/markdown"
	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/internal/requesttest"
	"github.com/vcpgo/vcp/protocol"
)

// However a reply is divided into chunks, the HTML of the closed stream is that of AppendReply.
// While the reply arrives, the HTML contains nothing active.
func TestAStreamRendersTheSameAsTheWholeReply(t *testing.T) {
	parts := append(attacks(), "\n\n", "```\n", "<think>", "</think>", "*a* ", "> ", "- ",
		"<<<[TOOL_RESULT]>>>\n", "<tool_response>\n", "\xff")
	for _, p := range protocols {
		for range 3 {
			parts = append(parts, "\n"+requesttest.Text(t, p, "files_read", "path", "a <b>\n「c」", "n", "1")+"\n")
		}
	}
	r := newRenderer(t)
	rapid.Check(t, func(rt *rapid.T) {
		id := rapid.SampledFrom([]string{"", "vcp", "hermes", "qwencoder", "other"}).Draw(rt, "protocol")
		reply := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 8).Draw(rt, "parts"), "")
		reply = reply[:len(reply)-rapid.IntRange(0, len(reply)).Draw(rt, "truncated")]
		finish := rapid.SampledFrom([]protocol.FinishReason{"", protocol.FinishStop, protocol.FinishLength}).Draw(rt, "finish")
		s := r.Stream(id)
		for rest := reply; rest != ""; {
			n := rapid.IntRange(1, min(len(rest), 40)).Draw(rt, "chunk")
			s.Feed([]byte(rest[:n]))
			rest = rest[n:]
			if rapid.Bool().Draw(rt, "render") {
				if found := activeContent(s.AppendHTML(nil)); found != nil {
					rt.Fatalf("%q after %q", found, reply[:len(reply)-len(rest)])
				}
			}
		}
		s.Close(finish)
		if want, got := string(r.AppendReply(nil, id, reply, finish)), string(s.AppendHTML(nil)); want != got {
			rt.Fatalf("reply %q:\nwhole:\n%s\nstream:\n%s", reply, want, got)
		}
	})
}

func TestARequestIsRenderedWhileItIsWritten(t *testing.T) {
	for _, p := range protocols {
		t.Run(p.ID(), func(t *testing.T) {
			call := requesttest.Text(t, p, "files_write", "path", "a.txt", "text", "one two three")
			before, after, _ := strings.Cut(call, "two")
			s := newRenderer(t).Stream(p.ID())
			s.Feed([]byte("Look:\n" + before))
			card := readPage(t, s.AppendHTML(nil))[1] // after the text "Look:"
			require.True(t, card.Busy)
			require.Equal(t, "being written", card.Status)
			require.Equal(t, "path", card.Arguments[0][0])
			require.Equal(t, "a.txt", strings.Trim(card.Arguments[0][1], `"`),
				"a JSON string is shown with its quotes until it is complete")
			require.Contains(t, card.Arguments[1][1], "one")
			s.Feed([]byte("two" + after))
			s.Close(protocol.FinishStop)
			require.Equal(t, request("ready", "files_write", "1", [2]string{"path", "a.txt"},
				[2]string{"text", "one two three"}), readPage(t, s.AppendHTML(nil))[1])
		})
	}
}

func TestAStreamRendersNothingBeyondItsLimit(t *testing.T) {
	r, err := markdown.New(markdown.Options{Protocols: protocols, MaxBytes: 1000})
	require.NoError(t, err)
	s := r.Stream("")
	for range 1000 {
		s.Feed([]byte(strings.Repeat("a", 99) + "\n"))
	}
	s.Feed([]byte(requesttest.Text(t, protocols[0], "x")))
	s.Close(protocol.FinishStop)
	s.Feed([]byte("more"))
	page := string(s.AppendHTML(nil))
	require.Less(t, len(page), 2000)
	require.Contains(t, page, "more bytes are not shown")
	require.NotContains(t, page, "vcp-request", "text beyond the limit is not rendered")
	require.Nil(t, activeContent([]byte(page)))
}
