package chat

import "errors"

// Errors of a Conversation. Each is wrapped in an error that names the conversation.
var (
	// ErrBusy is what Send, Continue and Resolve return while another of them runs.
	ErrBusy = errors.New("a turn is running; range over it to its end, or cancel its context and wait, before the next")
	// ErrEmptyText is what Send returns for a text that is blank.
	ErrEmptyText = errors.New("the user's text is empty; give Send a text, or let the model continue with Continue")
	// ErrNothingToContinue is what Continue returns if the model has finished, or was not asked
	// anything.
	ErrNothingToContinue = errors.New("nothing is left to answer; ask something with Send")
	// ErrPending is what Continue returns while dispatched requests wait for decisions.
	ErrPending = errors.New("requests wait for decisions; give them with Resolve, or continue without them with Send")
	// ErrNothingPending is what Resolve returns if no request waits.
	ErrNothingPending = errors.New("no request that mode manual has dispatched waits for a decision; Pending lists the calls that do")
)

// Errors of a Conversation in a store.
var (
	// ErrChanged is a conversation that was continued elsewhere since it was opened.
	ErrChanged = errors.New("the conversation was continued elsewhere; open it again")
	// ErrNotInterrupted is what Resume returns if the last turn has ended.
	ErrNotInterrupted = errors.New("the last turn has ended; ask something with Send")
	// ErrBranchPoint is an entry at which Branch, Edit or Regenerate begins no branch. The error
	// that wraps it says which entries are allowed.
	ErrBranchPoint = errors.New("no branch begins there")
)
