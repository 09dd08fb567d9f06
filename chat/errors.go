package chat

import (
	"errors"
	"fmt"
)

// What a Conversation refuses. Each comes wrapped in an error that names the conversation.
var (
	// ErrBusy is what Send, Continue and Answer give while another of them runs.
	ErrBusy = errors.New("a turn is running; range over it to its end, or cancel its context and wait, before the next")
	// ErrEmptyText is what Send gives for a text that is blank.
	ErrEmptyText = errors.New("the user's text is empty; give Send a text, or let the model go on with Continue")
	// ErrNothingToContinue is what Continue gives where the model has said all, or has not been asked anything.
	ErrNothingToContinue = errors.New("nothing is left to answer; ask something with Send")
	// ErrPending is what Continue gives while handed out requests wait for their answers.
	ErrPending = errors.New("requests wait for their answers; give them with Answer, or go on without them with Send")
	// ErrNothingPending is what Answer gives where no request waits.
	ErrNothingPending = errors.New("no request waits for an answer; Pending lists those that do, in mode manual")
)

// refuse says which conversation refuses, and why.
func (c *Conversation) refuse(err error) error {
	return fmt.Errorf("chat: conversation %q: %w", c.tools.session.ID(), err)
}

// AnswerError is a set of answers that does not fit the requests that wait. Nothing was run.
type AnswerError struct {
	RequestID string
	Reason    string // what is wrong, and the way out
}

// Error names the request and the way out.
func (e *AnswerError) Error() string { return fmt.Sprintf("request %q %s", e.RequestID, e.Reason) }

// SnapshotError is a Snapshot that Restore cannot take.
type SnapshotError struct {
	Field   string // as in JSON, such as "messages[3].role"
	Value   string // as a person would write it
	Allowed string
}

// Error names the field, the value and what is allowed.
func (e *SnapshotError) Error() string {
	return fmt.Sprintf("chat: snapshot: %s is %s; allowed is %s", e.Field, e.Value, e.Allowed)
}
