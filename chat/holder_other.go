//go:build !unix

package chat

// processGone returns false, because processes cannot be checked here: the lease has to expire.
func processGone(int) bool { return false }
