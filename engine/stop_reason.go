package engine

// StopReason says why a run ended.
type StopReason string

const (
	// StopDone means that the last reply requests nothing more.
	StopDone StopReason = "done"
	// StopMaxIterations means that the run reached a limit of Config other than MaxReplyBytes, such
	// as MaxCalls. Event.Limit names the limit. Usually the model has written one last reply
	// without tools.
	StopMaxIterations StopReason = "max_iterations"
	// StopCanceled means that the context ended. The error is the context's cause.
	StopCanceled StopReason = "canceled"
	// StopNoProgress means that loop detection ended the run: the model made the same calls with
	// the same results three times, or nothing could run in too many replies in a row. Event.Limit
	// says which of the two. The model has written one last reply without tools.
	StopNoProgress StopReason = "no_progress"
	// StopModelError means that the model or the protocol failed, that no model is set, or that the
	// session can begin no more replies (ErrMaxReplies). The error says which.
	StopModelError StopReason = "model_error"
	// StopJournalError means that the journal failed, or that Resume was given wrong entries. The
	// error is a *JournalError or an *EntryError. Calls that had not started were canceled.
	StopJournalError StopReason = "journal_error"
	// StopIncomplete means that the last reply ended before the model was done. It has no finish
	// reason, two different ones, or one that does not mean the end, such as content_filter. A
	// reply without requests that was truncated at the token limit is incomplete, and so is a reply
	// longer than Config.MaxReplyBytes, which Event.Limit names. Nothing of such a reply ran.
	StopIncomplete StopReason = "incomplete"
	// StopManual means that the requests of the last reply are dispatched in mode manual. The
	// application supplies the results and continues with another run.
	StopManual StopReason = "manual"
)

// Limit names the limit that a run has reached.
type Limit string

// The limits, named after the fields of Config that set them. LimitRepeats and LimitMistakes belong
// to loop detection and have no field.
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

// stop returns the StopReason of a run that has reached the limit. The limit is not
// LimitReplyBytes, which makes the run stop with StopIncomplete.
func (l Limit) stop() StopReason {
	if l == LimitRepeats || l == LimitMistakes {
		return StopNoProgress
	}
	return StopMaxIterations
}
