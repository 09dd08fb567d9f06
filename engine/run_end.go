package engine

import "github.com/vcpgo/vcp/protocol"

// stopReason returns why the run ends with this reply, or "" if it continues. tools says that the
// reply was allowed to use tools: they are enabled, and no limit was reached before it.
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
	case tools && len(iteration.Requests) > 0 &&
		(config.Mode == ModeManual || r.session.engine.settings.Load().config.Mode == ModeManual):
		return StopManual, nil
	case tools && (len(iteration.Requests) > 0 || r.feedback.isNeeded(iteration)):
		return "", nil
	case r.ctx.Err() != nil: // the context ended while the reply was examined
		return r.canceled()
	case !iteration.Reply.Finish.Complete():
		return StopIncomplete, nil
	}
	return StopDone, nil
}

// interrupted reports whether a reply was ended neither by the model nor by a token limit. The
// requests of such a reply get no results. Nothing of a reply truncated at a token limit runs
// either, but its requests get results that say so.
func interrupted(finish protocol.FinishReason) bool {
	return !finish.Complete() && finish != protocol.FinishLength
}

// recordEnd records why the run ends. It records no end for StopManual: the turn continues when the
// application has supplied the results of the dispatched requests.
func (r *sessionRun) recordEnd(stop StopReason) {
	r.ended = true
	if stop != StopManual {
		r.journal.add(Entry{Kind: EntryEnd, End: &RecordedEnd{Stop: stop, Limit: r.limitOf(stop)}})
	}
}

// end records the end of the run if that has not been done, and returns how the run ended.
func (r *sessionRun) end(stop StopReason, err error) (StopReason, error) {
	if stop == "" { // the application no longer receives events
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
