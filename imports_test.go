package vcp_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/vcpgo/vcp"

// A rule says what one package, or each of the packages that a pattern names, may import.
type rule struct {
	// pkg is a package's path below the module, or "dir/*" for all packages below dir that have no
	// rule of their own.
	pkg string
	// may lists the packages of this module that pkg may import, in the same form.
	may []string
	// std means that pkg may not import other modules either, only the standard library.
	std bool
}

// importRules lists which package may import which. docs/architecture.md contains the same table,
// and a test compares the two.
var importRules = []rule{
	{pkg: "protocol", may: []string{"protocol/scan"}, std: true},
	{pkg: "protocol/scan", std: true},
	{pkg: "protocol/protocoltest", may: []string{"protocol", "protocol/scan", "parser"}},
	{pkg: "protocol/*", may: []string{"protocol", "protocol/scan", "internal/markdown", "internal/needles", "internal/orderedjson", "internal/tags"}, std: true},
	{pkg: "parser", may: []string{"protocol", "protocol/scan", "internal/forms", "internal/markdown", "internal/needles", "internal/work"}, std: true},
	{pkg: "tool/schema", may: []string{"internal/chinese", "internal/message", "internal/orderedjson", "internal/text"}},
	{pkg: "tool/schema/export", may: []string{"tool/schema", "internal/orderedjson", "internal/text"}},
	{pkg: "tool", may: []string{"protocol", "tool/schema", "tool/schema/export", "internal/chinese", "internal/orderedjson", "internal/secrets", "internal/text"}},
	{pkg: "tool/command", may: []string{"tool", "tool/schema", "internal/chinese", "internal/document", "internal/orderedjson", "internal/poll", "internal/process", "internal/secrets", "internal/text"}},
	{pkg: "tool/vcpplugin", may: []string{"tool", "internal/chinese", "internal/document", "internal/message", "internal/orderedjson", "internal/poll", "internal/process", "internal/redact", "internal/secrets", "internal/text", "internal/work"}},
	{pkg: "tool/builtin", may: []string{"tool", "internal/chart", "internal/chinese", "internal/htmltext", "internal/message", "internal/process", "internal/publicnet", "internal/tabular", "internal/text", "internal/timezone"}},
	{pkg: "tool/script", may: []string{"tool", "internal/chinese", "internal/message"}},
	{pkg: "tool/mcp", may: []string{"tool", "internal/backoff", "internal/chinese", "internal/document", "internal/message", "internal/orderedjson", "internal/poll", "internal/process", "internal/redact", "internal/secrets", "internal/text"}},
	{pkg: "discovery", may: []string{"protocol", "tool", "tool/schema", "internal/attach"}},
	{pkg: "executor", may: []string{"protocol", "protocol/scan", "tool", "tool/schema", "executor/policy", "internal/attach", "internal/backoff", "internal/message", "internal/orderedjson", "internal/text"}},
	{pkg: "executor/policy", may: []string{"tool"}},
	{pkg: "engine", may: []string{"protocol", "protocol/scan", "parser", "tool", "discovery", "executor", "executor/policy", "internal/chinese", "internal/document", "internal/forms", "internal/orderedjson", "internal/provenance", "internal/secrets", "internal/text", "internal/work"}},
	{pkg: "model", may: []string{"protocol", "protocol/scan", "parser", "tool/schema", "engine", "model/history", "tool/schema/export", "internal/backoff", "internal/chinese", "internal/document", "internal/message", "internal/redact", "internal/text", "internal/work"}},
	{pkg: "model/history", may: []string{"protocol", "internal/document", "internal/jsonerror"}},
	{pkg: "chat", may: []string{"protocol", "protocol/scan", "tool", "discovery", "executor", "engine", "internal/jsonerror", "internal/orderedjson", "internal/secrets", "internal/text"}},
	{pkg: "chat/markdown", may: []string{"protocol", "parser", "chat", "internal/text"}},
	{pkg: "chat/server", may: []string{"tool", "executor", "engine", "chat", "chat/markdown", "internal/jsonerror", "internal/text"}},
	{pkg: "chat/*", may: []string{"protocol", "parser", "engine", "chat"}},
	{pkg: "mcpserver", may: []string{"protocol", "tool", "tool/schema/export", "engine", "executor", "internal/loopback", "internal/text"}},
	{pkg: "eval", may: []string{"protocol", "protocol/scan", "parser", "tool", "tool/builtin", "engine", "executor", "executor/policy", "internal/definition", "internal/document", "internal/jsonerror", "internal/text"}},
	{pkg: "internal/attach", std: true},
	{pkg: "internal/backoff", std: true},
	{pkg: "internal/chatapi", may: []string{"internal/document", "internal/jsonerror"}},
	{pkg: "internal/definition", may: []string{"tool", "internal/jsonerror", "internal/orderedjson"}},
	{pkg: "internal/demomodel", may: []string{"protocol", "protocol/scan", "protocol/*", "parser", "internal/chatapi", "internal/chinese", "internal/loopback", "internal/text", "internal/timezone"}},
	{pkg: "internal/document", may: []string{"internal/text"}},
	{pkg: "internal/provenance", may: []string{"protocol", "protocol/scan", "parser", "internal/forms", "internal/orderedjson", "internal/secrets", "internal/text", "internal/work"}},
	{pkg: "internal/rapidseed", may: []string{"internal/longtest"}},
	{pkg: "internal/redact", may: []string{"internal/text"}, std: true},
	{pkg: "internal/loopback", std: true},
	{pkg: "internal/redact/redacttest", std: true},
	{pkg: "internal/modelserver", may: []string{"internal/chatapi", "internal/jsonerror"}},
	{pkg: "internal/golden"},
	{pkg: "internal/longtest", std: true},
	{pkg: "internal/forms", may: []string{"protocol", "internal/needles", "internal/work"}, std: true},
	{pkg: "internal/markdown", std: true},
	{pkg: "internal/memorytest", std: true},
	{pkg: "internal/chinese", may: []string{"internal/message"}, std: true},
	{pkg: "internal/message", std: true},
	{pkg: "internal/message/messagetest", may: []string{"internal/message"}, std: true},
	{pkg: "internal/needles", std: true},
	{pkg: "internal/jsonerror", std: true},
	{pkg: "internal/orderedjson", may: []string{"internal/chinese"}, std: true},
	{pkg: "internal/poll", std: true},
	{pkg: "internal/process", std: true},
	{pkg: "internal/chart"},
	{pkg: "internal/htmltext"},
	{pkg: "internal/publicnet", std: true},
	{pkg: "internal/process/processtest", std: true},
	{pkg: "internal/publicnet/nametest"},
	{pkg: "internal/tabular", may: []string{"internal/chinese", "internal/message", "internal/orderedjson", "internal/text"}},
	{pkg: "internal/injectiontest", may: []string{"protocol", "protocol/scan", "parser"}},
	{pkg: "internal/exampletest", may: []string{"internal/modelserver"}},
	{pkg: "internal/requesttest", may: []string{"protocol"}, std: true},
	{pkg: "internal/schematest", may: []string{"tool/schema"}},
	{pkg: "internal/secrets", may: []string{"tool/schema", "internal/orderedjson", "internal/text", "internal/work"}},
	{pkg: "internal/tags", may: []string{"protocol", "protocol/scan"}, std: true},
	{pkg: "internal/text", std: true},
	{pkg: "internal/timezone", may: []string{"internal/text"}, std: true},
	{pkg: "internal/work", std: true},
	{pkg: "internal/reference", std: true},
	{pkg: "internal/weakmodel", may: []string{"protocol", "protocol/*", "engine", "eval"}},
	{pkg: "internal/workload"},
	{pkg: "cmd/vcp/internal/cli", may: []string{"internal/chinese", "internal/message", "internal/text"}},
	{pkg: "cmd/vcp/internal/terminal", may: []string{"protocol", "parser", "tool", "executor", "engine", "internal/chinese", "internal/document", "internal/message", "internal/orderedjson", "internal/text", "cmd/vcp/internal/cli"}},
	{pkg: "cmd/vcp/internal/configuration", may: []string{"protocol", "protocol/*", "tool", "tool/command", "tool/mcp", "tool/vcpplugin", "executor/policy", "engine", "model", "internal/chinese", "internal/document", "internal/redact", "internal/secrets", "internal/text", "cmd/vcp/internal/cli", "cmd/vcp/internal/terminal"}},
	{pkg: "cmd/vcp/internal/workspace", may: []string{"tool", "tool/builtin", "tool/script", "discovery", "executor", "executor/policy", "engine", "internal/definition", "internal/document", "internal/message", "internal/text", "cmd/vcp/internal/cli", "cmd/vcp/internal/configuration", "cmd/vcp/internal/terminal"}},
	{pkg: "cmd/vcp/internal/modelclient", may: []string{"protocol", "model", "internal/demomodel", "internal/loopback", "cmd/vcp/internal/cli", "cmd/vcp/internal/configuration", "cmd/vcp/internal/terminal"}},
	{pkg: "cmd/vcp/internal/sessions", may: []string{"protocol", "chat", "chat/sqlitestore", "internal/message", "internal/text", "cmd/vcp/internal/cli", "cmd/vcp/internal/configuration", "cmd/vcp/internal/terminal"}},
	{pkg: "cmd/vcp/internal/replies", may: []string{"protocol", "protocol/scan", "parser", "internal/jsonerror", "internal/orderedjson", "internal/text", "cmd/vcp/internal/cli", "cmd/vcp/internal/configuration", "cmd/vcp/internal/terminal"}},
	{pkg: "cmd/vcp/internal/conversation", may: []string{"protocol", "tool", "engine", "chat", "internal/chinese", "internal/message", "internal/orderedjson", "internal/secrets", "internal/text", "cmd/vcp/internal/cli", "cmd/vcp/internal/configuration", "cmd/vcp/internal/modelclient", "cmd/vcp/internal/sessions", "cmd/vcp/internal/terminal", "cmd/vcp/internal/workspace"}},
	{pkg: "cmd/vcp/internal/evaluation", may: []string{"protocol", "protocol/scan", "parser", "tool", "model", "eval", "cmd/vcp/internal/cli", "cmd/vcp/internal/configuration", "cmd/vcp/internal/modelclient", "cmd/vcp/internal/replies", "cmd/vcp/internal/terminal", "cmd/vcp/internal/workspace"}},
	{pkg: "cmd/*", may: []string{everything}},
	{pkg: "examples/analyst", may: []string{"protocol", "protocol/*", "tool", "tool/builtin", "engine", "model", "chat", "chat/markdown", "chat/server"}},
	{pkg: "examples/*", may: []string{"protocol", "protocol/*", "tool", "executor", "engine", "model", "chat", "chat/*", "chat/markdown", "chat/server"}},
}

