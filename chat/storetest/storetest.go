package storetest

import (
	"testing"

	"github.com/vcpgo/vcp/chat"
)

// Run runs the suite. open returns an empty store for each subtest, and registers its cleanup with
// t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) chat.Store) {
	for _, rule := range rules {
		t.Run(rule.name, func(t *testing.T) {
			rule.run(&suite{reporter: t, store: open(t), ctx: t.Context()})
		})
	}
}

// rule is a subtest of Run.
type rule struct {
	name string
	run  func(*suite)
}

var rules = []rule{
	{"create", (*suite).create},
	{"invalid_metadata", (*suite).invalidMetadata},
	{"change_metadata", (*suite).changeMetadata},
	{"list", (*suite).list},
	{"list_pages", (*suite).listPages},
	{"unknown_conversation", (*suite).unknownConversation},
	{"lease_keeps_others_out", (*suite).leaseKeepsOthersOut},
	{"lease_and_clock", (*suite).leaseAndClock},
	{"lease_taken_over", (*suite).leaseTakenOver},
	{"lease_renewed_and_released", (*suite).leaseRenewedAndReleased},
	{"fences_rise", (*suite).fencesRise},
	{"append", (*suite).append},
	{"append_all_or_nothing", (*suite).appendAllOrNothing},
	{"append_needs_the_newest_fence", (*suite).appendNeedsTheNewestFence},
	{"append_copies", (*suite).appendCopies},
	{"updated", (*suite).updated},
	{"canceled", (*suite).canceled},
	{"path", (*suite).path},
	{"page_bytes", (*suite).pageBytes},
	{"branches", (*suite).branches},
	{"tip", (*suite).tip},
	{"entries", (*suite).entries},
	{"delete", (*suite).delete},
	{"search", (*suite).search},
	{"search_pages", (*suite).searchPages},
	{"search_restricted", (*suite).searchRestricted},
	{"concurrent_conversations", (*suite).concurrentConversations},
	{"concurrent_holders", (*suite).concurrentHolders},
}
