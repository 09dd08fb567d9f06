package tabular_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/tool/builtin/internal/tabular"
)

// countedContext ends after limit checks, and counts all checks.
type countedContext struct {
	context.Context
	limit, checks atomic.Int64
}

func newCountedContext(limit int64) *countedContext {
	c := &countedContext{Context: context.Background()}
	c.limit.Store(limit)
	return c
}

func (c *countedContext) Err() error {
	if c.checks.Add(1) > c.limit.Load() {
		return context.Canceled
	}
	return nil
}

// hostileWorkbooks are XLSX files that are small, and large when they are unpacked.
func hostileWorkbooks() map[string]workbookParts {
	const row = `<row><c t="s"><v>0</v></c></row>`
	word := strings.Repeat("x", 1000)
	return map[string]workbookParts{
		"many shared strings":               newWorkbook(row).share(strings.Repeat("<si><t>abc</t></si>", 60_000)),
		"long shared strings":               newWorkbook(row).share(strings.Repeat("<si><t>"+word+"</t></si>", 5000)),
		"many runs in one string":           newWorkbook(row).share("<si>" + strings.Repeat("<r><t/></r>", 80_000) + "</si>"),
		"many phonetic hints in one string": newWorkbook(row).share("<si><rPh>" + strings.Repeat("<t>"+word+"</t>", 5000) + "</rPh></si>"),
		"one huge cell":                     newWorkbook(row + `<row><c t="str"><v>` + strings.Repeat(word, 5000) + `</v></c></row>`).share("<si><t>a</t></si>"),
		"many columns":                      newWorkbook(`<row>` + strings.Repeat(`<c/>`, 100_000) + `</row>`),
		"one column many times":             newWorkbook(`<row>` + strings.Repeat(`<c r="A1"><v>1</v></c>`, 40_000) + `</row>`),
		"blank rows":                        newWorkbook(strings.Repeat(`<row/>`, 70_000) + row).share("<si><t>a</t></si>"),
		"many rows":                         newWorkbook(strings.Repeat(row, 20_000)).share("<si><t>a</t></si>"),
		"deep XML":                          newWorkbook(strings.Repeat(`<a>`, 100_000) + strings.Repeat(`</a>`, 100_000) + row).share("<si><t>a</t></si>"),
		"many attributes":                   newWorkbook(`<row ` + strings.Repeat(`a="" `, 100_000) + `/>`),
		"a long comment":                    newWorkbook(`<!--` + strings.Repeat(word, 5000) + `-->`),
		"many formats": func() workbookParts {
			w := newWorkbook(row).share("<si><t>a</t></si>")
			w["xl/styles.xml"] = `<styleSheet><cellXfs>` + strings.Repeat(`<xf numFmtId="1"/>`, 60_000) + `</cellXfs></styleSheet>`
			return w
		}(),
		"many sheets": func() workbookParts {
			w := newWorkbook(row)
			w["xl/workbook.xml"] = `<workbook><sheets>` + strings.Repeat(`<sheet name="a" r:id="s0"/>`, 30_000) + `</sheets></workbook>`
			return w
		}(),
		"many references": func() workbookParts {
			w := newWorkbook(row)
			w["xl/_rels/workbook.xml.rels"] = `<Relationships>` + strings.Repeat(`<Relationship Id="a"/>`, 50_000) + `</Relationships>`
			return w
		}(),
		"many parts": func() workbookParts {
			w := newWorkbook(row)
			for i := range 2000 {
				w["xl/media/"+strconv.Itoa(i)] = ""
			}
			return w
		}(),
	}
}

// describe opens an XLSX file and describes its first sheet.
func describe(ctx context.Context, file string) error {
	rows, err := tabular.Open(ctx, strings.NewReader(file), tabular.Options{Name: "a.xlsx", Size: int64(len(file))})
	if err != nil {
		return err
	}
	_, err = tabular.Describe(ctx, rows)
	return err
}

// TestLawXLSXEndsWithItsContext ends the context at any of its checks. The work between two checks
// is measured in bytes: a file that is not refused has a check for each 8 KiB of its parts. (A law
// is a property that rapid checks with generated inputs.)
func TestLawXLSXEndsWithItsContext(t *testing.T) {
	type workbook struct {
		name, file string
		checks     int64
	}
	var list []workbook
	for name, parts := range hostileWorkbooks() {
		file := parts.file(t)
		unlimited := newCountedContext(math.MaxInt64)
		err := describe(unlimited, file)
		var refused *tabular.Error
		if !errors.As(err, &refused) {
			require.NoError(t, err, name)
			unpacked := 0
			for _, part := range parts {
				unpacked += len(part)
			}
			require.GreaterOrEqual(t, unlimited.checks.Load(), int64(unpacked/8192), name)
		}
		list = append(list, workbook{name, file, unlimited.checks.Load()})
	}
	slices.SortFunc(list, func(x, y workbook) int { return strings.Compare(x.name, y.name) })
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SampledFrom(list).Draw(t, "workbook")
		// Up to 8 checks come after all data was read. If the context ends at one of these, that
		// may have no effect.
		const afterData = 8
		ctx := newCountedContext(rapid.Int64Range(0, w.checks-afterData).Draw(t, "checks"))
		require.ErrorIs(t, describe(ctx, w.file), context.Canceled, w.name)
		require.LessOrEqual(t, ctx.checks.Load(), ctx.limit.Load()+3, "the end is noticed at once, by at most three callers")
	})
}

// TestXLSXNeedsNoTemporaryFile reads a long sheet while the directory for temporary files does not
// exist.
func TestXLSXNeedsNoTemporaryFile(t *testing.T) {
	for _, variable := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(variable, filepath.Join(t.TempDir(), "missing"))
	}
	row := `<row><c t="str"><v>` + strings.Repeat("a", 1000) + `</v></c></row>`
	_, rows := readAll(t, open(t, "a.xlsx", newWorkbook(strings.Repeat(row, 20_000)).file(t)))
	require.Len(t, rows, 19_999) // without the header
}
