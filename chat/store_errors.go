package chat

import (
	"errors"
	"fmt"
)

// Errors of a Store.
var (
	// ErrNoConversation is a conversation that the store does not have.
	ErrNoConversation = errors.New("the store has no such conversation")
	// ErrConversationExists is what Create returns for an ID that is taken.
	ErrConversationExists = errors.New("the store has a conversation with that id; choose another id, or open it")
	// ErrNoEntry is an entry that the conversation does not have.
	ErrNoEntry = errors.New("the conversation has no such entry")
)

// InvalidError is a value that a store refuses.
type InvalidError struct {
	Field   string // such as "metadata.id" or "entries[2].data"
	Value   string // as a person would write it, shortened
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
	// ProblemCorrupt is data that cannot be read, or that this kind of store did not write.
	ProblemCorrupt StoreProblem = "corrupt"
	// ProblemReadOnly is storage that may be read but not written.
	ProblemReadOnly StoreProblem = "read_only"
	// ProblemLocked is storage that another process uses for longer than the store waits.
	ProblemLocked StoreProblem = "locked"
	// ProblemFull is storage without room.
	ProblemFull StoreProblem = "full"
	// ProblemVersion is storage that a newer version of the program wrote.
	ProblemVersion StoreProblem = "version"
	// ProblemAccess is storage that may not be opened, or that does not exist.
	ProblemAccess StoreProblem = "access"
	// ProblemClosed is a store after its Close.
	ProblemClosed StoreProblem = "closed"
	// ProblemIO is any other failure.
	ProblemIO StoreProblem = "io"
)

// StoreError is a failure of storage.
type StoreError struct {
	Problem StoreProblem
	Name    string // of the storage, such as the path of a file
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
