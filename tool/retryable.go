package tool

// Retryable marks an error of a handler as one that another try may not have, such as a server that was busy. Where the method is
// Idempotent, the executor tries again. The text of the error stays as it is; nil stays nil.
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
