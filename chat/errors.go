package chat

import "errors"

// Errors of a Conversation. A Conversation wraps each in an error that names the conversation.
var (
	// ErrBusy means that a turn of the conversation runs already.
	ErrBusy = errors.New("a turn is running; range over that turn to its end, or cancel its context and wait, before you begin another")
	// ErrEmptyText is what Send and Edit yield for a blank text.
	ErrEmptyText = errors.New("the user's text is empty; give Send a text, or let the model continue with Continue")
	// ErrNothingToContinue is what Continue yields if the model has finished, or if the history is
	// empty.
	ErrNothingToContinue = errors.New("nothing is left to answer; ask something with Send")
	// ErrPending is what Continue yields while dispatched requests wait for decisions.
	ErrPending = errors.New("requests wait for decisions; give them with Resolve, or continue without them with Send")
	// ErrNothingPending is what Resolve yields if no request that mode manual has dispatched waits
	// for a decision.
	ErrNothingPending = errors.New("no dispatched request waits for a decision; " +
		"if a running turn asks for approval, decide with Decide")
)

// Errors of a Conversation in a store.
var (
	// ErrChanged means that the conversation was continued elsewhere since it was opened.
	ErrChanged = errors.New("the conversation was continued elsewhere; open it again")
	// ErrNotInterrupted is what Resume yields if no turn was interrupted: the last one has ended,
	// or it waits for decisions in mode manual.
	ErrNotInterrupted = errors.New("no turn was interrupted; ask something with Send")
	// ErrBranchPoint means that Branch, Edit or Regenerate cannot begin a branch at an entry. The
	// error that wraps it says why.
	ErrBranchPoint = errors.New("no branch begins there")
)
