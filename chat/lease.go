package chat

import (
	"fmt"
	"time"
)

// Lease is the right of one holder to change a conversation. The store decides whether a lease is
// still valid.
type Lease struct {
	Conversation string
	// Holder says who has the lease, in words for people, such as a process.
	Holder string
	// Fence is the number of the lease. Each new lease has a higher one.
	Fence int64
	// Between From and Until the store gives no other holder a lease. The times are those of the
	// holder's clock, in UTC, with whole microseconds.
	From, Until time.Time
}

// LeaseRequest asks for a lease.
type LeaseRequest struct {
	Holder string // not empty
	// From is the current time; Until is later.
	From, Until time.Time
	// Over is the fence of a lease that is in force and that this request replaces, because its
	// holder is known to be gone. A *LeaseError names the fence. 0 replaces no lease in force. If
	// the replaced holder still runs, its changes fail.
	Over int64
}

// clockStep is how far two clocks may differ. A lease from further in the future shows that the
// clock was set back.
const clockStep = time.Minute

// InForce reports whether the lease keeps others out: now is before Until, and less than a minute
// before From. The second condition keeps a clock that was set back from locking a conversation
// for long.
func (l Lease) InForce(now time.Time) bool {
	return now.Before(l.Until) && now.Add(clockStep).After(l.From)
}

// LeaseError says that a lease cannot be acquired, or was lost. Nothing was changed.
type LeaseError struct {
	Conversation string
	// Lost reports that the caller's lease has ended: another one was given since, or it was
	// released. Otherwise another holder's lease is in force.
	Lost bool
	// Current is the newest lease of the conversation, or zero if it was released or is not known.
	Current Lease
}

// Error names the conversation, the holder and the end of the lease.
func (e *LeaseError) Error() string {
	holder := ""
	if e.Current.Fence != 0 {
		holder = fmt.Sprintf(" by %s until %s", e.Current.Holder, e.Current.Until.Format(time.RFC3339))
	}
	if e.Lost {
		taken := "it was released"
		if holder != "" {
			taken = "the conversation was taken over" + holder
		}
		return fmt.Sprintf("chat: the lease of conversation %q is lost: %s; open the conversation again", e.Conversation, taken)
	}
	return fmt.Sprintf("chat: conversation %q is in use%s; end the turn there, or wait", e.Conversation, holder)
}
