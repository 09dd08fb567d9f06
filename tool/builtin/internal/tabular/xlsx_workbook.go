package tabular

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/internal/text"
)

// The limits of what is kept of a workbook.
const (
	maxSheets        = 4096
	maxCellFormats   = 1 << 16  // Excel allows fewer
	maxSharedStrings = 64 << 20 // bytes, with the index
)

// xlsxWorkbook is what the cells of all sheets need.
type xlsxWorkbook struct {
	sheets   []xlsxSheet
	sheet    int  // the index of the sheet that is read
	from1904 bool // days are counted from 1904-01-01
	styles   []cellFormat
	strings  sharedStrings
}

// xlsxSheet is the name of a sheet and the id of its part.
type xlsxSheet struct{ name, id string }

// readWorkbook reads what is needed of a workbook, and returns the name of the part of the sheet
// that the options name.
func readWorkbook(a *xlsxArchive, o Options) (w *xlsxWorkbook, sheetPart string, err error) {
	w = &xlsxWorkbook{}
	main := "xl/workbook.xml"
	err = a.relationships("", func(_, kind, part string) {
		if kind == "officeDocument" {
			main = text.Prefix(part, maxName)
		}
	})
	if err != nil {
		return nil, "", err
	}
	if err := a.each(main, w.readElement); err != nil {
		return nil, "", err
	}
	if len(w.sheets) == 0 {
		return nil, "", errors.New("it has no sheets")
	}
	if err := w.choose(o); err != nil {
		return nil, "", err
	}
	var sharedPart, stylesPart string
	err = a.relationships(main, func(id, kind, part string) {
		switch {
		case len(part) > maxName: // no program writes such names
		case id == w.sheets[w.sheet].id:
			sheetPart = strings.Clone(part)
		case kind == "sharedStrings":
			sharedPart = strings.Clone(part)
		case kind == "styles":
			stylesPart = strings.Clone(part)
		}
	})
	for _, part := range []string{sheetPart, sharedPart, stylesPart} {
		if err == nil && part != "" && a.parts[strings.ToLower(part)] == nil {
			err = fmt.Errorf("it has no part %.80q", part)
		}
	}
	if err == nil && sheetPart == "" {
		err = fmt.Errorf("it has no part for its sheet %.60q", w.sheets[w.sheet].name)
	}
	if err == nil {
		err = w.readStyles(a, stylesPart)
	}
	if err == nil {
		err = a.each(sharedPart, w.strings.read)
	}
	return w, sheetPart, err
}

// choose selects the sheet that the options name.
func (w *xlsxWorkbook) choose(o Options) error {
	if o.Sheet == "" {
		return nil
	}
	w.sheet = slices.IndexFunc(w.sheets, func(s xlsxSheet) bool {
		return strings.EqualFold(strings.TrimSpace(s.name), strings.TrimSpace(o.Sheet))
	})
	if w.sheet < 0 {
		return formatErrorf(o.Name, "has no sheet %q; its sheets are %s", o.Sheet, w.sheetNames())
	}
	return nil
}

// sheetNames returns the quoted names of the first 20 sheets.
func (w *xlsxWorkbook) sheetNames() string {
	var quoted []string
	for _, s := range w.sheets[:min(len(w.sheets), 20)] {
		quoted = append(quoted, fmt.Sprintf("%.60q", s.name))
	}
	return strings.Join(quoted, ", ")
}

// readElement reads an element of the workbook's part.
func (w *xlsxWorkbook) readElement(_ *xlsxPart, start xml.StartElement) error {
	switch {
	case start.Name.Local == "workbookPr":
		value := attribute(start, "date1904")
		w.from1904 = value == "1" || value == "true"
	case start.Name.Local == "sheet" && len(w.sheets) == maxSheets:
		return fmt.Errorf("it has more than %d sheets", maxSheets)
	case start.Name.Local == "sheet":
		name := strings.Clone(text.Prefix(attribute(start, "name"), maxName))
		w.sheets = append(w.sheets, xlsxSheet{name, strings.Clone(text.Prefix(attribute(start, "id"), maxName))})
	}
	return nil
}

// readStyles reads the formats of the cells.
func (w *xlsxWorkbook) readStyles(a *xlsxArchive, part string) error {
	formats := map[int]cellFormat{}
	list := "" // the last list that began
	return a.each(part, func(_ *xlsxPart, start xml.StartElement) error {
		id, err := strconv.Atoi(attribute(start, "numFmtId"))
		switch name := start.Name.Local; {
		case name == "numFmts" || name == "cellStyleXfs" || name == "cellXfs" || name == "dxfs":
			list = name
		case list == "numFmts" && name == "numFmt" && err == nil:
			formats[id] = parseFormat(attribute(start, "formatCode"))
		case list == "cellXfs" && name == "xf":
			format, known := formats[id]
			if !known {
				format = builtInFormat(id) // an ID that is no number is 0, the general format
			}
			w.styles = append(w.styles, format)
		}
		if max(len(w.styles), len(formats)) > maxCellFormats {
			return fmt.Errorf("it has more than %d formats of cells", maxCellFormats)
		}
		return nil
	})
}

// cellText returns the text of a cell with the given kind and style.
func (w *xlsxWorkbook) cellText(kind string, style int, value string) string {
	switch kind {
	case "s": // the number of a shared string
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil {
			return ""
		}
		return w.strings.at(n)
	case "b": // a truth value
		return cmp.Or(map[string]string{"1": "TRUE", "0": "FALSE"}[value], value)
	case "", "n": // a number
		var format cellFormat
		if style >= 0 && style < len(w.styles) {
			format = w.styles[style]
		}
		return format.number(value, w.from1904)
	}
	return value
}

// sharedStrings are the texts that cells refer to by number.
type sharedStrings struct {
	text []byte
	ends []uint32 // of each string, in text
}

// errManySharedStrings is the error for shared strings that exceed maxSharedStrings.
var errManySharedStrings = errors.New("too many shared strings")

// read reads an element of the part with the shared strings.
func (s *sharedStrings) read(p *xlsxPart, start xml.StartElement) error {
	if start.Name.Local != "si" {
		return nil
	}
	item, err := p.text(true)
	if err != nil {
		return err
	}
	if len(s.text)+len(item)+4*(len(s.ends)+1) > maxSharedStrings { // an end has 4 bytes
		return errManySharedStrings
	}
	s.text = append(s.text, item...)
	s.ends = append(s.ends, uint32(len(s.text))) //nolint:gosec // at most maxSharedStrings
	return nil
}

// at returns the string with the number n, from 0. It returns "" if the list is shorter.
func (s *sharedStrings) at(n int) string {
	if n < 0 || n >= len(s.ends) {
		return ""
	}
	start := uint32(0)
	if n > 0 {
		start = s.ends[n-1]
	}
	return string(s.text[start:s.ends[n]])
}
