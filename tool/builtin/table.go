package builtin

import (
	"errors"
	"fmt"
	"os"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin/internal/chart"
)

// maxTables limits how many tables are read at once.
const maxTables = 2

// TableOptions set up the table tool.
type TableOptions struct {
	// Font is a TrueType or OpenType font for charts in PNG; nil means a built-in font without the
	// letters of Chinese, Japanese and Korean. SVG charts use the fonts of the viewer.
	Font []byte
}

// Table returns the tool for tables in files below root: CSV, TSV, JSON and XLSX. It describes a
// table, shows rows, and calculates totals and other figures, also as a chart. The memory that the
// tool needs does not depend on the number of rows, except for XLSX. An XLSX file may have at most
// 64 MiB, and its different texts at most 64 MiB together. No method changes a file: a chart is a
// file of the result. The caller keeps root, and closes it when the tool is no longer used.
func Table(root *os.Root, o TableOptions) (tool.Tool, error) {
	if root == nil {
		return tool.Tool{}, errors.New("builtin: the table tool needs a root directory")
	}
	t := table{files: files{root: root}}
	if o.Font != nil {
		font, err := chart.ParseFont(o.Font)
		if err != nil {
			return tool.Tool{}, fmt.Errorf("builtin: %w", err)
		}
		t.font = font
	}
	out, err := newTool("table", "Tables", "Calculates with the tables in files.", t.describeMethod,
		t.aggregateMethod, t.rowsMethod)
	out.Concurrency = maxTables
	return out, err
}
