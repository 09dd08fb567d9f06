package chat_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
)

func TestAuditRecordsNameTheOwner(t *testing.T) {
	var owners []string
	model := &script{}
	for range 3 {
		model.replies = append(model.replies, says(block(t, "t_echo", "text", "x")), says("done"))
	}
	e := engineWith(t, model, func(o *engine.Options) {
		o.Audit = func(_ context.Context, r executor.AuditRecord) error {
			owners = append(owners, r.Session+" "+r.Owner)
			return nil
		}
	})
	store := chat.NewMemoryStore()
	kept, err := chat.New(e, chat.Options{ID: "kept", Owner: "ann", Store: store})
	require.NoError(t, err)
	collect(t, kept.Send(t.Context(), "one"))
	opened, err := chat.Open(t.Context(), e, chat.Options{ID: "kept", Store: store})
	require.NoError(t, err)
	collect(t, opened.Send(t.Context(), "two"))
	inMemory, err := chat.New(e, chat.Options{ID: "unstored", Owner: "cid"})
	require.NoError(t, err)
	collect(t, inMemory.Send(t.Context(), "three"))
	require.Equal(t, []string{"kept ann", "kept ann", "unstored cid"}, owners, "a stored conversation keeps its owner")
}
