// Package engine runs the loop between a model that writes text and tools that do things: it reads a reply while it streams,
// runs the requests found in it once the reply is complete, hands the results back as text, and goes round until the model asks
// for nothing more or a limit is reached.
package engine
