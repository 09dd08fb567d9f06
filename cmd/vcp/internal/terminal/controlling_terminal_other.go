//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd)

package terminal

import "context"

// errNotHere says why every call that needs approval is denied on this system: earlier input cannot
// be dropped, so it could answer a question.
var errNotHere = errorf("approval on a terminal is not supported on this system")

func checkControllingTerminal(any) error { return errNotHere }

type terminal struct{}

func openTerminal() (*terminal, error) { return nil, errNotHere }

func (*terminal) close() {}

func (*terminal) size() screen { return screen{} }

func (*terminal) write(context.Context, string) error { return errNotHere }

func (*terminal) ask(context.Context, string, string) (string, error) { return "", errNotHere }
