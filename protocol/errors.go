package protocol

import "fmt"

// FormatError is what FormatToolRequests returns for a request that would not read back as it is.
type FormatError struct {
	Protocol string // its id
	ToolName string // the request's
	Argument string // the argument at fault, "" where it is the request itself
	Reason   string
}

// Error names the request, the argument and the reason.
func (e *FormatError) Error() string {
	if e.Argument == "" {
		return fmt.Sprintf("%s: cannot write a request for %q: %s", e.Protocol, e.ToolName, e.Reason)
	}
	return fmt.Sprintf("%s: cannot write argument %q of a request for %q: %s", e.Protocol, e.Argument, e.ToolName, e.Reason)
}

// ReadError is what a Reader returns for a result or a definition that cannot be read.
type ReadError struct {
	Protocol string // its id
	Block    string // "result" or "definition"
	Offset   int    // where the block begins, in bytes
	Reason   string
	Err      error // the cause, where there is one
}

// Error names the block, its place and the reason.
func (e *ReadError) Error() string {
	return fmt.Sprintf("%s: the %s at byte %d: %s", e.Protocol, e.Block, e.Offset, e.Reason)
}

// Unwrap returns the cause.
func (e *ReadError) Unwrap() error { return e.Err }
