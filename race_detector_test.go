package vcp_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// TestRaceDetectorCoversGoroutines compares scripts/raced.sh, which searches text, with the syntax
// of all files.
func TestRaceDetectorCoversGoroutines(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("scripts/raced.sh needs a shell: ", err)
	}
	out, err := exec.Command(shell, "scripts/raced.sh", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	raced := strings.Fields(string(out))
	for _, pkg := range goStatements(t, os.DirFS(".")) {
		if !slices.Contains(raced, path.Join(module, pkg)) {
			t.Errorf("%s has a go statement, but its tests run without the race detector", pkg)
		}
	}
	if !slices.Contains(raced, module) {
		t.Errorf("the tests at the root depend on the engine, but run without the race detector, which runs for %q", raced)
	}
	for _, pkg := range []string{"parser", "protocol/vcp", "protocol/hermes", "protocol/qwencoder"} {
		if slices.Contains(raced, path.Join(module, pkg)) {
			t.Errorf("%s starts no goroutine, but its tests run with the race detector, which makes them ten times slower", pkg)
		}
	}
}

// goStatements returns the packages with a go statement in code or tests, as paths below the
// module.
func goStatements(t *testing.T, tree fs.FS) []string {
	t.Helper()
	var found []string
	err := fs.WalkDir(tree, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return skipForeign(tree, file)
		}
		if path.Ext(file) != ".go" {
			return nil
		}
		src, err := fs.ReadFile(tree, file)
		if err != nil || !bytes.Contains(src, []byte("go ")) {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if _, ok := n.(*ast.GoStmt); ok && !slices.Contains(found, path.Dir(file)) {
				found = append(found, path.Dir(file))
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Error("no go statement was found: this test does not see the module")
	}
	return found
}
