package executor_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheDocumentListsTheErrorTypes compares the table in docs/execution.md with the constants.
func TestTheDocumentListsTheErrorTypes(t *testing.T) {
	read := func(path, pattern string) (list []string) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1) {
			list = append(list, m[1])
		}
		return list
	}
	want := append(read("failure.go", `\tError\w+ = "(\w+)"`),
		read("../tool/resolve.go", `\t\w+NotFound += "(\w+)"`)...)
	page, err := os.ReadFile("../docs/execution.md")
	require.NoError(t, err)
	_, table, _ := strings.Cut(string(page), "\n| error type | what happened |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var got []string
	for row := range strings.Lines(table) {
		cell, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " | ")
		for _, m := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(cell, -1) {
			got = append(got, m[1])
		}
	}
	require.ElementsMatch(t, want, got)
}
