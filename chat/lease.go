package chat

import (
	"fmt"
	"time"
)

// Lease describes the right of one holder to change a conversation. The store decides whether the
// lease is still valid.
type Lease struct {
	ConversationID string
	// Holder says who has the lease, in words for people, such as a process.
	Holder string
	// Fence is the number of the lease. Each new lease has a higher one.
	Fence int64
	// From and Until limit the time in which nobody else can acquire the conversation, by the clock
	// of the holder. They are in UTC, with whole microseconds.
	From, Until time.Time
}

// LeaseRequest asks for a lease.
type LeaseRequest struct {
	Holder string // not empty
	// From is the current time; Until is later.
	From, Until time.Time
	// Over is the fence of a lease that Acquire takes over although it is in force; 0 takes over
	// none. It is for a lease whose holder is known to be gone. LeaseError.Current contains the
	// fence. If the holder still runs, its changes fail.
	Over int64
}

// maxClockDifference is how much the clocks of holders may differ. If a lease begins further in the
// future, a clock was set back.
const maxClockDifference = time.Minute

// InForce reports whether the lease keeps others out at the time now: now is before Until, and From
// is less than a minute ahead. Because of the second condition, a conversation is not locked for
// long if a clock was set back.
func (l Lease) InForce(now time.Time) bool {
	return now.Before(l.Until) && now.Add(maxClockDifference).After(l.From)
}

// LeaseError says that a lease cannot be acquired, or was lost. Nothing was changed.
type LeaseError struct {
	ConversationID string
	// Lost says that the caller's lease has ended: another one was given since, or it was released.
	// If Lost is false, another lease is in force.
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
		reason := "it was released"
		if holder != "" {
			reason = "the conversation was taken over" + holder
		}
		return fmt.Sprintf("chat: the lease of conversation %q is lost: %s; open the conversation again",
			e.ConversationID, reason)
	}
	return fmt.Sprintf("chat: conversation %q is in use%s; end the turn there, or wait", e.ConversationID, holder)
}
