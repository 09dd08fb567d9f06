package weakmodel_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/internal/weakmodel"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/vcp"
)

var update = flag.Bool("update", false, "write the tables of "+evaluation)

// evaluation is the document with the tables that these tests check.
const evaluation = "../../docs/evaluation.md"

// all is the name of the row with the sums.
const all weakmodel.Slip = "all"

var protocols = []protocol.Protocol{vcp.Protocol{}, hermes.Protocol{}, qwencoder.Protocol{}}

// An ending says how a task ended.
type ending string

const (
	right  ending = "right"  // the task is solved
	honest ending = "honest" // the model said that it could not do the task
	lost   ending = "lost"   // the answer was wrong or missing
	wrong  ending = "wrong"  // a call ran that the model had not meant
)

// figure counts the endings of the tasks in which a slip was made.
type figure struct {
	tasks, right, wrong, honest int
	missed                      []string // the tasks that did not end right
}

// plus returns the figure with one more task.
func (f figure) plus(end ending, task string) figure {
	f.tasks++
	switch end {
	case right:
		f.right++
		return f
	case wrong:
		f.wrong++
	case honest:
		f.honest++
	case lost:
	}
	f.missed = append(f.missed, task)
	return f
}

// figures contains a figure for each protocol ID and slip, as the table does.
type figures map[string]map[weakmodel.Slip]figure

var (
	headRow = regexp.MustCompile(`^\| slip \|`)
	slipRow = regexp.MustCompile("^\\| (?:`([a-z_]+)`:[^|]*|(all)) \\|")
)

// readFigures returns the figures of the table of slips.
func readFigures(t *testing.T) figures {
	t.Helper()
	var ids []string // of the protocols
	table := figures{}
	for _, line := range documentLines(t) {
		cells := strings.Split(strings.Trim(line, "| "), " | ")[1:]
		row := slipRow.FindStringSubmatch(line)
		switch {
		case headRow.MatchString(line):
			for i := 0; i < len(cells); i += 3 {
				ids = append(ids, strings.Fields(cells[i])[0])
			}
		case row != nil:
			for i, id := range ids {
				if table[id] == nil {
					table[id] = map[weakmodel.Slip]figure{}
				}
				number := func(cell string) int {
					n, err := strconv.Atoi(cell)
					if err != nil {
						t.Fatalf("%s: %v in %s", evaluation, err, line)
					}
					return n
				}
				table[id][weakmodel.Slip(row[1]+row[2])] = figure{
					right: number(cells[3*i]), tasks: number(cells[3*i+1]), wrong: number(cells[3*i+2]),
				}
			}
		}
	}
	return table
}

// documentLines returns the lines of the document that belong to the table of slips.
func documentLines(t *testing.T) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(evaluation)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if headRow.MatchString(line) || slipRow.MatchString(line) {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

// write writes the figures to the table of slips.
func (f figures) write(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(evaluation)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	delimiterRowNext := false
	for line := range strings.Lines(string(text)) {
		switch row := slipRow.FindStringSubmatch(line); {
		case headRow.MatchString(line):
			b.WriteString("| slip |")
			for _, p := range protocols {
				fmt.Fprintf(&b, " %s right | of | wrong |", p.ID())
			}
			b.WriteString("\n")
			delimiterRowNext = true
		case delimiterRowNext:
			b.WriteString("|---|" + strings.Repeat("---|", 3*len(protocols)) + "\n")
			delimiterRowNext = false
		case row != nil:
			b.WriteString(row[0])
			for _, p := range protocols {
				figure := f[p.ID()][weakmodel.Slip(row[1]+row[2])]
				fmt.Fprintf(&b, " %d | %d | %d |", figure.right, figure.tasks, figure.wrong)
			}
			b.WriteString("\n")
		default:
			b.WriteString(line)
		}
	}
	if err := os.WriteFile(evaluation, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
