package tabular_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool/builtin/internal/tabular"
)

// workbookParts are the parts of an XLSX file, by name.
type workbookParts map[string]string

// newWorkbook returns the parts of a file. Each sheet is given as its rows in XML. A cell can have
// the formats 0: general, 1: date, 2: five digits, 3: date and time, 4: percentage, 5: elapsed
// time.
func newWorkbook(sheets ...string) workbookParts {
	const kind = `http://schemas.openxmlformats.org/officeDocument/2006/relationships/`
	parts := workbookParts{
		"_rels/.rels": `<Relationships><Relationship Id="rId1" Type="` + kind + `officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="00000"/>` +
			`<numFmt numFmtId="165" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot; hh:mm"/></numFmts>` +
			`<cellStyleXfs><xf numFmtId="22"/></cellStyleXfs>` +
			`<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/>` +
			`<xf numFmtId="165"/><xf numFmtId="10"/><xf numFmtId="46"/></cellXfs></styleSheet>`,
	}
	var list, relations strings.Builder
	for i, rows := range sheets {
		fmt.Fprintf(&list, `<sheet name="%s" sheetId="%d" r:id="s%d"/>`, []string{"Sheet1", "Other"}[min(i, 1)], i+1, i)
		fmt.Fprintf(&relations, `<Relationship Id="s%d" Type="%sworksheet" Target="worksheets/sheet%d.xml"/>`, i, kind, i)
		parts[fmt.Sprintf("xl/worksheets/sheet%d.xml", i)] = `<?xml version="1.0" encoding="UTF-8"?>` +
			`<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>` + rows + `</sheetData></worksheet>`
	}
	parts["xl/workbook.xml"] = `<workbook><sheets>` + list.String() + `</sheets></workbook>`
	parts["xl/_rels/workbook.xml.rels"] = `<Relationships>` + relations.String() +
		`<Relationship Id="x" Type="` + kind + `styles" Target="/xl/styles.xml"/></Relationships>`
	return parts
}

// share adds the part with the shared strings.
func (w workbookParts) share(items string) workbookParts {
	w["xl/sharedStrings.xml"] = `<sst>` + items + `</sst>`
	w["xl/_rels/workbook.xml.rels"] = strings.Replace(w["xl/_rels/workbook.xml.rels"], `</Relationships>`,
		`<Relationship Id="y" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>`, 1)
	return w
}

// file returns the file, compressed.
func (w workbookParts) file(t testing.TB) string {
	t.Helper()
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for name, content := range w {
		part, err := archive.Create(name)
		require.NoError(t, err)
		_, err = part.Write([]byte(content))
		require.NoError(t, err)
	}
	require.NoError(t, archive.Close())
	return b.String()
}

// workbook returns an XLSX file with two sheets.
func workbook(t testing.TB) string {
	t.Helper()
	return newWorkbook(
		`<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>`+
			`<row r="2"><c r="A2" s="1"><v>46115</v></c><c r="B2"><v>12.5</v></c></row>`+
			`<row r="3"><c r="A3" s="1"><v>46116</v></c><c r="B3"><f>3+4</f><v>7</v></c></row>`,
		`<row><c t="inlineStr"><is><t>name</t></is></c></row><row><c t="str"><v>x</v></c></row>`,
	).share(`<si><t>day</t></si><si><r><t>am</t></r><r><t>ount</t></r><rPh><t>no</t></rPh></si>`).file(t)
}

