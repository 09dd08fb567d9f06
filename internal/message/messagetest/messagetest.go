// Package messagetest checks the catalogs of package message.
package messagetest

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/vcpgo/vcp/internal/message"
)

// Check checks the texts of the package in the working directory, as CheckDirectories does.
func Check(t *testing.T, catalog message.Catalog, functions map[string]int, others ...string) {
	t.Helper()
	CheckDirectories(t, []string{"."}, catalog, functions, others...)
}

// CheckDirectories checks the texts of the packages in directories with CheckTexts. It also fails
// the test if the two formats of an entry in the catalog take different values. If the text is the
// first argument of a call, the call must pass as many values as the text takes.
//
// functions maps names of functions and methods to the index of the argument that must be
// translated. The texts of a package are the constant strings in that argument of all calls, except
// calls in test files. others are further texts.
func CheckDirectories(
	t *testing.T, directories []string, catalog message.Catalog, functions map[string]int, others ...string,
) {
	t.Helper()
	found := slices.Clone(others)
	for _, directory := range directories {
		found = append(found, texts(t, directory, functions)...)
	}
	CheckTexts(t, catalog, found)
	for english, chinese := range catalog {
		if want, got := verbs(english), verbs(chinese); !slices.Equal(want, got) {
			t.Errorf("%q takes the values %v, and %q takes %v", english, want, chinese, got)
		}
	}
}

// CheckTexts fails the test if translations has no entry for one of the texts, or has an entry for
// any other text. It also fails the test if a translation has letters and none of them is Chinese.
// A text without letters, such as " (%d)", needs no translation.
func CheckTexts(t *testing.T, translations map[string]string, texts []string) {
	t.Helper()
	used := map[string]bool{}
	for _, text := range texts {
		used[text] = true
		if translations[text] == "" && hasLetters(text) {
			t.Errorf("no translation of %q", text)
		}
	}
	for english, chinese := range translations {
		if !used[english] {
			t.Errorf("nothing uses the text %q", english)
		}
		isHan := func(r rune) bool { return unicode.Is(unicode.Han, r) }
		if hasLetters(chinese) && !strings.ContainsFunc(chinese, isHan) {
			t.Errorf("%q is not Chinese", chinese)
		}
	}
}

// hasLetters reports whether a format has letters outside of its verbs.
func hasLetters(format string) bool {
	return strings.ContainsFunc(verb.ReplaceAllString(format, ""), unicode.IsLetter)
}

var (
	verb        = regexp.MustCompile(`%(\[\d+\])?[-+# 0]*[\d.]*[a-zA-Z]`)
	indexInVerb = regexp.MustCompile(`%\[(\d+)\]`) // of the value, as in %[2]s
)

// verbs returns the verbs of a format, such as %d, in the order of their values.
func verbs(format string) []string {
	found := verb.FindAllString(strings.ReplaceAll(format, "%%", ""), -1)
	slices.SortStableFunc(found, func(a, b string) int {
		return strings.Compare(indexInVerb.FindString(a), indexInVerb.FindString(b))
	})
	for i, v := range found {
		found[i] = indexInVerb.ReplaceAllString(v, "%")
	}
	return found
}

// texts returns the constant strings that the package in a directory passes to the functions. If
// the text is the first argument, texts also checks the number of values after it.
func texts(t *testing.T, directory string, functions map[string]int) (found []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(directory, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal("no Go files", err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			index, known := functions[nameOf(call.Fun)]
			if !known || len(call.Args) <= index {
				return true
			}
			text, ok := constantString(call.Args[index])
			if !ok || text == "" {
				return true
			}
			found = append(found, text)
			if values := len(call.Args) - 1; index == 0 && values != len(verbs(text)) && !call.Ellipsis.IsValid() {
				t.Errorf("%s: %q takes %d values and gets %d", file, text, len(verbs(text)), values)
			}
			return true
		})
	}
	return found
}

// nameOf returns the name of a called function, without its package or receiver.
func nameOf(function ast.Expr) string {
	switch f := function.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// constantString returns the value of a string literal, or of several that are joined with +. The
// second result is false for any other expression.
func constantString(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			return constant.StringVal(constant.MakeFromLiteral(e.Value, e.Kind, 0)), true
		}
	case *ast.BinaryExpr:
		a, ok := constantString(e.X)
		b, isConstant := constantString(e.Y)
		return a + b, ok && isConstant && e.Op == token.ADD
	}
	return "", false
}
