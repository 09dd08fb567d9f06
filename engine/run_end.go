package engine

import (
	"github.com/vcpgo/vcp/protocol"
)

// stopReason returns why the run ends with this reply, or "" if it continues.
func (r *sessionRun) stopReason(iteration *Iteration, tools bool, err error) (StopReason, error) {
	if r.ctx.Err() != nil {
		return r.canceled()
	}
	config := &r.settings.config
	switch {
	case err != nil:
		return StopModelError, err
	case interrupted(iteration.Reply.Finish):
		if r.reader.size.over {
			r.limit = LimitReplyBytes
		}
		return StopIncomplete, nil
	case config.Enabled && !tools && !r.refused && r.feedback.stillRequests(iteration):
		return "", nil
	case config.Enabled && !tools:
		return r.limit.stop(), nil
	case tools && len(iteration.Requests) > 0 && (config.Mode == ModeManual || r.session.engine.settings.Load().config.Mode == ModeManual):
		return StopManual, nil
	case tools && (len(iteration.Requests) > 0 || r.feedback.isNeeded(iteration)):
		return "", nil
	case r.ctx.Err() != nil: // it ended while the reply was examined
		return r.canceled()
	case !iteration.Reply.Finish.Complete():
		return StopIncomplete, nil
	}
	return StopDone, nil
}

// interrupted reports whether a reply ended for a reason that neither the model nor a token limit
// gave. Its requests get no results. A reply truncated at a token limit runs nothing either, but
// the model is told.
func interrupted(finish protocol.FinishReason) bool {
	return !finish.Complete() && finish != protocol.FinishLength
}

// recordEnd records why the run ends. A run whose requests are dispatched has not ended before they
// are settled.
func (r *sessionRun) recordEnd(stop StopReason) {
	r.ended = true
	if stop != StopManual {
		r.journal.add(Entry{Kind: EntryEnd, End: &RecordedEnd{Stop: stop, Limit: r.limitOf(stop)}})
	}
}

// end makes sure that the journal has the end of the run, and returns how it ended.
func (r *sessionRun) end(stop StopReason, err error) (StopReason, error) {
	if stop == "" { // the receiver is gone
		stop, err = r.canceled()
	}
	if !r.ended {
		r.recordEnd(stop)
	}
	if failure := r.journal.flush(); failure != nil {
		return StopJournalError, failure
	}
	return stop, err
}
