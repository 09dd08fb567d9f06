package chat

import (
	"errors"
	"fmt"
)

// Errors of a Store.
var (
	// ErrNoConversation means that the store does not have the conversation.
	ErrNoConversation = errors.New("the store has no such conversation")
	// ErrConversationExists is what Create returns for an ID that is taken.
	ErrConversationExists = errors.New("the store has a conversation with that id; choose another id, or open it")
	// ErrNoEntry means that the conversation does not have the entry.
	ErrNoEntry = errors.New("the conversation has no such entry")
)

// InvalidError says that a store refuses a value.
type InvalidError struct {
	Field   string // such as "metadata.id" or "entries[2].data"
	Value   string // a shortened form for people
	Allowed string
}

// Error names the field, the value and the allowed values.
func (e *InvalidError) Error() string {
	return fmt.Sprintf("chat: store: %s is %s; allowed is %s", e.Field, e.Value, e.Allowed)
}

// StoreProblem is a way in which storage fails.
type StoreProblem string

// The problems of storage.
const (
	// ProblemCorrupt means that data cannot be read, or that another kind of store or program wrote
	// them.
	ProblemCorrupt StoreProblem = "corrupt"
	// ProblemReadOnly means that the storage may be read but not written.
	ProblemReadOnly StoreProblem = "read_only"
	// ProblemLocked means that another process uses the storage for longer than the store waits.
	ProblemLocked StoreProblem = "locked"
	// ProblemFull means that the storage has no room left.
	ProblemFull StoreProblem = "full"
	// ProblemVersion means that a newer version of the program wrote the storage.
	ProblemVersion StoreProblem = "version"
	// ProblemAccess means that the storage may not be opened, or does not exist.
	ProblemAccess StoreProblem = "access"
	// ProblemClosed means that the store was closed.
	ProblemClosed StoreProblem = "closed"
	// ProblemIO means any other failure.
	ProblemIO StoreProblem = "io"
)

// StoreError is a failure of storage.
type StoreError struct {
	Problem StoreProblem
	Name    string // what failed, such as the path of a file or the id of a conversation
	Advice  string // what a person can do
	Err     error
}

// Error names the storage, the cause and a way out.
func (e *StoreError) Error() string {
	text := fmt.Sprintf("chat: store %s: %v", e.Name, e.Err)
	if e.Advice != "" {
		text += "; " + e.Advice
	}
	return text
}

// Unwrap returns the cause.
func (e *StoreError) Unwrap() error { return e.Err }
