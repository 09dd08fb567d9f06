// Package benchmarks compares iterations of the engine with iterations of other agents. It is a
// separate module, so that the engine does not depend on those agents. "make bench-eino" runs it.
package benchmarks
