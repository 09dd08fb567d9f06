//go:build !unix

package script

// limitProcess does nothing. The limits of the interpreter still hold.
func limitProcess(Limits) {}
