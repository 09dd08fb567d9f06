package chat_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
)

// leased returns a store with the conversation "a" and a lease of it.
func leased(t *testing.T) (chat.Store, chat.Lease) {
	t.Helper()
	store := chat.NewMemoryStore()
	require.NoError(t, store.Create(t.Context(), chat.Metadata{ID: "a"}))
	at := time.Now()
	l, err := store.Acquire(t.Context(), "a", chat.LeaseRequest{Holder: "test", From: at, Until: at.Add(time.Minute)})
	require.NoError(t, err)
	return store, l
}

func userEntry(t *testing.T, content string) chat.Entry {
	t.Helper()
	message := &protocol.Message{Role: protocol.RoleUser, Content: content}
	return entryOf(t, engine.Entry{Kind: engine.EntryUser, User: message})
}

func TestAConversationContinuesAfterItsOldestBranch(t *testing.T) {
	store, l := leased(t)
	asked := engine.RecordedRequest{Request: executor.Request{ID: "1"}, Method: "t_echo"}
	reply := &engine.RecordedReply{
		Number: 1, Finish: protocol.FinishStop, Requests: []engine.RecordedRequest{asked},
		Message: protocol.Message{Role: protocol.RoleAssistant, Protocol: "vcp", Content: block(t, "t_echo")},
	}
	interrupted, err := store.Append(t.Context(), l, 0, userEntry(t, "Go."),
		entryOf(t, engine.Entry{Kind: engine.EntryReply, Reply: reply}))
	require.NoError(t, err)
	for range chat.MaxPage {
		_, err := store.Append(t.Context(), l, 0, userEntry(t, "Go again."))
		require.NoError(t, err)
	}
	require.NoError(t, store.Release(t.Context(), l))
	c := reopened(t, store, engineOf(t, &script{}, nil))
	require.NoError(t, c.Branch(t.Context(), interrupted))
	require.True(t, c.Interrupted())
}

func TestLongEntriesDoNotShortenTheListOfBranches(t *testing.T) {
	store, l := leased(t)
	for range 3 {
		e := userEntry(t, "Go.")
		padding := strings.Repeat(" ", chat.MaxPageBytes)
		e.Data = json.RawMessage(string(e.Data) + padding)
		_, err := store.Append(t.Context(), l, 0, e)
		require.NoError(t, err)
	}
	list, err := chat.ReadBranches(t.Context(), store, "a")
	require.NoError(t, err)
	require.Len(t, list, 3)
}
