package protocol

import "fmt"

// FormatError is the error of FormatToolRequests for a request that would read back differently, or
// not at all.
type FormatError struct {
	Protocol string // ID of the protocol
	ToolName string // of the request
	Argument string // the argument that cannot be written; "" if it is the request itself
	Reason   string
}

// Error names the request, the argument and the reason.
func (e *FormatError) Error() string {
	if e.Argument == "" {
		return fmt.Sprintf("%s: cannot write a request for %q: %s", e.Protocol, e.ToolName, e.Reason)
	}
	return fmt.Sprintf("%s: cannot write argument %q of a request for %q: %s", e.Protocol, e.Argument, e.ToolName, e.Reason)
}

// ReadError is the error of a Reader for a result or a definition that cannot be read.
type ReadError struct {
	Protocol string // ID of the protocol
	Block    string // "result" or "definition"
	Offset   int    // of the block in the text, in bytes
	Reason   string
	Err      error // the cause, or nil
}

// Error names the block, its place and the reason.
func (e *ReadError) Error() string {
	return fmt.Sprintf("%s: the %s at byte %d: %s", e.Protocol, e.Block, e.Offset, e.Reason)
}

// Unwrap returns the cause.
func (e *ReadError) Unwrap() error { return e.Err }
