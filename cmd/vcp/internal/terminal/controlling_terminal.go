package terminal

import "errors"

// errResumed ends a question if the program was stopped and continued while the question was open.
// The question is then asked again.
var errResumed = errors.New("the program was stopped and continued")
