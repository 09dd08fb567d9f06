package vcp_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

func TestViolationsOfImportRulesAreFound(t *testing.T) {
	for _, c := range []struct{ name, pkg, imports, want string }{
		{"a package imports what its rule lists", "engine", module + "/executor", ""},
		{"any package imports the standard library", "protocol", "encoding/json", ""},
		{"a package imports another module if its rule does not forbid that", "model", "github.com/sashabaranov/go-openai", ""},
		{"the command may import each package", "cmd/vcp", module + "/protocol/vcp", ""},
		{"the demo model may import a protocol", "internal/demomodel", module + "/protocol/vcp", ""},
		{"protocol/* is the rule of a new protocol", "protocol/other", module + "/protocol", ""},
		{"a store imports the interface that it implements", "chat/sqlitestore", module + "/chat", ""},

		{"an import that is not listed is refused", "executor", module + "/discovery", "executor may import only"},
		{"an import of a higher package is refused", "tool", module + "/engine", "tool may import only protocol, tool/schema"},
		{"protocol imports no other package than protocol/scan", "protocol", module + "/parser", "protocol may import only protocol/scan"},
		{"protocol/scan imports no package of the module", "protocol/scan", module + "/protocol", "protocol/scan may import no other package"},
		{"schemas do not import tools", "tool/schema", module + "/tool", "tool/schema may import only"},
		{"the engine may not import a particular protocol", "engine", module + "/protocol/vcp", "only cmd, examples, internal and tests may import a particular protocol"},
		{"a chat may not import a new protocol", "chat", module + "/protocol/other", "only cmd, examples, internal and tests may import a particular protocol"},
		{"one protocol does not import another", "protocol/vcp", module + "/protocol/other", "may import a particular protocol"},
		{"a package that may import protocol/* may not import protocoltest", "internal/demomodel", module + "/protocol/protocoltest", "internal/demomodel may import only"},
		{"only tests import test helpers", "engine", module + "/internal/golden", "engine may import only"},
		{"the parser imports no other module", "parser", "golang.org/x/text/width", "only the standard library"},
		{"a protocol imports no other module", "protocol/vcp", "github.com/yuin/goldmark", "only the standard library"},
		{"a package limited to the standard library has no cgo", "protocol", "C", "only the standard library"},
		{"nothing imports the root", "chat", module, "which holds tests only"},
		{"a new package needs a rule", "gadgets", "fmt", "gadgets has no import rule"},
		{"a new internal package needs a rule", "internal/gadgets", "fmt", "internal/gadgets has no import rule"},
		{"code at the root needs a rule", "", "fmt", "the root of the module has no import rule"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := violations(map[string][]string{c.pkg: {c.imports}})
			switch {
			case c.want == "" && len(got) > 0:
				t.Errorf("%s importing %s is refused: %q", c.pkg, c.imports, got)
			case c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want)):
				t.Errorf("%s importing %s: got %q, want one violation with %q", c.pkg, c.imports, got, c.want)
			}
		})
	}
}

func TestViolationsAreListedOnceInOrder(t *testing.T) {
	got := violations(map[string][]string{
		"parser": {module + "/tool", "fmt", module + "/tool", module + "/chat"},
		"engine": {module + "/model"},
	})
	if len(got) != 3 || !strings.HasPrefix(got[0], "engine imports model:") || !strings.HasPrefix(got[1], "parser imports chat:") ||
		!strings.HasPrefix(got[2], "parser imports tool:") {
		t.Errorf("got %q, want the imports of model, chat and tool, in this order", got)
	}
}

func TestReadImportsOmitsTestsAndOtherModules(t *testing.T) {
	file := func(lines ...string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(strings.Join(lines, "\n"))} }
	got, err := readImports(fstest.MapFS{
		"root.go":                   file(`package root`, `import "fmt"`),
		"a/a.go":                    file(`package a`, `import (`, `"os"`, `x "example.com/x"`, `)`, `func f() {}`),
		"a/a_plan9.go":              file(`//go:build plan9`, `package a`, `import "syscall"`),
		"a/a_test.go":               file(`package a`, `import "testing"`),
		"a/gen.go":                  file(`//go:build ignore`, ``, `package main`, `import "log"`),
		"a/_old.go":                 file(`package a`, `import "errors"`),
		"a/testdata/src/b.go":       file(`package b`, `import "net"`),
		"a/none/none.go":            file(`package none`),
		"benchmarks/go.mod":         file(`module other`),
		"benchmarks/b.go":           file(`package b`, `import "net/http"`),
		".hidden/c.go":              file(`package c`, `import "io"`),
		"vendor/example.com/x/x.go": file(`package x`, `import "io"`),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{"": {"fmt"}, "a": {"os", "example.com/x", "syscall"}, "a/none": {}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestReadImportsRefusesBrokenFiles(t *testing.T) {
	_, err := readImports(fstest.MapFS{"a/a.go": &fstest.MapFile{Data: []byte("no package")}})
	if err == nil || !strings.Contains(err.Error(), "a.go") {
		t.Errorf("got error %v, want one that names the file", err)
	}
}

func TestRulesAreReadFromTheirTable(t *testing.T) {
	const head = "\n| package | may import |\n|---|---|\n"
	for _, c := range []struct {
		name, document string
		want           []rule
	}{
		{"every package", head + "| `cmd/*` | all |\n\n", []rule{{pkg: "cmd/*", may: []string{everything}}}},
		{"no package", head + "| `a` | none of ours |\n", []rule{{pkg: "a"}}},
		{
			"two packages and no other module", head + "| `a` | `b`, `c/*`; standard library only |\n",
			[]rule{{pkg: "a", may: []string{"b", "c/*"}, noOtherModules: true}},
		},
		{"a document without the table is refused", "| `a` | `b` |\n", nil},
		{"a row without code spans is refused", head + "| `a` | b |\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := parseRules(c.document)
			if !reflect.DeepEqual(got, c.want) || (err == nil) != (c.want != nil) {
				t.Errorf("got %v and the error %v, want %v", got, err, c.want)
			}
		})
	}
}
