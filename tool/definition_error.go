package tool

import "fmt"

// DefinitionError is the error for a method, a tool or a source that cannot be registered.
type DefinitionError struct {
	Name   string // the name of the method, tool or source
	Reason string // what is wrong, and what is allowed
	Err    error  // the cause, or nil
}

func (e *DefinitionError) Error() string {
	message := fmt.Sprintf("tool: %q: %s", e.Name, e.Reason)
	if e.Err != nil {
		message += ": " + e.Err.Error()
	}
	return message
}

// Unwrap returns the cause.
func (e *DefinitionError) Unwrap() error { return e.Err }
