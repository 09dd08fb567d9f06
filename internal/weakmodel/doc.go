// Package weakmodel is a scripted model for tests of the feedback that the engine gives to models.
// It follows the solution of a task, but uses only what it reads: the prompt must describe the
// tools and the form of requests, and results must contain the values that it writes later. It
// makes one slip, a mistake of a given kind. The kind ThreeMistakes is three slips, one after
// another. The model corrects a slip only if the feedback says in words how. So worse feedback
// makes tasks fail.
package weakmodel
