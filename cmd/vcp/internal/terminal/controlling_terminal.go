package terminal

import "errors"

// errResumed ends a question during which the program was stopped and continued. It is asked again.
var errResumed = errors.New("the program was stopped and continued")
