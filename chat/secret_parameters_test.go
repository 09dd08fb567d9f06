package chat_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/tool"
)

func TestSecretParametersAreNotStored(t *testing.T) {
	const secret = "hunter2-and-more"
	login := fn(t, "login", func(_ context.Context, in in) (string, error) { return "logged in as " + in.Text, nil },
		tool.SecretParameters("text"))
	store := chat.NewMemoryStore()
	model := &script{replies: []reply{says("I log in. ", block(t, "t_login", "text", secret)), says("Done.")}}
	c := newInStore(t, store, engineOf(t, model, nil, login))
	require.NoError(t, collect(t, c.Send(t.Context(), "Log in.")).err)
	list, err := store.Entries(t.Context(), "a", 0, 0)
	require.NoError(t, err)
	for _, e := range list {
		if e.Kind != string(engine.EntryResult) { // a tool may return the value
			assert.NotContains(t, string(e.Data)+e.Text, secret, e.Kind)
		}
	}
	history, err := json.Marshal(c.History()[:2])
	require.NoError(t, err)
	assert.NotContains(t, string(history), secret)
}

// A dispatched request with a secret can be approved only in the process that dispatched it,
// because no store has the secret.
func TestADispatchedSecretRunsInItsProcessOnly(t *testing.T) {
	const secret = "hunter2-and-more"
	got := ""
	login := fn(t, "login", func(_ context.Context, in in) (string, error) { got = in.Text; return "in", nil },
		tool.SecretParameters("text"))
	replies := []reply{says(block(t, "t_login", "text", secret)), says("Done.")}
	begin := func(t *testing.T) (*chat.MemoryStore, *chat.Conversation) {
		store := chat.NewMemoryStore()
		c := newInStore(t, store, engineOf(t, &script{replies: replies}, manual, login))
		require.Equal(t, engine.StopManual, collect(t, c.Send(t.Context(), "Log in.")).stop)
		return store, c
	}
	t.Run("in its process", func(t *testing.T) {
		_, c := begin(t)
		require.NoError(t, collect(t, c.Resolve(t.Context(), approve(c, "1.1"))).err)
		require.Equal(t, secret, got)
	})
	t.Run("after a restart", func(t *testing.T) {
		got = ""
		store, _ := begin(t)
		c := reopened(t, store, engineOf(t, &script{replies: replies[1:]}, manual, login))
		require.NotEmpty(t, c.Pending()[0].Problem)
		o := collect(t, c.Resolve(t.Context(), approve(c, "1.1")))
		require.NoError(t, o.err)
		require.Empty(t, got)
		require.Equal(t, "user [1.1 error canceled]", brief(c.History())[2])
		require.Equal(t, engine.StopDone, o.stop)
	})
}
