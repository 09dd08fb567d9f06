package builtin

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/tool/builtin/internal/chart"
	"github.com/vcpgo/vcp/tool/builtin/internal/tabular"
)

// tableTime is the time limit of a method that reads a table.
const tableTime = 2 * time.Minute

// table implements the table tool for the files below a root directory.
type table struct {
	files
	font *chart.Font
}

// openTable opens the table that a request names. The caller closes the file.
func (t table) openTable(ctx context.Context, path, sheet string) (tabular.Rows, *os.File, string, error) {
	name, _, err := t.target(ctx, path)
	if err != nil {
		return nil, nil, "", err
	}
	file, info, err := t.open(name)
	if err != nil {
		return nil, nil, "", err
	}
	rows, err := tabular.Open(ctx, file, tabular.Options{Name: name, Size: info.Size(), Sheet: sheet})
	if err != nil {
		_ = file.Close() // it was only read
		return nil, nil, "", t.tableError(name, err)
	}
	return rows, file, name, nil
}

// tableError returns an error about a table as an error for a model. Errors of package tabular are
// for a model already.
func (t table) tableError(name string, err error) error {
	if _, known := errors.AsType[*tabular.Error](err); known {
		return err
	}
	return t.explain(name, err)
}

// notes returns each remark on a line of its own.
func notes(p message.Printer, list []*message.Text) string {
	var b strings.Builder
	for _, n := range list {
		b.WriteString(p.Say("(%v.)", n) + "\n")
	}
	return b.String()
}
