package chat_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
)

// inStore is the variable of the environment that puts the conversations of all tests in a store.
const inStore = "VCP_TEST_CONVERSATIONS_IN_STORE"

// testStore returns the store of a conversation in a test; nil if it is in none.
func testStore() chat.Store {
	if os.Getenv(inStore) == "" {
		return nil
	}
	return chat.NewMemoryStore()
}

// TestConversationsInAStore runs the tests of conversations again, in a store. What they test does
// not depend on where a conversation is. The JSON of a history differs: it has the numbers of entries.
func TestConversationsInAStore(t *testing.T) {
	if testStore() != nil {
		t.Skip("this is the second run")
	}
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^Test", "-test.skip=TheJSONOfAHistory|Store|Work|Endless|Export|Import|Law|Secret|LongConversations|Opened|Interrupted|LimitedInBytes", "-test.short")
	cmd.Env = append(os.Environ(), inStore+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
