package parser

import "fmt"

// ProtocolError says that a protocol failed while it read a reply.
type ProtocolError struct {
	Panic any   // the value of the panic; nil if the protocol returned an error
	Err   error // the error that the protocol returned; nil after a panic
}

// Error says that the protocol failed, and how.
func (e *ProtocolError) Error() string {
	if e.Panic != nil {
		return fmt.Sprintf("parser: the protocol panicked: %v", e.Panic)
	}
	return "parser: the protocol failed: " + e.Err.Error()
}

// Unwrap returns Err.
func (e *ProtocolError) Unwrap() error { return e.Err }

// guard calls f, which calls the protocol. It returns a panic as an error.
func guard(f func()) (err error) {
	defer recovered(&err)
	f()
	return nil
}

// recovered is deferred in functions that call the protocol. It turns a panic into an error.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = &ProtocolError{Panic: r}
	}
}
