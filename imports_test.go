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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/vcpgo/vcp"

// A rule says what one package may import, or each package that a pattern names.
type rule struct {
	// pkg is a package's path below the module, or "dir/*" for all packages below dir that have no
	// rule of their own.
	pkg string
	// may lists the packages of this module that pkg may import, in the same form.
	may []string
	// noOtherModules means that pkg may import no package of another module.
	noOtherModules bool
}

// rules are the rows of the table in docs/architecture.md, "Who may import whom".
var rules = sync.OnceValues(func() ([]rule, error) {
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		return nil, err
	}
	return parseRules(string(text))
})

// parseRules reads the rules from the table in a document, in the order of the table.
func parseRules(document string) ([]rule, error) {
	_, table, found := strings.Cut(document, "\n| package | may import |\n|---|---|\n")
	if !found {
		return nil, errors.New(`the document has no table headed "| package | may import |"`)
	}
	table, _, _ = strings.Cut(table, "\n\n")
	var list []rule
	for line := range strings.SplitSeq(strings.TrimSpace(table), "\n") {
		m := ruleRow.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("a row of the table must have the form \"| `package` | `other`, `another`; standard library only |\" (got %q)", line)
		}
		r := rule{pkg: m[1], noOtherModules: m[3] != ""}
		switch m[2] {
		case "all":
			r.may = []string{everything}
		case "none of ours":
		default:
			r.may = codeSpans(m[2])
		}
		list = append(list, r)
	}
	return list, nil
}

// ruleRow is a row of the table: a package, the packages of this module that it may import, and
// whether it may import no other module.
var ruleRow = regexp.MustCompile("^\\| `([^`]+)` \\| (all|none of ours|`[^`]+`(?:, `[^`]+`)*)(; standard library only)? \\|$")

// everything in a rule's list allows each package of the module.
const everything = "*"

// ruleFor returns the rule of a package: its own, or that of the longest pattern that it matches.
func ruleFor(pkg string) (rule, bool) {
	list, err := rules()
	if err != nil {
		panic(err)
	}
	found := rule{}
	for _, r := range list {
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
// files.
func violations(imports map[string][]string) []string {
	var found []string
	for _, pkg := range slices.Sorted(maps.Keys(imports)) {
		r, ok := ruleFor(pkg)
		if !ok {
			found = append(found, fmt.Sprintf("%s has no import rule: add a row to the table in docs/architecture.md",
				cmp.Or(pkg, "the root of the module")))
			continue
		}
		for _, imported := range slices.Compact(slices.Sorted(slices.Values(imports[pkg]))) {
			if problem := r.refusal(pkg, imported); problem != "" {
				found = append(found, problem)
			}
		}
	}
	return found
}

// refusal returns why a package under the rule may not import a path, or "" if it may.
func (r rule) refusal(pkg, imported string) string {
	ours, isOurs := strings.CutPrefix(imported, module+"/")
	switch {
	case imported == module:
		return fmt.Sprintf("%s imports the root of the module, which holds tests only", pkg)
	case isOurs && r.allows(ours):
		return ""
	case isOurs && isProtocol(ours):
		return fmt.Sprintf("%s imports %s: only cmd, examples, internal and tests may import a particular protocol; accept a protocol.Protocol "+
			"from the caller instead", pkg, ours)
	case isOurs && len(r.may) == 0:
		return fmt.Sprintf("%s imports %s: %s may import no other package of this module; move the shared code to the lower package, "+
			"or let the caller of %s pass it in", pkg, ours, r.pkg, pkg)
	case isOurs:
		return fmt.Sprintf("%s imports %s: %s may import only %s; declare the needed interface in the importing package",
			pkg, ours, r.pkg, strings.Join(r.may, ", "))
	case r.noOtherModules && !isStandard(imported):
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

// isStandard reports whether the path is of the standard library. The first element of every other
// path contains a dot, except "C", which is cgo.
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
	list, err := rules()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		for _, pkg := range append(r.may, r.pkg) {
			dir, isPattern := strings.CutSuffix(pkg, "/*")
			if _, found := imports[pkg]; !found && !isPattern && pkg != everything {
				t.Errorf("the rule of %s names the package %s, which does not exist", r.pkg, pkg)
			} else if _, err := os.Stat(dir); isPattern && err != nil {
				t.Errorf("the rule of %s names the pattern %s: %v", r.pkg, pkg, err)
			}
		}
	}
}

// readImports returns the imports of each package of the module at the root of tree, without tests.
// It reads files because the go command omits the files of other operating systems.
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
// rapidseed sets a constant seed, so that property tests, called laws here, do not fail at random.
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
		seeds := bytes.Contains(text, []byte("\t_ \""+module+"/internal/rapidseed\"\n"))
		if seeds || bytes.Contains(text, []byte("\t\"pgregory.net/rapid\"\n")) {
			seeded[dir] = seeded[dir] || seeds
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seeded) < 10 {
		t.Errorf("only %d packages with property tests were found: this test does not see the module", len(seeded))
	}
	for dir, ok := range seeded {
		if !ok {
			t.Errorf("the tests in %s import rapid: import internal/rapidseed as well", dir)
		}
	}
}
