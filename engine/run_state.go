package engine

import (
	"context"
	"errors"

	"github.com/vcpgo/vcp/executor"
)

// sessionRun is one run of a session. It stays on the goroutine that ranges over the run's events.
type sessionRun struct {
	runBase

	journal recorder
	ended   bool // the end of the run is recorded, or must not be recorded

	reader            *reader
	conversation      runConversation
	recordingObserver executor.Observer // records and emits what happens to calls
	callContext       context.Context   // of calls; unlike ctx, which the model gets, it carries their budget
	found             []string          // methods found before the run; the prompt of a run stays the same
	spent             spent
	loops             loopDetector
	feedback          feedback
	limit             Limit // the limit that the run has reached
	refused           bool  // a reply without tools requested something again; the model has one more reply
}

// canceled returns how the run ends after its context has ended.
func (r *sessionRun) canceled() (StopReason, error) {
	cause := context.Cause(r.ctx)
	if failure := (*JournalError)(nil); errors.As(cause, &failure) {
		return StopJournalError, cause
	}
	if errors.Is(cause, errMaxTime) {
		r.limit = LimitTime
		return StopMaxIterations, nil
	}
	return StopCanceled, cause
}

// limitOf returns the limit that made the run end with stop, or "" if no limit did.
func (r *sessionRun) limitOf(stop StopReason) Limit {
	if stop == StopMaxIterations || stop == StopNoProgress || r.limit == LimitReplyBytes {
		return r.limit
	}
	return ""
}
