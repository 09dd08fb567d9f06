package builtin

import (
	"context"
	"io/fs"
	"os"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin/internal/publicnet"
)

// MaxSteps is how many steps may pass between two checks of a context.
const MaxSteps = stepsPerCheck

// OpenChecked opens a file without a check of the path, as the files tool does after its check. So
// a test can replace the file as if that happened between the check and the opening.
func OpenChecked(root *os.Root, path string) error {
	file, _, err := files{root: root}.openAs(path, openFile, requireRegular)
	if err != nil {
		return err
	}
	return file.Close()
}

// Walk calls visit for every entry below the root. partial reports that entries are missing.
func Walk(ctx context.Context, root *os.Root, visit func(name string, entry fs.DirEntry) error) (partial bool, err error) {
	w := newWalker(ctx, files{root: root}, true)
	err = w.walk(".", visit)
	return w.partial, err
}

// GlobMatches reports whether a pattern matches a path.
func GlobMatches(ctx context.Context, pattern, name string) (bool, error) {
	g, err := newGlob(pattern)
	if err != nil {
		return false, err
	}
	return g.match(&work{ctx: ctx}, name)
}

// MatchLong reports whether a regular expression matches a line. It reads a short line as the
// search reads a long one.
func MatchLong(ctx context.Context, expression string, line []byte) (bool, error) {
	m, err := newMatcher(lineQuery{text: expression, regexp: true})
	if err != nil {
		return false, err
	}
	m.stepsPerByte = stepsPerCheck // so many that match takes each line for a long one
	return m.match(&work{ctx: ctx}, line)
}

// Approximate returns the value of an expression as a float64, and its maximum error.
func Approximate(expression string) (f, off float64, err error) {
	x, err := evaluateExpression(context.Background(), expression)
	return x.f, x.off, err
}

// FetchWith returns the fetch tool with another dialer.
func FetchWith(d *publicnet.Dialer) (tool.Tool, error) { return fetchWith(d) }

// Diff returns unifiedDiff of two texts.
func Diff(name, before, after string) (diff string, whole bool) {
	return unifiedDiff(name, before, after)
}

// PlanWrite plans a write, and returns a function that writes.
func PlanWrite(ctx context.Context, root *os.Root, path, content string) (apply func() error, err error) {
	f := files{root: root}
	c, err := f.planWrite(ctx, writeInput{path, content})
	return func() error {
		_, err := f.apply(ctx, c)
		return err
	}, err
}

// OpenBelow opens a directory for a write below it.
func OpenBelow(root *os.Root, name string) error {
	dir, _, err := openBelow(root, name)
	if err != nil {
		return err
	}
	return dir.Close()
}

// Creates are the ways to give a temporary file the name of a new file.
var Creates = map[string]func(dir *os.Root, temporary, base string) error{
	"by a link": create, "without links": createWithoutLink,
}
