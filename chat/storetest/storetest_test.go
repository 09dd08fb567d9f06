package storetest

import (
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/chat"
)

// TestEachDefectOfAStoreIsFound tests the suite: each store has one defect, which the named rule
// finds.
func TestEachDefectOfAStoreIsFound(t *testing.T) {
	empty := chat.NewMemoryStore
	for _, tt := range []struct {
		name, rule string
		store      chat.Store
	}{
		{"accepts invalid metadata", "invalid_metadata", takesInvalid{empty()}},
		{"lets a conversation be created twice", "create", createsTwice{empty()}},
		{"clears what a change does not name", "change_metadata", clearsMetadata{empty()}},
		{"lists the oldest first", "list", listsBackwards{empty()}},
		{"repeats a conversation on the next page", "list_pages", repeatsPages{empty()}},
		{"invents conversations", "unknown_conversation", inventsConversations{empty()}},
		{"leases to everybody", "lease_keeps_others_out", leasesToAll{empty()}},
		{"is locked by a clock that was set back", "lease_and_clock", &locksForLong{Store: empty()}},
		{"does not let a lease be taken over", "lease_taken_over", takesNothingOver{empty()}},
		{"does not renew", "lease_renewed_and_released", doesNotRenew{empty()}},
		{"releases the lease of another holder", "lease_renewed_and_released", releasesAny{empty()}},
		{"counts fences per conversation", "fences_rise", &ownFences{Store: empty()}},
		{"ignores the fence", "append_needs_the_newest_fence", ignoresFence{empty()}},
		{"ends a lease by its own clock", "append_needs_the_newest_fence", hasAClock{empty()}},
		{"loses an append", "append", losesAppend{empty()}},
		{"loses the last entry", "append", losesEntry{empty()}},
		{"appends twice", "append", appendsTwice{empty()}},
		{"reorders entries", "append", reorders{empty()}},
		{"appends a part", "append_all_or_nothing", appendsParts{empty()}},
		{"shares its data", "append_copies", &sharesData{Store: empty()}},
		{"sets Updated to the time of the last entry", "updated", setsUpdatedBack{empty()}},
		{"ignores the end of a context", "canceled", ignoresContext{empty()}},
		{"returns a path from its beginning", "path", reversesPath{empty()}},
		{"returns long pages", "page_bytes", returnsLongPages{empty()}},
		{"forgets a branch", "branches", forgetsBranch{empty()}},
		{"repeats a branch on the next page", "branches", repeatsBranches{empty()}},
		{"ignores the parent", "branches", ignoresParent{empty()}},
		{"does not move the tip", "tip", keepsTip{empty()}},
		{"returns the entries of one branch", "entries", returnsOneBranch{empty()}},
		{"keeps what was deleted", "delete", &keepsDeleted{Store: empty()}},
		{"compares letters as they are", "search", comparesCase{empty()}},
		{"searches for the first word only", "search", searchesFirstWord{empty()}},
		{"finds the oldest first", "search_pages", findsBackwards{empty()}},
		{"finds what belongs to others", "search_restricted", searchesAll{empty()}},
		{"returns the entries of another conversation", "concurrent_conversations", mixesUp{empty()}},
		{"begins a new path with each append", "concurrent_holders", beginsNewPaths{empty()}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Empty(t, broken(t, tt.rule, empty()), "the store without the defect")
			require.NotEmpty(t, broken(t, tt.rule, tt.store), "the rule %s does not find the defect", tt.rule)
		})
	}
}

// broken returns the failures of a rule for a store.
func broken(t *testing.T, name string, s chat.Store) (failures []string) {
	t.Helper()
	i := slices.IndexFunc(rules, func(r rule) bool { return r.name == name })
	require.GreaterOrEqual(t, i, 0, "there is no rule %s", name)
	r := &recorder{}
	done := make(chan struct{})
	go func() { // Fatalf ends this goroutine
		defer close(done)
		rules[i].run(&suite{reporter: r, store: s, ctx: t.Context()})
	}()
	<-done
	return r.failures
}

// recorder keeps the failures of a rule.
type recorder struct {
	mu       sync.Mutex
	failures []string
}

func (*recorder) Helper() {}

func (r *recorder) Errorf(format string, _ ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, format)
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}