// everything in a rule's list allows each package of the module.
const everything = "*"

// ruleFor returns the rule of a package: its own, or the rule of the pattern that it matches.
func ruleFor(pkg string) (rule, bool) {
	found := rule{}
	for _, r := range importRules {
		if r.pkg == pkg {
			return r, true
		}
		if dir, ok := strings.CutSuffix(r.pkg, "/*"); ok && strings.HasPrefix(pkg, dir+"/") && len(r.pkg) > len(found.pkg) {
			found = r
		}
	}
	return found, found.pkg != ""
}

// allows reports whether the rule lists a package of this module. A pattern in its list means the
// packages that have that pattern's rule. So "protocol/*" does not include protocol/protocoltest,
// which has a rule of its own.
func (r rule) allows(pkg string) bool {
	if slices.Contains(r.may, everything) || slices.Contains(r.may, pkg) {
		return true
	}
	target, ok := ruleFor(pkg)
	return ok && slices.Contains(r.may, target.pkg)
}

// violations returns the violations of the rules, one sentence each, in a fixed order. imports maps
// the path of each package below the module ("" for its root) to the full import paths of its
// files. Tests are omitted.
func violations(imports map[string][]string) []string {
	var found []string
	for _, pkg := range slices.Sorted(maps.Keys(imports)) {
		r, ok := ruleFor(pkg)
		if !ok {
			found = append(found, fmt.Sprintf("%s has no import rule: add a line to the table in docs/architecture.md and to the table in "+
				"imports_test.go", cmp.Or(pkg, "the root of the module")))
			continue
		}
		for _, imported := range slices.Compact(slices.Sorted(slices.Values(imports[pkg]))) {
			if problem := r.refuses(pkg, imported); problem != "" {
				found = append(found, problem)
			}
		}
	}
	return found
}

