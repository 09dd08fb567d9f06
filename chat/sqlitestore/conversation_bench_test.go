package sqlitestore_test

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/sqlitestore"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
)

// answeredTurn returns the entries of a turn: a question of the user and a reply without calls.
func answeredTurn(tb testing.TB, question string) []chat.Entry {
	tb.Helper()
	var list []chat.Entry
	for _, e := range []engine.Entry{
		{Kind: engine.EntryUser, User: &protocol.Message{
			Role: protocol.RoleUser, Content: question, Origin: protocol.OriginUser,
		}},
		{Kind: engine.EntryReply, Reply: &engine.RecordedReply{
			Number:  1,
			Message: protocol.Message{Role: protocol.RoleAssistant, Content: "A reply of some words.", Origin: protocol.OriginModel},
			Finish:  protocol.FinishStop,
		}},
		{Kind: engine.EntryEnd, End: &engine.RecordedEnd{Stop: engine.StopDone}},
	} {
		data, err := json.Marshal(e)
		require.NoError(tb, err)
		list = append(list, chat.Entry{Kind: string(e.Kind), Time: start, Data: data, Text: question})
	}
	return list
}

// BenchmarkConversation measures operations on a stored conversation, by its length: to open it, to
// read a page of 50 messages, to export it, and to open it and send a message. The model is shown
// at most 2,000 tokens.
func BenchmarkConversation(b *testing.B) {
	for _, messages := range []int{100, 1000, 10000} {
		s := open(b, filepath.Join(b.TempDir(), "store.db"), sqlitestore.Options{})
		require.NoError(b, s.Create(b.Context(), chat.Metadata{ID: "a", Created: start}))
		l, err := s.Acquire(b.Context(), "a",
			chat.LeaseRequest{Holder: "bench", From: start, Until: start.Add(time.Minute)})
		require.NoError(b, err)
		var list []chat.Entry
		for i := range messages / 2 {
			list = append(list, answeredTurn(b, fmt.Sprint("message number ", i))...)
		}
		tip, err := s.Append(b.Context(), l, 0, list...)
		require.NoError(b, err)
		require.NoError(b, s.Release(b.Context(), l))

		e := newEngine(b, calling(0), func(o *engine.Options) { o.Config.HistoryTokens = 2000 })
		opened := func(b *testing.B) *chat.Conversation {
			c, err := chat.Open(b.Context(), e, chat.Options{Store: s, ID: "a"})
			require.NoError(b, err)
			return c
		}
		b.Run(fmt.Sprint(messages, "/open"), func(b *testing.B) {
			for b.Loop() {
				opened(b)
			}
		})
		b.Run(fmt.Sprint(messages, "/page"), func(b *testing.B) {
			for b.Loop() {
				_, _, err := chat.ReadPage(b.Context(), s, "a", tip, 50)
				require.NoError(b, err)
			}
		})
		b.Run(fmt.Sprint(messages, "/export"), func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, chat.Export(b.Context(), io.Discard, s, "a"))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(messages), "ns/message")
		})
		b.Run(fmt.Sprint(messages, "/open_and_send"), func(b *testing.B) { // last, since it makes the conversation longer
			for b.Loop() {
				stop, err := rangeOver(opened(b).Send(b.Context(), "Go."))
				require.NoError(b, err)
				require.Equal(b, engine.StopDone, stop)
			}
		})
	}
}
