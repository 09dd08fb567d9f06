package server

import "sync"

// counter counts what each user has in use.
type counter struct {
	mu    sync.Mutex
	count map[string]int
}

// take counts one more for a user. It returns false if the user already has as many in use as
// limit.
func (c *counter) take(user string, limit int) bool {
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

// give counts one less for a user.
func (c *counter) give(user string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.count[user]--; c.count[user] <= 0 {
		delete(c.count, user)
	}
}
