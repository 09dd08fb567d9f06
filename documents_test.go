package vcp_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	documentTest = regexp.MustCompile("`((?:Test|Fuzz|Benchmark)[A-Z][A-Za-z0-9]*)`")
	documentFile = regexp.MustCompile("`([a-z][a-z0-9_/]*/[a-z0-9_]+\\.(?:go|sh))`")
	benchPattern = regexp.MustCompile("BENCH='?([A-Za-z|/]+)'?")
	testFunction = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)[A-Za-z0-9]+)\(`)
)

// testFunctions returns the names of all tests, fuzz tests and benchmarks of the repository.
func testFunctions(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range testFunction.FindAllStringSubmatch(string(text), -1) {
			names[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestDocumentsNameWhatExists(t *testing.T) {
	functions := testFunctions(t)
	documents, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range append(documents, "README.md", "CONTRIBUTING.md") {
		raw, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		text := string(raw)
		for _, m := range documentTest.FindAllStringSubmatch(text, -1) {
			if !functions[m[1]] {
				t.Errorf("%s names the test %s, which does not exist", document, m[1])
			}
		}
		for _, m := range documentFile.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(m[1]); err != nil {
				t.Errorf("%s names the file %s, which does not exist", document, m[1])
			}
		}
		for _, m := range benchPattern.FindAllStringSubmatch(text, -1) {
			for _, part := range strings.Split(m[1], "|") {
				part, _, _ = strings.Cut(part, "/") // the rest is the pattern of a subtest
				if !matchesBenchmark(functions, part) {
					t.Errorf("%s runs benchmarks whose name contains %s, but there are none", document, part)
				}
			}
		}
	}
}

func matchesBenchmark(functions map[string]bool, part string) bool {
	for name := range functions {
		if strings.HasPrefix(name, "Benchmark") && strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// The tables "Inside the parser" and "Inside the engine" name each file of these packages once.
func TestArchitectureNamesTheFiles(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range []string{"parser", "engine"} {
		_, section, found := strings.Cut(string(text), "\n## Inside the "+pkg+"\n")
		if !found {
			t.Fatalf("docs/architecture.md has no section \"Inside the %s\"", pkg)
		}
		section, _, _ = strings.Cut(section, "\n## ")
		files, err := filepath.Glob(pkg + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		named := map[string]int{} // how often the table names each file
		for _, file := range files {
			if name := strings.TrimSuffix(filepath.Base(file), ".go"); name != "doc" && !strings.HasSuffix(name, "_test") {
				named[name] = 0
			}
		}
		for _, m := range firstCell.FindAllStringSubmatch(section, -1) {
			for _, pattern := range codeSpans(m[1]) {
				matched := false
				for name := range named {
					if ok, _ := filepath.Match(pattern, name); ok {
						matched = true
						named[name]++
					}
				}
				if !matched {
					t.Errorf("docs/architecture.md names %s in package %s, which has no such file", pattern, pkg)
				}
			}
		}
		for name, n := range named {
			if n != 1 {
				t.Errorf("docs/architecture.md names %s/%s.go %d times, want once", pkg, name, n)
			}
		}
	}
}

// firstCell is the first cell of a table's row that contains code spans.
var firstCell = regexp.MustCompile("(?m)^\\| (`[^|]*`) \\|")
