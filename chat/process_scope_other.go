//go:build !linux && !darwin

package chat

// processScope returns "": this system does not say in which scope process IDs are unique.
func processScope() string { return "" }
