package vcp_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The first line of each case cites rows or sections of the dialect. The file name of the case
// begins with one of these rows, with a section such as s8, or with x for a combination.
func TestCasesCiteTheirRows(t *testing.T) {
	files, err := filepath.Glob("testdata/vcp/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			line, err := firstLine(file)
			if err != nil {
				t.Fatal(err)
			}
			if problem := checkCitation(filepath.Base(file), line); problem != "" {
				t.Error(problem)
			}
		})
	}
}

// A row without a case could break unnoticed.
func TestEveryRowHasACase(t *testing.T) {
	files, err := filepath.Glob("testdata/vcp/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, file := range files {
		line, err := firstLine(file)
		if err != nil {
			t.Fatal(err)
		}
		cited, _, _ := strings.Cut(line, ":")
		for row := range strings.SplitSeq(cited, ",") {
			shown[strings.TrimSpace(row)] = true
		}
	}
	for _, m := range dialectRow.FindAllStringSubmatch(readDialect(t), -1) {
		if !shown[m[1]] {
			t.Errorf("no case in testdata/vcp cites row %s in its first line", m[1])
		}
	}
}

func firstLine(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Scan()
	return lines.Text(), lines.Err()
}

var (
	// citation is the start of a case's first line: rows or sections, then a colon.
	citation = regexp.MustCompile(`^((?:[BFVC][0-9]+a?|§[1-8])(?:, (?:[BFVC][0-9]+a?|§[1-8]))*): \S`)
	// rowInName is the start of a case's file name: a row, "x" for a combination of rows, or a
	// section, such as "s8".
	rowInName = regexp.MustCompile(`^([bfvc])0?([1-9][0-9]?a?)-|^x-|^s[1-8]-`)
)

// checkCitation says what is wrong with the name or the first line of a case, or returns "".
func checkCitation(name, line string) string {
	m := citation.FindStringSubmatch(line)
	if m == nil {
		return fmt.Sprintf("the first line must begin with rows or sections of %s, such as \"B1: \" or \"B1, §8: \" (got %q)", dialectPath, line)
	}
	cited := strings.Split(m[1], ", ")
	for _, row := range cited {
		if !strings.HasPrefix(row, "§") && !slices.Contains(dialectRows(), row) {
			return fmt.Sprintf("row %s is not in %s", row, dialectPath)
		}
	}
	n := rowInName.FindStringSubmatch(name)
	if n == nil {
		return fmt.Sprintf("the file name must begin with a row, a section or x, such as \"b01-\", \"s8-\" or \"x-\" (got %q)", name)
	}
	if row := strings.ToUpper(n[1]) + n[2]; n[1] != "" && !slices.Contains(cited, row) {
		return fmt.Sprintf("the file is named for row %s; the first line cites %s", row, m[1])
	}
	return ""
}

func TestCitationsAreChecked(t *testing.T) {
	for _, c := range []struct{ name, file, line, want string }{
		{"a case named for the row it cites passes", "b01-case.txtar", "B1: markers in another case.", ""},
		{"the name may be for any of the cited rows", "v09a-open.txtar", "V9, V9a: the value stays open.", ""},
		{"a combination needs no row in its name", "x-two.txtar", "B1, §8: two damages.", ""},
		{"a line without a row is refused", "b01-case.txtar", "markers in another case.", "must begin with rows"},
		{"an unknown row is refused", "b20-case.txtar", "B20: no such row.", "row B20 is not in"},
		{"a name without a row is refused", "case.txtar", "B1: markers.", "must begin with a row"},
		{"a name for another row is refused", "b02-case.txtar", "B1: markers.", "named for row B2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := checkCitation(c.file, c.line)
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("checkCitation(%q, %q) = %q, want %q in it", c.file, c.line, got, c.want)
			}
		})
	}
}
