package chat

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// processName names this process as the holder of leases: its process ID, its host, its scope, and
// a random text. The text distinguishes this process from a later one with the same ID.
var processName = sync.OnceValue(func() string {
	host, err := os.Hostname()
	if err != nil {
		host = "an unknown host"
	}
	// The host is shortened, because a store limits the name of a holder to MaxIDBytes.
	return fmt.Sprintf("process %d on %.200s (%s-%s)", os.Getpid(),
		strings.ToValidUTF8(strings.ReplaceAll(host, " ", "_"), "_"), scopeName(processScope()), rand.Text()[:8])
})

// unknownScope is the name of a scope that cannot be determined.
const unknownScope = "unknown"

// scopeName returns a short name of a scope. Process IDs are unique within a scope. A container
// with process IDs of its own has a scope of its own. A machine has a new scope after a restart.
func scopeName(scope string) string {
	if scope == "" {
		return unknownScope
	}
	sum := sha256.Sum256([]byte(scope))
	return hex.EncodeToString(sum[:6])
}

// isGone reports whether the holder of a lease is a process that no longer runs. It returns false
// if that is unknown, as for every process of another scope.
func isGone(holder string) bool {
	pid, scope, ok := readHolder(holder)
	ownPID, ownScope, _ := readHolder(processName())
	switch {
	case !ok || scope == unknownScope || scope != ownScope:
		return false
	case pid == ownPID:
		return holder != processName() // an earlier process had the same ID
	}
	return processGone(pid)
}

// readHolder returns the process ID and the scope's name of a holder that processName wrote. ok is
// false if the holder has another form.
func readHolder(holder string) (pid int, scope string, ok bool) {
	var host, rest string
	if _, err := fmt.Sscanf(holder, "process %d on %s (%s", &pid, &host, &rest); err != nil {
		return 0, "", false
	}
	scope, _, ok = strings.Cut(rest, "-")
	return pid, scope, ok
}

// leaseTime is how long a lease lasts unless it is renewed.
const leaseTime = 30 * time.Second

// acquireLease leases a conversation to this process. It takes over the lease of a process that is
// known to have ended.
func acquireLease(ctx context.Context, s Store, id string) (Lease, error) {
	from := time.Now()
	r := LeaseRequest{Holder: processName(), From: from, Until: from.Add(leaseTime)}
	for {
		l, err := s.Acquire(ctx, id, r)
		held, ok := errors.AsType[*LeaseError](err)
		// A store that refuses although Over names the lease in force would refuse again.
		if !ok || r.Over == held.Current.Fence || !isGone(held.Current.Holder) {
			return l, err
		}
		r.Over = held.Current.Fence
	}
}

// leaseChecked is like acquireLease, but releases the lease and returns the error of check if check
// refuses the conversation. check is called after the lease has begun, because until then another
// process may change the conversation.
func leaseChecked(ctx context.Context, s Store, id string, check func(*Metadata) error) (Lease, error) {
	l, err := acquireLease(ctx, s, id)
	if err != nil {
		return Lease{}, err
	}
	m, err := s.Metadata(ctx, id)
	if err == nil {
		err = check(&m)
	}
	if err != nil {
		return Lease{}, errors.Join(err, s.Release(context.WithoutCancel(ctx), l))
	}
	return l, nil
}

// keepLease renews a lease until stop is called, even after the end of ctx. It calls lost if the
// lease is lost or the conversation was deleted. stop may be called again.
func keepLease(ctx context.Context, s Store, l Lease, lost func(error)) (stop func()) {
	done := make(chan struct{})
	var renewing sync.WaitGroup
	renewing.Go(func() {
		ticker := time.NewTicker(leaseTime / 3) // a lease outlasts a renewal that fails
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
			}
			l.From = time.Now()
			l.Until = l.From.Add(leaseTime)
			// Other errors, such as that of a busy store, are ignored: as long as nobody has a
			// newer lease, writes under this lease succeed.
			err := s.Renew(context.WithoutCancel(ctx), l)
			if errors.As(err, new(*LeaseError)) || errors.Is(err, ErrNoConversation) {
				lost(err)
				return
			}
		}
	})
	return sync.OnceFunc(func() {
		close(done)
		renewing.Wait()
	})
}
