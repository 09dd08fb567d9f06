package tool

// Retryable marks an error of a handler as temporary, such as the error of a busy server. The
// executor retries a call with such an error if its method is Idempotent. The text of the error
// does not change. Retryable(nil) returns nil.
func Retryable(err error) error {
	if err == nil {
		return nil
	}
	return &retryable{err}
}

type retryable struct{ err error }

func (e *retryable) Error() string   { return e.err.Error() }
func (e *retryable) Unwrap() error   { return e.err }
func (e *retryable) Retryable() bool { return true }
