// Package benchmarks compares an iteration of the engine with those of other agents. It is a module of its own, so that nobody who uses the
// engine has to do with them: "make bench-eino" runs it.
package benchmarks
