package tabular

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/text"
)

// Column returns the index of the column with the given name. It ignores case, hyphens,
// underscores, white space, and quotation marks around the name.
func Column(columns []string, name string) (int, error) {
	name = strings.Trim(strings.TrimSpace(name), "`\"")
	if i := slices.Index(columns, name); i >= 0 {
		return i, nil
	}
	folded := text.FoldName(name)
	if i := slices.IndexFunc(columns, func(c string) bool { return text.FoldName(c) == folded }); i >= 0 {
		return i, nil
	}
	if near := text.Nearest(name, columns); len(near) > 0 {
		return 0, errorf("there is no column %.60q; did you mean %q?", name, near[0])
	}
	return 0, errorf("there is no column %.60q; the columns are %v", name, columnList(columns))
}

// columnIndexes returns the indexes of the columns with the given names.
func columnIndexes(columns, names []string) ([]int, error) {
	if len(names) > maxColumns {
		return nil, errorf("%d columns are named, and at most %d are allowed", len(names), maxColumns)
	}
	indexes := make([]int, len(names))
	for i, name := range names {
		var err error
		if indexes[i], err = Column(columns, name); err != nil {
			return nil, err
		}
	}
	return indexes, nil
}

// maxListed limits the columns that an error names.
const maxListed = 40

// columnList names columns in a sentence.
func columnList(columns []string) *message.Text {
	list := strings.Join(columns[:min(len(columns), maxListed)], ", ")
	if n := len(columns) - maxListed; n > 0 {
		return sentence("%s and %d more", list, n)
	}
	return sentence("%s", list)
}

// rowFilter selects rows. All of its conditions must hold. The zero value selects each row.
type rowFilter struct{ conditions []condition }

type condition struct {
	column       int       // its index
	op           string    // an operator in lower case, without spaces
	value        string    // without quotation marks; in lower case for contains
	number       float64   // value, if isNumber is set
	date         time.Time // value, if isDate is set
	isNumber     bool      // value is a number that has no quotation marks
	isDate       bool      // value is a date, with or without quotation marks
	decimalComma bool      // numbers of the table have a comma in place of the decimal point
}

// maxConditions limits the conditions of one query.
const maxConditions = 20

// newFilter reads conditions such as: region = North and amount >= 100 and note contains "late".
func newFilter(where string, rows Rows) (rowFilter, error) {
	var f rowFilter
	if strings.TrimSpace(where) == "" {
		return f, nil
	}
	parts := splitAnd(where)
	if len(parts) > maxConditions {
		return f, errorf("where has %d conditions, and at most %d are allowed", len(parts), maxConditions)
	}
	for _, part := range parts {
		c, err := newCondition(part, rows)
		if err != nil {
			return f, err
		}
		f.conditions = append(f.conditions, c)
	}
	return f, nil
}

func newCondition(part string, rows Rows) (condition, error) {
	at := operator.FindStringIndex(withoutQuotations(part))
	if at == nil {
		return condition{}, errorf("where: %.80q is not a condition; write one such as region = North, amount > 100 or name contains lee, "+
			"and join several with and", strings.TrimSpace(part))
	}
	column, err := Column(rows.Columns(), part[:at[0]])
	if err != nil {
		return condition{}, errorf("where: %v", err)
	}
	value, quoted := unquote(part[at[1]:])
	if !quoted && strings.Contains(strings.ToLower(value), " or ") {
		return condition{}, errorf("where: conditions are joined with `and` only; ask once for each side of `or`, "+
			"or put the value in quotation marks: %.80q", value)
	}
	op := strings.ToLower(strings.TrimSpace(part[at[0]:at[1]]))
	c := condition{column: column, op: op, value: value, decimalComma: usesDecimalComma(rows)}
	if op == "contains" { // here and not for each row, because the value may be long
		c.value = strings.ToLower(value)
	}
	if !quoted {
		c.number, c.isNumber = Number(value, c.decimalComma)
	}
	c.date, c.isDate = Date(value)
	return c, nil
}

var (
	andWord = regexp.MustCompile(`(?i) and | && `)
	// operator finds an operator. Longer ones come first, because the first that matches is found.
	operator = regexp.MustCompile(`(?i)>=|<=|!=|<>|==|=|>|<| contains `)
)

// splitAnd splits conditions at "and" and "&&" outside of quotation marks.
func splitAnd(where string) (parts []string) {
	start := 0
	for _, at := range andWord.FindAllStringIndex(withoutQuotations(where), -1) {
		parts = append(parts, where[start:at[0]])
		start = at[1]
	}
	return append(parts, where[start:])
}

// withoutQuotations returns s with a NUL byte in place of each byte of a quotation. An apostrophe
// within a word begins no quotation.
func withoutQuotations(s string) string {
	b := []byte(s)
	quote := byte(0)
	for i, c := range b {
		begins := c == '"' || c == '`' || c == '\'' && (i == 0 || strings.IndexByte(" =<>", s[i-1]) >= 0)
		switch {
		case quote == 0 && begins:
			quote, b[i] = c, 0
		case quote != 0:
			if b[i] = 0; c == quote {
				quote = 0
			}
		}
	}
	return string(b)
}

func unquote(s string) (value string, quoted bool) {
	s = strings.TrimSpace(s)
	if n := len(s); n >= 2 && s[0] == s[n-1] && strings.IndexByte("\"'`", s[0]) >= 0 {
		return s[1 : n-1], true
	}
	return s, false
}

// selects reports whether all conditions hold for a row.
func (f rowFilter) selects(cells []string) bool {
	for i := range f.conditions {
		if c := &f.conditions[i]; !c.holds(cellAt(cells, c.column)) {
			return false
		}
	}
	return true
}

// cellAt returns a cell of a row, or "" if the row has fewer cells: a table of JSON objects gets
// further columns while it is read.
func cellAt(cells []string, column int) string {
	if column < len(cells) {
		return cells[column]
	}
	return ""
}

func (c *condition) holds(cell string) bool {
	cell = strings.TrimSpace(cell)
	if c.op == "contains" {
		return strings.Contains(strings.ToLower(cell), c.value)
	}
	order, ok := c.compare(cell)
	if c.op == "!=" || c.op == "<>" {
		return !ok || order != 0
	}
	// The operator contains a sign for each order that it accepts: <= accepts -1 (<) and 0 (=).
	return ok && strings.Contains(c.op, "<=>"[order+1:order+2])
}

// compare compares a cell with the value of the condition: as numbers if the value is a number, as
// dates if it is a date, and otherwise as text. A value that is a date without a time of day stands
// for the whole day. ok is false if the value is a number or a date, and the cell is not.
// The order is that of cmp.Compare(cell, value): -1, 0 or 1.
func (c *condition) compare(cell string) (order int, ok bool) {
	switch {
	case c.isNumber:
		n, ok := Number(cell, c.decimalComma)
		return cmp.Compare(n, c.number), ok
	case c.isDate:
		t, ok := Date(cell)
		if c.date.Equal(Day.Start(c.date)) {
			t = Day.Start(t)
		}
		return t.Compare(c.date), ok
	case strings.EqualFold(cell, c.value):
		return 0, true
	}
	return strings.Compare(cell, c.value), true
}
