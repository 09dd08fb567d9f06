// Package weakmodel is a scripted model for tests of what the engine says to models. It follows the
// solution of a task, but only with what it reads: the tools and the form of requests must be in
// the prompt, and the values that it needs in results. It makes one slip of a given kind, and heeds
// feedback only if the feedback says in words what to do. So worse feedback makes tasks fail.
package weakmodel
