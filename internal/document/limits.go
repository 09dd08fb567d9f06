package document

import (
	"fmt"
	"strconv"
)

// Limits limit a document.
type Limits struct {
	Bytes   int // of the whole
	Depth   int // of nested lists and mappings
	Entries int // fields of all mappings and items of all lists together
}

// errLimit reports a document over a limit or with a refused feature. A document of JSON is then
// not read as YAML.
type errLimit struct{ reason string }

func (e *errLimit) Error() string { return e.reason }

func (l Limits) tooLarge() error {
	return &errLimit{fmt.Sprintf("larger than %s, the most that is read", size(l.Bytes))}
}

func (l Limits) tooDeep() error {
	return &errLimit{fmt.Sprintf("nested more than %d deep", l.Depth)}
}

func (l Limits) tooMany() error {
	return &errLimit{fmt.Sprintf("more than %d entries", l.Entries)}
}

func size(n int) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return strconv.Itoa(n>>20) + " MiB"
	}
	return strconv.Itoa(n) + " bytes"
}
