package eval

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"
)

// MatrixVersion is the version of the JSON form of a Matrix. It increases when a member changes its
// meaning or is removed.
const MatrixVersion = 1

// A Matrix counts the outcomes of cases for several settings. It is not safe for concurrent use.
type Matrix struct {
	// Default is the ID of the protocol of cases that name none. If it is "", such cases are read
	// with each setting.
	Default string
	rows    []*settingCounts
}

// settingCounts counts the outcomes of the cases with one setting: a row of the matrix.
type settingCounts struct {
	setting Setting
	Replies int                  `json:"replies"` // number of cases
	Counts  map[Outcome]int      `json:"counts"`
	IDs     map[Outcome][]string `json:"ids"`     // of cases that are not right
	Reasons map[string]int       `json:"reasons"` // of cases that are not right
	Repairs map[string]int       `json:"repairs"`
}

// NewMatrix returns an empty matrix, whose rows are the settings.
func NewMatrix(settings []Setting) *Matrix {
	m := &Matrix{}
	for _, s := range settings {
		c := &settingCounts{
			setting: s, Counts: map[Outcome]int{}, IDs: map[Outcome][]string{},
			Reasons: map[string]int{}, Repairs: map[string]int{},
		}
		for _, o := range Outcomes { // the JSON also contains outcomes that no case has
			c.Counts[o] = 0
			if o != Right {
				c.IDs[o] = []string{}
			}
		}
		m.rows = append(m.rows, c)
	}
	return m
}

// Add judges a case with each setting of its protocol. read is the number of these settings.
func (m *Matrix) Add(ctx context.Context, c *Case) (read int, err error) {
	for _, row := range m.rows {
		if id := cmp.Or(c.Protocol, m.Default); id != "" && id != row.setting.Protocol.ID() {
			continue
		}
		j, err := c.Judge(ctx, row.setting)
		if err != nil {
			return read, fmt.Errorf("%s (%s): %w", c.ID, row.setting, err)
		}
		read++
		row.add(c.ID, j)
	}
	return read, nil
}

func (c *settingCounts) add(id string, j Judgment) {
	c.Replies++
	c.Counts[j.Outcome]++
	if j.Outcome != Right {
		c.IDs[j.Outcome] = append(c.IDs[j.Outcome], id)
		for _, reason := range j.Reasons {
			c.Reasons[reason]++
		}
	}
	for name, n := range j.Repairs {
		c.Repairs[name] += n
	}
}

// MaxWrong returns the largest number of replies of one setting that ran something wrong, and that
// setting.
func (m *Matrix) MaxWrong() (wrong int, s Setting) {
	for _, c := range m.rows {
		if n := c.wrong(); n > wrong {
			wrong, s = n, c.setting
		}
	}
	return wrong, s
}

// wrong returns the number of cases in which something ran that must not have run.
func (c *settingCounts) wrong() int { return c.Counts[OtherArguments] + c.Counts[Unexpected] }

// MarshalJSON returns the JSON form, which docs/evaluation.md describes.
func (m *Matrix) MarshalJSON() ([]byte, error) {
	type row struct {
		Protocol  string `json:"protocol"`
		Tolerance string `json:"tolerance"`
		Quoted    string `json:"quoted"`
		*settingCounts
	}
	rows := []row{}
	for _, c := range m.rowsWithReplies() {
		s := c.setting
		rows = append(rows, row{s.Protocol.ID(), s.Tolerance.String(), s.Quoted.String(), c})
	}
	return json.Marshal(struct {
		Version  int   `json:"version"`
		Settings []row `json:"settings"`
	}{MatrixVersion, rows})
}

// rowsWithReplies omits the rows of settings that no case was read with.
func (m *Matrix) rowsWithReplies() []*settingCounts {
	return slices.DeleteFunc(slices.Clone(m.rows), func(c *settingCounts) bool { return c.Replies == 0 })
}

// WriteText writes the matrix as a table. The repairs and reasons of each setting follow, and the
// IDs of the cases that are not right.
func (m *Matrix) WriteText(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "protocol\ttolerance\tquoted\treplies\tright\trefused\tunseen\tother arguments\tunexpected\t")
	for _, c := range m.rowsWithReplies() {
		s := c.setting
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t", s.Protocol.ID(), s.Tolerance, s.Quoted, c.Replies)
		for _, o := range Outcomes {
			fmt.Fprintf(table, "%d\t", c.Counts[o])
		}
		fmt.Fprintln(table)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	var b strings.Builder
	for _, c := range m.rowsWithReplies() {
		c.details(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// details writes the repairs, the reasons and the IDs of a setting.
func (c *settingCounts) details(b *strings.Builder) {
	s := c.setting
	fmt.Fprintf(b, "\n%s, %s, %s\n", s.Protocol.ID(), s.Tolerance, s.Quoted)
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(b, "  %s: %s\n", name, text)
		}
	}
	line("repairs", counts(c.Repairs))
	line("reasons", counts(c.Reasons))
	for _, o := range Outcomes {
		if o != Right {
			line(outcomeWords[o], shownIDs(c.IDs[o]))
		}
	}
}

// outcomeWords are the outcomes other than Right, in words for people.
var outcomeWords = map[Outcome]string{
	Refused: "refused", Unseen: "unseen", OtherArguments: "other arguments", Unexpected: "unexpected",
}

// shownIDs lists IDs on one line. An ID with characters that a terminal would not show is quoted.
func shownIDs(ids []string) string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = id
		if strings.ContainsFunc(id, func(r rune) bool { return !unicode.IsPrint(r) }) {
			list[i] = strconv.Quote(id)
		}
	}
	return strings.Join(list, ", ")
}

// counts lists names with their counts, the largest first.
func counts(byName map[string]int) string {
	names := slices.SortedFunc(maps.Keys(byName), func(a, b string) int {
		return cmp.Or(byName[b]-byName[a], strings.Compare(a, b))
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, byName[name])
	}
	return strings.Join(names, ", ")
}
