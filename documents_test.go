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
