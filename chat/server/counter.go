package server

import "sync"

// counter counts the things of one kind, such as streams, that each user has in use.
type counter struct {
	mu    sync.Mutex
	count map[string]int
}

// acquire counts one more for a user. If the user already has as many in use as the limit, it
// returns false and counts nothing.
func (c *counter) acquire(user string, limit int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.count[user] >= limit {
		return false
	}
	if c.count == nil {
		c.count = map[string]int{}
	}
	c.count[user]++
	return true
}

// release counts one less for a user.
func (c *counter) release(user string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.count[user]--; c.count[user] <= 0 {
		delete(c.count, user)
	}
}
