package command

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
)

// FileError is a mistake in a file of command tools.
type FileError struct {
	Path   string
	Line   int    // from 1; 0 if the line is not known
	Field  string // such as "tools[0].methods[1].run"; "" for the whole file
	Reason string // what is wrong, and what is allowed
}

func (e *FileError) Error() string {
	place := e.Path
	if e.Line > 0 {
		place += ":" + strconv.Itoa(e.Line)
	}
	if e.Field != "" {
		place += ": " + e.Field
	}
	return place + ": " + e.Reason
}

// FileErrors are all mistakes that were found in a file, in the order of their lines. An error of
// this type has at least one mistake.
type FileErrors []*FileError

func (e FileErrors) Error() string {
	if len(e) == 1 {
		return e[0].Error()
	}
	return fmt.Sprintf("%v (and %d more; vcp tools check lists all)", e[0], len(e)-1)
}

// Unwrap returns the mistakes.
func (e FileErrors) Unwrap() []error {
	list := make([]error, len(e))
	for i := range e {
		list[i] = e[i]
	}
	return list
}

// openError returns the error for a file that cannot be read as a document.
func openError(path string, err error) error {
	if errors.As(err, new(*fs.PathError)) {
		return fmt.Errorf("command tools: %w", err)
	}
	reason, line := err.Error(), 0
	if m := lineInText.FindStringSubmatch(reason); m != nil {
		line, _ = strconv.Atoi(m[1])
		reason = strings.Replace(reason, m[0], "", 1)
	}
	return FileErrors{{Path: path, Line: line, Reason: reason}}
}

// lineInText finds the line number in an error of package document.
var lineInText = regexp.MustCompile(`line (\d+): `)
