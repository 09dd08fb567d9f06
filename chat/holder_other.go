//go:build !unix

package chat

// processGone returns false: it cannot tell, so the lease has to end by itself.
func processGone(int) bool { return false }
