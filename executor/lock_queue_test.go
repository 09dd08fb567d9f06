package executor

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// caller is one caller of acquire, and what it knows about its lock.
type caller struct {
	id       int
	keys     []string
	lock     *lock
	acquired bool
	refused  bool
	lost     bool // the held lock was marked as lost
	released bool
}

func (c *caller) holds() bool { return c.acquired && !c.released }
func (c *caller) waits() bool { return !c.acquired && !c.refused && !c.released }

// TestLawLocksAreGrantedInOrder checks what a lock table guarantees, with random callers. A key
// never has more holders than its limit. Nobody gets a key before earlier callers that wait for it,
// and nobody waits without a reason. No queue remains after all locks were released. (A law is a
// property that rapid checks with generated inputs.)
func TestLawLocksAreGrantedInOrder(t *testing.T) {
	limits := map[string]int{"a": 1, "b": 2, "c": 3}
	rapid.Check(t, func(rt *rapid.T) {
		var table lockTable
		var all []*caller
		notified := map[int]int{}
		// held returns how many callers hold a key or, with onlyLost, how many of their locks are
		// lost.
		held := func(key string, onlyLost bool) (n int) {
			for _, c := range all {
				if c.holds() && slices.Contains(c.keys, key) && (c.lost || !onlyLost) {
					n++
				}
			}
			return n
		}
		// some draws one of the callers that fit, or skips the action if there are none.
		some := func(fits func(*caller) bool) *caller {
			var list []*caller
			for _, c := range all {
				if fits(c) {
					list = append(list, c)
				}
			}
			if len(list) == 0 {
				rt.Skip("none")
			}
			return rapid.SampledFrom(list).Draw(rt, "caller")
		}
		rt.Repeat(map[string]func(*rapid.T){
			"acquire": func(rt *rapid.T) {
				keys := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c"}), 1, 3, rapid.ID)
				c := &caller{id: len(all), keys: keys.Draw(rt, "keys")}
				var claims []claim
				hopeless := false
				for _, key := range c.keys {
					claims = append(claims, claim{key, limits[key]})
					hopeless = hopeless || held(key, true) >= limits[key]
				}
				c.lock, c.acquired = table.acquire(claims, func(acquired bool) {
					notified[c.id]++
					c.acquired, c.refused = acquired, !acquired
				})
				c.refused = c.lock == nil
				if c.refused != hopeless {
					rt.Fatalf("the lock is refused: %t; all slots of a key are lost: %t", c.refused, hopeless)
				}
				all = append(all, c)
			},
			"release": func(rt *rapid.T) {
				c := some(func(c *caller) bool { return !c.refused && !c.released })
				c.released = true
				c.lock.release()
			},
			"release twice": func(*rapid.T) { some(func(c *caller) bool { return c.released }).lock.release() },
			"lose": func(rt *rapid.T) {
				c := some(func(c *caller) bool { return c.holds() && !c.lost })
				c.lost = true
				c.lock.lose()
			},
			"": func(rt *rapid.T) { // rapid calls it after each action
				for key, limit := range limits {
					if n := held(key, false); n > limit {
						rt.Fatalf("%d callers have %s, and its limit is %d", n, key, limit)
					}
				}
				for i, c := range all {
					if notified[c.id] > 1 {
						rt.Fatalf("caller %d was notified %d times, want at most once", i, notified[c.id])
					}
					if !c.waits() {
						continue
					}
					full := func(key string) bool { return held(key, false) >= limits[key] }
					if why := waitsFor(all[:i], c, full); why == "" {
						rt.Fatalf("caller %d waits without a reason", i)
					}
					for _, later := range all[i+1:] {
						if later.holds() && overlap(c.keys, later.keys) {
							rt.Fatalf("caller %d waits, although it came before %d, which holds a key", i, later.id)
						}
					}
				}
			},
		})
		for _, c := range all {
			c.lock.release()
		}
		if len(table.queues) != 0 {
			rt.Fatalf("%d queues without a caller remain", len(table.queues))
		}
	})
}

// waitsFor returns why a caller has to wait, or "" if nothing keeps it waiting.
func waitsFor(earlier []*caller, c *caller, full func(string) bool) string {
	for _, key := range c.keys {
		if full(key) {
			return key + " is full"
		}
	}
	for _, e := range earlier {
		if e.waits() && overlap(e.keys, c.keys) {
			return fmt.Sprintf("%d came first", e.id)
		}
	}
	return ""
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(key string) bool { return slices.Contains(b, key) })
}

func TestNilLockCountsAsReleased(t *testing.T) {
	var none *lock
	none.release()
	none.lose()
	require.Nil(t, none)
}
