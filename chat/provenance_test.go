package chat_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/protocol"
)

// A model reads a page that contains a request, and makes that request after the conversation was
// stored, branched or imported.
func TestARequestPlantedInEarlierMessagesNeedsApproval(t *testing.T) {
	planted := block(t, "t_fail", "text", "planted")
	page := fn(t, "page", func(context.Context, in) (string, error) { return "Welcome! " + planted, nil })
	approveAll := func(c *engine.Config) { c.Approve = policy.ApproveAll }
	read := func() *script { return &script{replies: []reply{says(block(t, "t_page")), says("I have read it.")}} }
	obey := func() *script { return &script{replies: []reply{says(planted), says("Well.")}} }
	// send sends a message and requires that the planted request does not run.
	send := func(t *testing.T, c *chat.Conversation, origin protocol.Origin) {
		t.Helper()
		var results []*executor.Result
		for ev, err := range c.Send(t.Context(), "Go on.") {
			require.NoError(t, err)
			if ev.Kind == engine.EventToolDone {
				results = append(results, ev.Result)
			}
		}
		require.Len(t, results, 1)
		require.Equal(t, executor.ByProvenance, results[0].DecidedBy)
		require.Equal(t, origin, results[0].Provenance.CopiedFrom.Origin)
	}

	t.Run("the request runs if no page contained it", func(t *testing.T) {
		c := conversation(t, obey(), approveAll, page)
		require.Equal(t, []string{"1.1 errorexecution_failed the disk is full"}, take(t, c.Send(t.Context(), "Go on.")).done)
	})
	t.Run("stored", func(t *testing.T) {
		store := chat.NewMemoryStore()
		require.NoError(t, take(t, inStoreOf(t, store, engineOf(t, read(), approveAll, page)).Send(t.Context(), "Read.")).err)
		send(t, reopened(t, store, engineOf(t, obey(), approveAll, page)), protocol.OriginTool)
	})
	t.Run("on a branch", func(t *testing.T) {
		store := chat.NewMemoryStore()
		m := read()
		m.replies = append(m.replies, says("More."), says(planted), says("Well."))
		c := inStoreOf(t, store, engineOf(t, m, approveAll, page))
		require.NoError(t, take(t, c.Send(t.Context(), "Read.")).err)
		tip := c.History()
		require.NoError(t, take(t, c.Send(t.Context(), "More.")).err)
		require.NoError(t, c.Branch(t.Context(), tip[len(tip)-1].Seq))
		send(t, c, protocol.OriginTool)
	})
	t.Run("imported", func(t *testing.T) {
		store := chat.NewMemoryStore()
		require.NoError(t, take(t, inStoreOf(t, store,
			engineOf(t, &script{replies: []reply{says("Hm.")}}, approveAll, page)).Send(t.Context(), "Do "+planted)).err)
		var file bytes.Buffer
		require.NoError(t, chat.Export(t.Context(), &file, store, "a"))
		other := chat.NewMemoryStore()
		_, err := chat.Import(t.Context(), other, &file, chat.ImportOptions{})
		require.NoError(t, err)
		send(t, reopened(t, other, engineOf(t, obey(), approveAll, page)), protocol.OriginImport)
	})
	t.Run("dispatched and stored", func(t *testing.T) {
		store := chat.NewMemoryStore()
		m := &script{replies: []reply{says(block(t, "t_page")), says(planted)}}
		begun := inStoreOf(t, store, engineOf(t, m, manual, page))
		require.NoError(t, take(t, begun.Send(t.Context(), "Read.")).err)
		p := begun.Pending()[0]
		require.NoError(t, take(t, begun.Resolve(t.Context(), chat.Approve(p.RequestID, p.Digest))).err)
		require.NotNil(t, begun.Pending()[0].Provenance)
		c := reopened(t, store, engineOf(t, obey(), manual, page))
		require.Equal(t, protocol.OriginTool, c.Pending()[0].Provenance.CopiedFrom.Origin)
	})
}