// refuses returns why pkg, to which the rule applies, may not import that path, or "" if it may.
func (r rule) refuses(pkg, imported string) string {
	ours, isOurs := strings.CutPrefix(imported, module+"/")
	switch {
	case imported == module:
		return fmt.Sprintf("%s imports the root of the module, which holds tests only", pkg)
	case isOurs && r.allows(ours):
		return ""
	case isOurs && isProtocol(ours):
		return fmt.Sprintf("%s imports %s: only cmd, internal and tests may name a particular protocol; accept a protocol.Protocol "+
			"from the caller instead", pkg, ours)
	case isOurs && len(r.may) == 0:
		return fmt.Sprintf("%s imports %s: %s may import no other package of this module; move the shared code to the lower package, "+
			"or let the caller of %s pass it in", pkg, ours, r.pkg, pkg)
	case isOurs:
		return fmt.Sprintf("%s imports %s: %s may import only %s; declare the needed interface in the importing package",
			pkg, ours, r.pkg, strings.Join(r.may, ", "))
	case r.std && !isStandard(imported):
		return fmt.Sprintf("%s imports %s: %s may import only the standard library, so that it adds no dependencies",
			pkg, imported, r.pkg)
	}
	return ""
}

// isProtocol reports whether a package implements one particular protocol.
func isProtocol(pkg string) bool {
	r, ok := ruleFor(pkg)
	return ok && r.pkg == "protocol/*"
}

