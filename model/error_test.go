package model

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Only newError may make an Error: one made elsewhere could show secrets in the words of a server.
func TestErrorsHaveOneConstructor(t *testing.T) {
	files := token.NewFileSet()
	code := func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }
	packages, err := parser.ParseDir(files, ".", code, 0) //nolint:staticcheck // build tags do not matter here
	require.NoError(t, err)
	isError := func(e ast.Expr) bool {
		name, ok := e.(*ast.Ident)
		return ok && name.Name == "Error"
	}
	constructors := 0
	for _, pkg := range packages {
		ast.Inspect(pkg, func(n ast.Node) bool {
			at := func(n ast.Node) string { return files.Position(n.Pos()).String() }
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Name.Name == "newError" {
					constructors++
					return false
				}
			case *ast.UnaryExpr:
				literal, ok := n.X.(*ast.CompositeLit)
				require.False(t, n.Op == token.AND && ok && isError(literal.Type),
					"%s makes an *Error; only newError may", at(n))
			case *ast.CallExpr:
				name, ok := n.Fun.(*ast.Ident)
				require.False(t, ok && name.Name == "new" && isError(n.Args[0]),
					"%s makes an *Error; only newError may", at(n))
			case *ast.AssignStmt:
				for _, left := range n.Lhs {
					field, ok := left.(*ast.SelectorExpr)
					require.False(t, ok && field.Sel.Name == "Message", "%s sets a message; only newError may", at(n))
				}
			case *ast.CompositeLit:
				for _, element := range n.Elts {
					pair, ok := element.(*ast.KeyValueExpr)
					if !ok || !isError(n.Type) {
						continue
					}
					key, ok := pair.Key.(*ast.Ident)
					require.False(t, ok && key.Name == "Message", "%s sets a message; only newError may", at(pair))
				}
			}
			return true
		})
	}
	require.Equal(t, 1, constructors)
}
