// Package engine runs the loop between a model that writes text and tools. It reads a reply while
// it streams and runs its requests once the reply is complete. It returns the results to the model
// and repeats, until the model requests nothing more or a limit is reached.
package engine