func TestCellsOfXLSXAreRead(t *testing.T) {
	for _, tt := range []struct{ name, cell, want string }{
		{"a number", `<c><v>12.50</v></c>`, "12.5"},
		{"a number with an error of rounding", `<c><v>0.30000000000000004</v></c>`, "0.3"},
		{"a number with an exponent", `<c><v>1.5E+3</v></c>`, "1500"},
		{"a percentage", `<c s="4"><v>0.125</v></c>`, "0.125"},
		{"a date", `<c s="1"><v>46115.75</v></c>`, "2026-04-03"},
		{"a date before March 1900", `<c s="1"><v>59</v></c>`, "1900-02-28"},
		{"a date after February 1900", `<c s="1"><v>61</v></c>`, "1900-03-01"},
		{"a date with a time", `<c s="3"><v>46115.75</v></c>`, "2026-04-03 18:00"},
		{"an elapsed time", `<c s="5"><v>1.5</v></c>`, "36:00:00"},
		{"a negative number in a date format", `<c s="1"><v>-1</v></c>`, "-1"},
		{"day 0 in a date format", `<c s="1"><v>0</v></c>`, "0"},
		{"leading zeros", `<c s="2"><v>501</v></c>`, "00501"},
		{"a truth value", `<c t="b"><v>1</v></c>`, "TRUE"},
		{"an error", `<c t="e"><v>#N/A</v></c>`, "#N/A"},
		{"an ISO date", `<c t="d"><v>2026-04-03T00:00:00</v></c>`, "2026-04-03T00:00:00"},
		{"references and escapes", `<c t="str"><v>a &amp; b_x000A_c_x005F_x</v></c>`, "a & b\nc_x"},
		{
			"a text with several formats",
			`<c t="inlineStr"><is><r><t>a</t></r><rPh><t>no</t></rPh><r><t xml:space="preserve"> b</t></r></is></c>`,
			"a b",
		},
		{"a style that does not exist", `<c s="99"><v>1</v></c>`, "1"},
		{"a shared string that does not exist", `<c t="s"><v>99</v></c>`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			header := `<row><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row>`
			file := newWorkbook(header + `<row>` + tt.cell + `<c r="B2"><v>1</v></c></row>`).file(t)
			_, rows := readAll(t, open(t, "a.xlsx", file))
			require.Equal(t, [][]string{{tt.want, "1"}}, rows)
		})
	}
}

func TestDamagedOrTooLargeXLSXIsRefused(t *testing.T) {
	big := strings.Repeat("x", 1<<20)
	rows := `<row><c t="s"><v>0</v></c></row>`
	without := func(part string) workbookParts {
		w := newWorkbook(rows).share("<si><t>a</t></si>")
		delete(w, part)
		return w
	}
	for _, tt := range []struct {
		name  string
		parts workbookParts
		want  string
	}{
		{
			"a huge cell",
			newWorkbook(rows + `<row><c t="str"><v>` + big + `x</v></c></row>`).share("<si><t>a</t></si>"),
			"a row of more than 1048576 bytes after row 1",
		},
		{
			"a huge row that repeats a shared string",
			newWorkbook(strings.Repeat(`<row>`+strings.Repeat(`<c t="s"><v>0</v></c>`, 3)+`</row>`, 2)).share("<si><t>" + big[1<<19:] + "</t></si>"),
			"a row of more than 1048576 bytes",
		},
		{"too many columns", newWorkbook(`<row>` + strings.Repeat(`<c><v>1</v></c>`, 1001) + `</row>`), "at most 1000 are read"},
		{
			"more columns than the format allows",
			newWorkbook(`<row>` + strings.Repeat(`<c/>`, 16385) + `</row>`), "more than 16384 cells",
		},
		{"a cell that cannot exist", newWorkbook(`<row><c r="ZZZZ1"/></row>`), "there is no cell"},
		{
			"shared strings that are too long",
			newWorkbook(rows).share(strings.Repeat("<si><t>"+big[1<<19:]+"</t></si>", 128)),
			"more than 67108864 bytes of distinct texts",
		},
		{
			"too many shared strings",
			newWorkbook(rows).share(strings.Repeat("<si/>", 16<<20+1)), "more than 67108864 bytes of distinct texts",
		},
		{"too many sheets", newWorkbook(slices.Repeat([]string{rows}, 4097)...), "more than 4096 sheets"},
		{"no sheets", newWorkbook(), "it has no sheets"},
		{"no part for the sheet", without("xl/worksheets/sheet0.xml"), "it has no part"},
		{"no part for the shared strings", without("xl/sharedStrings.xml"), "it has no part"},
		{"an incomplete sheet", func() workbookParts {
			w := newWorkbook(rows)
			w["xl/worksheets/sheet0.xml"] = `<worksheet><sheetData><row><c><v>1</v></c></row>`
			return w
		}(), "unexpected EOF"},
		{"an incomplete shared string after surplus end tags", func() workbookParts {
			w := newWorkbook(rows).share("")
			w["xl/sharedStrings.xml"] = `</sst></sst><si><t>a`
			return w
		}(), "unexpected EOF"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := tt.parts.file(t)
			rows, err := tabular.Open(t.Context(), strings.NewReader(file),
				tabular.Options{Name: "a.xlsx", Size: int64(len(file))})
			for err == nil {
				_, err = rows.Next()
			}
			var format *tabular.Error
			require.ErrorAs(t, err, &format)
			require.ErrorContains(t, err, tt.want)
		})
	}
}