// isStandard reports whether the path is of the standard library: no other may have a first element
// without a dot. "C" is cgo.
func isStandard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return imported != "C" && !strings.Contains(first, ".")
}

func TestWhoMayImportWhom(t *testing.T) {
	imports, err := readImports(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range []string{"protocol", "parser"} {
		if len(imports[pkg]) == 0 {
			t.Errorf("no imports of %s were read: this test does not see the module", pkg)
		}
	}
	for _, v := range violations(imports) {
		t.Error(v)
	}
}

// readImports returns the imports of each package of the module at the root of tree, without tests.
// It reads files because the go command omits the files of other systems.
func readImports(tree fs.FS) (map[string][]string, error) {
	imports := map[string][]string{}
	err := fs.WalkDir(tree, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return skipForeign(tree, file)
		}
		if path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") || strings.ContainsAny(path.Base(file)[:1], "._") {
			return nil
		}
		found, err := fileImports(tree, file)
		if err != nil {
			return err
		}
		if found != nil {
			pkg := strings.TrimPrefix(path.Dir(file), ".")
			imports[pkg] = append(imports[pkg], found...)
		}
		return nil
	})
	return imports, err
}

// skipForeign returns fs.SkipDir for a directory that is not part of the module.
func skipForeign(tree fs.FS, dir string) error {
	base := path.Base(dir)
	if dir == "." {
		return nil
	}
	if base == "testdata" || base == "vendor" || strings.ContainsAny(base[:1], "._") {
		return fs.SkipDir
	}
	switch _, err := fs.Stat(tree, path.Join(dir, "go.mod")); {
	case err == nil:
		return fs.SkipDir
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return nil
}

// fileImports returns the paths that a file imports. It returns nil only for a file with the build
// constraint "ignore", which is not part of its package.
func fileImports(tree fs.FS, file string) ([]string, error) {
	src, err := fs.ReadFile(tree, file)
	if err != nil {
		return nil, err
	}
	f, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(file), src, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			if x, err := constraint.Parse(c.Text); err == nil && x.String() == "ignore" {
				return nil, nil
			}
		}
	}
	paths := make([]string, 0, len(f.Imports))
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		paths = append(paths, p)
	}
	return paths, nil
}

// TestLawsImportRapidseed checks that each package whose tests import rapid also imports rapidseed.
// It sets a constant seed, so that property tests, called laws here, do not fail at random.
func TestLawsImportRapidseed(t *testing.T) {
	seeded := map[string]bool{} // by directory: whether its tests import rapidseed
	err := fs.WalkDir(os.DirFS("."), ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		dir := path.Dir(file)
		if seeds := bytes.Contains(text, []byte("\t_ \""+module+"/internal/rapidseed\"\n")); seeds || bytes.Contains(text, []byte("\t\"pgregory.net/rapid\"\n")) {
			seeded[dir] = seeded[dir] || seeds
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seeded) < 10 {
		t.Errorf("only %d packages with property tests were seen", len(seeded))
	}
	for dir, ok := range seeded {
		if !ok {
			t.Errorf("the tests in %s import rapid: import internal/rapidseed as well", dir)
		}
	}
}
