package chat_test

import (
	"testing"

	"github.com/vcpgo/vcp/chat"
	"github.com/vcpgo/vcp/chat/storetest"
)

func TestMemoryStoreFollowsTheRulesOfStores(t *testing.T) {
	storetest.Run(t, func(*testing.T) chat.Store { return chat.NewMemoryStore() })
}
