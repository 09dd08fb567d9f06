package engine

import (
	"slices"
	"sync"

	"github.com/vcpgo/vcp/internal/secrets"
)

// formerSecrets remembers secrets that the model or the application no longer names, because a
// conversation may still contain them. The zero value is ready to use. It is safe for concurrent
// use.
type formerSecrets struct {
	mu     sync.Mutex
	now    []string // what the last call of withFormer was given, sorted
	former []string // what earlier calls were given, oldest first
}

// withFormer returns now, the secrets that are named at present, and those of earlier calls, within
// the limits of secrets.Remember. It sorts now.
func (f *formerSecrets) withFormer(now []string) []string {
	slices.Sort(now)
	f.mu.Lock()
	defer f.mu.Unlock()
	if !slices.Equal(now, f.now) {
		f.now, f.former = now, secrets.Remember(f.former, f.now)
	}
	return slices.Concat(now, f.former)
}
