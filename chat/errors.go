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
	ErrPending = errors.New("requests wait for decisions; give them with Resolve, or go on without them with Send")
	// ErrNothingPending is what Resolve returns if no request waits.
	ErrNothingPending = errors.New("no request that mode manual has dispatched waits for a decision; Pending lists those that do")
)

var errNoEngine = errors.New("chat: a conversation needs an engine; make one with engine.New")
