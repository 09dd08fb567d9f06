package engine

// StopReason says why a run ended.
type StopReason string

const (
	// StopDone is a reply that requests nothing more.
	StopDone StopReason = "done"
	// StopMaxIterations is a run that reached a limit, which Event.Limit names. Usually the model
	// has written one last reply without tools.
	StopMaxIterations StopReason = "max_iterations"
	// StopCanceled is a run whose context ended. The error is the context's cause.
	StopCanceled StopReason = "canceled"
	// StopNoProgress is a run that loop detection ended. The model made the same calls with the
	// same results three times, or nothing could run in too many replies in a row. Event.Limit says
	// which. The model has written one last reply without tools.
	StopNoProgress StopReason = "no_progress"
	// StopModelError is a model that failed or panicked, or a missing one. The error says why.
	StopModelError StopReason = "model_error"
	// StopJournalError is a run whose journal failed. The error is a *JournalError. What had not
	// started was canceled.
	StopJournalError StopReason = "journal_error"
	// StopIncomplete is a reply that ended before the model was done. It has no finish reason, two
	// different ones, or one that does not mean the end, such as content_filter. A reply without
	// requests that was truncated at the token limit is incomplete, and so is a reply longer than
	// Config.MaxReplyBytes, which Event.Limit names. Nothing of such a reply ran.
	StopIncomplete StopReason = "incomplete"
	// StopManual is a reply whose requests are dispatched in mode manual. The application supplies
	// the results and continues with another run.
	StopManual StopReason = "manual"
)

// Limit names the limit that a run has reached.
type Limit string

// The limits, named after the fields of Config that set them. LimitRepeats and LimitMistakes are
// fixed.
const (
	LimitIterations Limit = "maxIterations"
	LimitRequests   Limit = "maxRequests"
	LimitReplyBytes Limit = "maxReplyBytes"
	LimitCalls      Limit = "maxCalls"
	LimitTime       Limit = "maxTime"
	LimitTokens     Limit = "maxTokens"
	LimitRepeats    Limit = "repeats"
	LimitMistakes   Limit = "mistakes"
)

// stop returns why a run ends that has reached the limit.
func (l Limit) stop() StopReason {
	if l == LimitRepeats || l == LimitMistakes {
		return StopNoProgress
	}
	return StopMaxIterations
}
