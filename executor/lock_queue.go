package executor

import (
	"slices"
	"sync"
)

// A lockTable limits how many locks are held on each key at once. Locks on a key are granted in
// order of arrival. A lock on several keys gets all of them together and holds none of them while
// it waits, so locks do not deadlock. The zero value is ready to use. It is safe for concurrent
// use.
type lockTable struct {
	mu     sync.Mutex
	queues map[any]*lockQueue
}

// A lockQueue is the state of one key.
type lockQueue struct {
	limit   int
	held    int
	lost    int // how many of held may never be released
	waiting []*lock
}

// A claim asks for one slot of a key.
type claim struct {
	key   any
	limit int // how many slots the key has
}

// A lock is a set of claims, waiting or held. A nil lock counts as released.
type lock struct {
	table  *lockTable
	claims []claim
	state  lockState
	ready  func(acquired bool)
}

type lockState uint8

const (
	lockWaiting lockState = iota
	lockHeld
	lockLost
	lockReleased
)

// acquire asks for all claims, whose keys must differ, and reports whether the lock is held at
// once. If all slots of a key are lost, it returns a nil lock. A lock that is not held at once
// waits: ready is called with true when it is held, or with false if all slots of a key become
// lost. ready is not called if the lock is released before that. It runs on the goroutine that
// released or lost a slot, and must not block.
func (t *lockTable) acquire(claims []claim, ready func(acquired bool)) (l *lock, held bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.queues == nil {
		t.queues = map[any]*lockQueue{}
	}
	for _, c := range claims {
		if q := t.queues[c.key]; q != nil && q.lost >= c.limit {
			return nil, false
		}
	}
	l = &lock{table: t, claims: claims, ready: ready}
	for _, c := range claims {
		q := t.queues[c.key]
		if q == nil {
			q = &lockQueue{}
			t.queues[c.key] = q
		}
		q.limit = c.limit // the limit of the latest caller counts
		q.waiting = append(q.waiting, l)
	}
	if t.available(l) {
		t.hold(l)
		return l, true
	}
	return l, false
}

// available reports whether a lock is the first in all its queues, and each of its keys has a free
// slot.
func (t *lockTable) available(l *lock) bool {
	for _, c := range l.claims {
		if q := t.queues[c.key]; q.held >= q.limit || q.first() != l {
			return false
		}
	}
	return true
}

func (t *lockTable) hold(l *lock) {
	l.state = lockHeld
	for _, c := range l.claims {
		q := t.queues[c.key]
		q.held++
		q.first() // removes l, which no longer waits
	}
}

// grantNext grants all locks that can be held after a change to the keys of claims.
func (t *lockTable) grantNext(claims []claim) (granted []*lock) {
	for changed := claims; len(changed) > 0; {
		key := changed[0].key
		changed = changed[1:]
		q := t.queues[key]
		if q == nil {
			continue
		}
		for l := q.first(); l != nil && t.available(l); l = q.first() {
			t.hold(l)
			granted = append(granted, l)
			if len(l.claims) > 1 { // its other queues have a new first lock
				changed = slices.Concat(changed, l.claims)
			}
		}
		if q.held == 0 && q.first() == nil {
			delete(t.queues, key)
		}
	}
	return granted
}

// first returns the first waiting lock, or nil. It removes the locks at the beginning of the queue
// that no longer wait.
func (q *lockQueue) first() *lock {
	for len(q.waiting) > 0 {
		if l := q.waiting[0]; l.state == lockWaiting {
			return l
		}
		q.waiting[0] = nil
		q.waiting = q.waiting[1:]
	}
	return nil
}

// release gives up what the lock holds or waits for. Further calls do nothing.
func (l *lock) release() {
	if l == nil {
		return
	}
	t := l.table
	t.mu.Lock()
	for _, c := range l.claims {
		switch q := t.queues[c.key]; l.state {
		case lockHeld:
			q.held--
		case lockLost:
			q.held--
			q.lost--
		}
	}
	var next []*lock
	if l.state != lockReleased {
		l.state = lockReleased
		next = t.grantNext(l.claims)
	}
	t.mu.Unlock()
	for _, n := range next {
		n.ready(true)
	}
}

// lose marks a held lock as lost until it is released. It refuses the waiting locks on a key if all
// slots of the key are lost.
func (l *lock) lose() {
	if l == nil {
		return
	}
	t := l.table
	t.mu.Lock()
	var refused, next []*lock
	if l.state == lockHeld {
		l.state = lockLost
		for _, c := range l.claims {
			q := t.queues[c.key]
			if q.lost++; q.lost >= q.limit {
				refused = append(refused, q.refuseAll()...)
			}
		}
	}
	for _, r := range refused { // the refused locks may have kept other locks waiting
		next = append(next, t.grantNext(r.claims)...)
	}
	t.mu.Unlock()
	for _, r := range refused {
		r.ready(false)
	}
	for _, n := range next {
		n.ready(true)
	}
}

// refuseAll empties the queue and returns the locks that waited.
func (q *lockQueue) refuseAll() (refused []*lock) {
	for _, l := range q.waiting {
		if l.state == lockWaiting {
			l.state = lockReleased
			refused = append(refused, l)
		}
	}
	q.waiting = nil
	return refused
}
