package document

import (
	"fmt"
	"strconv"
)

// Limits are the limits of a document.
type Limits struct {
	Bytes   int // of the whole document
	Depth   int // of nested lists and mappings
	Entries int // fields of all mappings and items of all lists together
}

// refusedError is the error for a document that exceeds a limit, has a field twice, or uses a
// feature of YAML that is refused. JSON with this error is not read again as YAML.
type refusedError struct{ reason string }

func (e *refusedError) Error() string { return e.reason }

func (l Limits) tooLarge() error {
	return &refusedError{fmt.Sprintf("larger than %s, the limit", size(l.Bytes))}
}

func (l Limits) tooDeep() error {
	return &refusedError{fmt.Sprintf("nested more than %d deep", l.Depth)}
}

func (l Limits) tooMany() error {
	return &refusedError{fmt.Sprintf("more than %d entries", l.Entries)}
}

func size(n int) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return strconv.Itoa(n>>20) + " MiB"
	}
	return strconv.Itoa(n) + " bytes"
}
