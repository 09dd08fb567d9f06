package executor

import (
	"fmt"
	"runtime/debug"
)

// recoverHook must be deferred in a function that calls a hook. It turns a panic of the hook into
// an error and the stack of the panic.
func recoverHook(err *error, stack *[]byte) {
	if p := recover(); p != nil {
		*err, *stack = fmt.Errorf("panic: %v", p), debug.Stack()
	}
}
