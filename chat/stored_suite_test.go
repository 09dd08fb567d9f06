package chat_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/engine"
)

// inStore is the environment variable with which the tests keep all conversations in a store.
const inStore = "VCP_TEST_CONVERSATIONS_IN_STORE"

// testStore returns the store for a conversation in a test; nil means that the conversation is kept
// in memory only.
func testStore() chat.Store {
	if os.Getenv(inStore) == "" {
		return nil
	}
	return chat.NewMemoryStore()
}

// newInStore returns a new conversation with the ID "a" in a store.
func newInStore(t *testing.T, s chat.Store, e *engine.Engine) *chat.Conversation {
	t.Helper()
	c, err := chat.New(e, chat.Options{ID: "a", System: "Be brief.", Store: s})
	require.NoError(t, err)
	return c
}

// reopened returns the conversation of newInStore, as a later process opens it.
func reopened(t *testing.T, s chat.Store, e *engine.Engine) *chat.Conversation {
	t.Helper()
	c, err := chat.Open(t.Context(), e, chat.Options{ID: "a", System: "Be brief.", Store: s})
	require.NoError(t, err)
	return c
}

// TestTheSuitePassesWithConversationsInAStore runs the tests of this package again, with
// conversations in a store. It omits most tests that have a store of their own, and tests of work
// and limits, for which a store makes a difference. It also omits TestTheJSONOfAHistoryIsStable,
// because the JSON of a stored history also contains the numbers of entries.
func TestTheSuitePassesWithConversationsInAStore(t *testing.T) {
	if testStore() != nil {
		t.Skip("this is the second run")
	}
	self, err := os.Executable()
	require.NoError(t, err)
	const omitted = "TheJSONOfAHistory|Store|Work|Endless|Export|Import|Law|Secret|LongConversations|" +
		"Opened|Interrupted|LimitedInBytes"
	// -test.short makes rapid draw fewer cases.
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^Test", "-test.skip="+omitted, "-test.short")
	cmd.Env = append(os.Environ(), inStore+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
