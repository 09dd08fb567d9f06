package workload

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

//go:embed chinese.md
var chinese string

// sourcePackages are packages of the standard library, and of modules that vcp requires. Their
// documentation and code resemble what models write, so replies are composed of them. The first is
// of the standard library.
var sourcePackages = []string{
	"net/http", "encoding/json", "strconv", "math/bits", "sort", "strings", "text/template", "crypto/sha256",
	"compress/flate", "os", "github.com/spf13/cobra", "github.com/stretchr/testify/assert",
	"github.com/yuin/goldmark", "github.com/google/go-cmp/cmp",
}

// sources contains the texts of which replies are composed, without line breaks at their ends.
type sources struct {
	english      []string // blocks of Markdown of this repository, of Go and of modules, and doc comments
	chinese      []string // blocks of the file chinese.md
	declarations []string // functions in Go
}

// load returns the sources, which it reads once. It needs the go command, a checkout of this
// repository, and the modules that the repository requires.
var load = sync.OnceValue(func() *sources {
	s, err := readSources()
	if err != nil {
		panic(fmt.Sprintf("workload: the sources cannot be read: %v", err)) // no benchmark can run without them
	}
	return s
})

func readSources() (*sources, error) {
	list := exec.Command("go", append([]string{"list", "-f", "{{.Dir}}\t{{.Root}}"}, sourcePackages...)...)
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	repository, err := checkout()
	if err != nil {
		return nil, err
	}
	s := &sources{chinese: blocks(chinese)}
	markdown := []string{"README.md", "CONTRIBUTING.md", "docs/*.md"}
	for i, name := range markdown {
		markdown[i] = filepath.Join(repository, name)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		dir, root, _ := strings.Cut(line, "\t")
		if i == 0 { // the root of this package is that of Go
			markdown = append(markdown, filepath.Join(root, "doc", "*.md"),
				filepath.Join(root, "src", "cmd", "compile", "*.md"), filepath.Join(root, "src", "runtime", "*.md"))
		}
		markdown = append(markdown, filepath.Join(dir, "README.md"))
		if err := s.addPackage(dir); err != nil {
			return nil, err
		}
	}
	for _, pattern := range markdown {
		names, err := filepath.Glob(pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			s.english = append(s.english, blocks(string(text))...)
		}
	}
	return s, nil
}

// checkout returns the root of the repository.
func checkout() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("no go.mod in the working directory or above it")
		}
		dir = parent
	}
}

// addPackage adds doc comments and declarations from the Go files in a directory, in the order of
// their names. It omits files that contain a mark.
func (s *sources) addPackage(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return e.IsDir() || !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go")
	})
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		if hasMark(string(text)) {
			continue
		}
		if err := s.addFile(e.Name(), string(text)); err != nil {
			return err
		}
	}
	return nil
}

func (s *sources) addFile(name, text string) error {
	positions := token.NewFileSet()
	file, err := parser.ParseFile(positions, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, decl := range file.Decls {
		function, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if function.Doc != nil {
			s.english = append(s.english, blocks(function.Doc.Text())...)
		}
		from, to := positions.Position(function.Pos()).Offset, positions.Position(function.End()).Offset
		s.declarations = append(s.declarations, text[from:to])
	}
	return nil
}

// blocks splits Markdown at empty lines outside fenced code. It omits blocks that contain a mark of
// a protocol or of a reasoning section, so that a reply contains only the calls that the workload
// adds.
func blocks(markdown string) []string {
	var list []string
	fenced := false
	begin := 0 // of the current block
	at := 0    // of the current line
	add := func(end int) {
		if block := strings.Trim(markdown[begin:end], "\r\n"); block != "" && !hasMark(block) {
			list = append(list, block)
		}
		begin = end
	}
	for line := range strings.Lines(markdown) {
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(trimmed, "```"):
			fenced = !fenced
		case trimmed == "" && !fenced:
			add(at)
		}
		at += len(line)
	}
	if !fenced { // a fence that is never closed is omitted
		add(at)
	}
	return list
}

// markParts are parts of marks, in lower case. Each request in a protocol, and each mark of a
// reasoning section, contains one of them.
var markParts = []string{
	"tool_", "<tool", "</tool", "<function", "</function", "始", "末", "｢",
	"<think", "</think", "<reason", "</reason", "<thought", "</thought",
}

// hasMark reports whether text contains a part of a mark.
func hasMark(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(markParts, func(part string) bool { return strings.Contains(text, part) })
}
