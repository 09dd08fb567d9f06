package chat

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// processName names this process as the holder of leases: its host, its process ID, and a random
// text, because a later process may have the same ID.
var processName = sync.OnceValue(func() string {
	host, err := os.Hostname()
	if err != nil {
		host = "an unknown host"
	}
	return fmt.Sprintf("process %d on %.200s (%s)", os.Getpid(),
		strings.ToValidUTF8(strings.ReplaceAll(host, " ", "_"), "_"), rand.Text()[:8])
})

// isGone reports whether the holder of a lease is a process of this host that no longer runs. It
// returns false if that is unknown.
func isGone(holder string) bool {
	var pid, ownPID int
	var host, ownHost string
	if _, err := fmt.Sscanf(holder, "process %d on %s", &pid, &host); err != nil {
		return false
	}
	if _, err := fmt.Sscanf(processName(), "process %d on %s", &ownPID, &ownHost); err != nil || host != ownHost {
		return false
	}
	if pid == ownPID {
		return holder != processName()
	}
	return processGone(pid)
}

// leaseTime is how long a lease lasts unless it is renewed.
const leaseTime = 30 * time.Second

// acquireLease leases a conversation to this process. It takes over the lease of a process of this
// host that no longer runs.
func acquireLease(ctx context.Context, s Store, id string) (Lease, error) {
	from := time.Now()
	r := LeaseRequest{Holder: processName(), From: from, Until: from.Add(leaseTime)}
	for {
		l, err := s.Acquire(ctx, id, r)
		held, ok := errors.AsType[*LeaseError](err)
		if !ok || r.Over == held.Current.Fence || !isGone(held.Current.Holder) {
			return l, err
		}
		r.Over = held.Current.Fence
	}
}

// renew renews a lease until done is closed or the lease is lost. It calls lost in the latter case.
func renew(ctx context.Context, s Store, l Lease, done <-chan struct{}, lost func(error)) {
	ticker := time.NewTicker(leaseTime / 3)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return
		case <-ticker.C:
		}
		l.From = time.Now()
		l.Until = l.From.Add(leaseTime)
		// Other errors, such as that of a busy store, do not end the turn: as long as nobody has a
		// newer lease, its writes succeed.
		if err := s.Renew(ctx, l); errors.As(err, new(*LeaseError)) || errors.Is(err, ErrNoConversation) {
			lost(err)
			return
		}
	}
}
