package eval

import (
	"fmt"
	"strconv"
	"strings"
)

// A Log is a text of many lines.
type Log struct {
	Lines int `json:"lines"` // at most 100,000
	// Line is the text of each line, in which {n} stands for the number of the line. At contains
	// the lines that differ, by their numbers; {n} has no meaning in these.
	Line string            `json:"line"`
	At   map[string]string `json:"at"`
}

func (l *Log) check() error {
	if l.Lines < 1 || l.Lines > 100_000 {
		return fmt.Errorf("a log has %d lines; allowed are 1 to 100000", l.Lines)
	}
	return nil
}

// text returns the lines with the values in place of {NAME}.
func (l *Log) text(values map[string]string) string {
	ordinary := filled(l.Line, values)
	var b strings.Builder
	for n := 1; n <= l.Lines; n++ {
		number := strconv.Itoa(n)
		line, differs := l.At[number]
		if differs {
			line = filled(line, values)
		} else {
			line = strings.ReplaceAll(ordinary, "{n}", number)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// filled returns a text with the values in place of {NAME}.
func filled(text string, values map[string]string) string {
	pairs := make([]string, 0, 2*len(values))
	for name, value := range values {
		pairs = append(pairs, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
