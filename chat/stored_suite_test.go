package chat_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
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

// TestTheSuitePassesWithConversationsInAStore runs the tests of this package again, with
// conversations in a store. It omits the tests that have a store of their own, and tests of work
// and limits, for which a store makes a difference. It also omits TestTheJSONOfAHistoryIsStable,
// because the JSON of a stored history differs: it contains the numbers of entries.
func TestTheSuitePassesWithConversationsInAStore(t *testing.T) {
	if testStore() != nil {
		t.Skip("this is the second run")
	}
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^Test",
		"-test.skip=TheJSONOfAHistory|Store|Work|Endless|Export|Import|Law|Secret|LongConversations|Opened|Interrupted|LimitedInBytes", "-test.short")
	cmd.Env = append(os.Environ(), inStore+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
