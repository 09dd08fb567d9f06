//go:build !unix

package document

// nonblock is a flag for os.OpenFile: opening a named pipe does not wait. This system has no such
// flag.
const nonblock = 0
