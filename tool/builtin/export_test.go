package builtin

import (
	"context"
	"io/fs"
	"os"
)

// MaxSteps bounds the steps between two looks at a context.
const MaxSteps = stepsPerCheck

// Walk calls visit for every entry below the root.
func Walk(ctx context.Context, root *os.Root, visit func(name string, entry fs.DirEntry) error) (partial bool, err error) {
	w := newWalker(ctx, files{root}, true)
	err = w.walk(".", visit)
	return w.partial, err
}

// Fits reports whether a pattern fits a path.
func Fits(ctx context.Context, pattern, name string) (bool, error) {
	g, err := newGlob(pattern)
	if err != nil {
		return false, err
	}
	return g.match(&work{ctx: ctx}, name)
}
