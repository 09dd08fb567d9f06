package tool

import "fmt"

// ConflictError is the error for a name that is registered already.
type ConflictError struct {
	// Kind says what the name names: "tool", "method", "alias" or "source".
	Kind string
	// Name is the tool's id, the method's full name, the alias, or the name of the source.
	Name string
	// Owner is the owner of the tool that could not be registered. Holder is the owner of the tool
	// that has the name. For a source, both are its name.
	Owner, Holder string
}

func (e *ConflictError) Error() string {
	what := map[string]string{
		"tool": "tool id", "method": "full name", "alias": "command name", "source": "source name",
	}[e.Kind]
	if e.Owner == e.Holder {
		return fmt.Sprintf("tool: %s registers the %s %q twice; rename one of them", e.Owner, what, e.Name)
	}
	return fmt.Sprintf("tool: %s registers the %s %q, which %s has registered already; rename or remove one of the two",
		e.Owner, what, e.Name, e.Holder)
}
