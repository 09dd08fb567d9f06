//go:build !unix

package script

// limitProcess does nothing: the limits of the interpreter hold.
func limitProcess(Limits) {}
