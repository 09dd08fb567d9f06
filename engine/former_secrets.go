package engine

import (
	"slices"
	"sync"

	"github.com/vcpgo/vcp/internal/secrets"
)

// formerSecrets remembers secrets that the model or the application no longer names, because a
// conversation may still contain them. The zero value is ready to use, and it is safe for concurrent
// use.
type formerSecrets struct {
	mu          sync.Mutex
	now, former []string
}

// withFormer returns the secrets that are named now, and former ones.
func (f *formerSecrets) withFormer(now []string) []string {
	slices.Sort(now)
	f.mu.Lock()
	defer f.mu.Unlock()
	if !slices.Equal(now, f.now) {
		f.now, f.former = now, secrets.Remember(f.former, f.now)
	}
	return slices.Concat(now, f.former)
}
