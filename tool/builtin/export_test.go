package builtin

import (
	"context"
	"io/fs"
	"os"

	"github.com/vcpgo/vcp/internal/publicnet"
	"github.com/vcpgo/vcp/tool"
)

// MaxSteps is how many steps may pass between two checks of a context.
const MaxSteps = stepsPerCheck

// OpenChecked opens a file whose path has been checked. The path may have been swapped since.
func OpenChecked(root *os.Root, path string) error {
	file, _, err := files{root}.openAs(path, openFile, regular)
	if err != nil {
		return err
	}
	return file.Close()
}

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

// MatchLong reports whether a regular expression matches a line, read as a long one is.
func MatchLong(ctx context.Context, expression string, line []byte) (bool, error) {
	m, err := newMatcher(lineQuery{text: expression, regexp: true})
	if err != nil {
		return false, err
	}
	m.program = stepsPerCheck
	return m.match(&work{ctx: ctx}, line)
}

// Approximate evaluates an expression in floating point and returns how far the result may be off.
func Approximate(expression string) (f, off float64, err error) {
	x, err := evaluateExpression(context.Background(), expression)
	return x.f, x.off, err
}

// FetchWith returns the fetch tool with another dialer.
func FetchWith(d *publicnet.Dialer) (tool.Tool, error) { return newFetcher(d).tool() }

// Diff shows the difference between two texts.
func Diff(name, before, after string) (diff string, whole bool) {
	return unifiedDiff(name, before, after)
}

// PlanWrite plans a write, and returns what does it.
func PlanWrite(ctx context.Context, root *os.Root, path, content string) (apply func() error, err error) {
	f := files{root}
	c, err := f.planWrite(ctx, writeInput{path, content})
	return func() error { return f.apply(ctx, c) }, err
}

// OpenBelow opens a directory for a write below it.
func OpenBelow(root *os.Root, name string) error {
	dir, _, err := openBelow(root, name)
	if err != nil {
		return err
	}
	return dir.Close()
}
