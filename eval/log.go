package eval

import (
	"fmt"
	"strconv"
	"strings"
)

// A Log is a text of many lines.
type Log struct {
	Lines int `json:"lines"` // from 1 to 100,000
	// Line is the text of each line, in which {n} stands for the number of the line. At contains
	// the lines that differ, by their numbers; {n} has no meaning in these.
	Line string            `json:"line"`
	At   map[string]string `json:"at"`
}

// maxText limits the logs of a task together, and each text with values in place of {NAME}, in
// bytes. Without it a short suite could describe texts that fill the memory.
const maxText = 16 << 20

// text returns the lines with the values in place of {NAME}. It fails if size does.
func (l *Log) text(values map[string]string) (string, error) {
	size, err := l.size(values)
	if err != nil {
		return "", err
	}
	line, _ := filled(l.Line, values) // size has checked it
	var b strings.Builder
	b.Grow(size)
	for n := 1; n <= l.Lines; n++ {
		number := strconv.Itoa(n)
		if other, differs := l.At[number]; differs {
			other, _ = filled(other, values)
			b.WriteString(other)
		} else {
			b.WriteString(strings.ReplaceAll(line, "{n}", number))
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// size returns the length of text. It fails if the number of lines is not allowed, or if the text
// exceeds maxText.
func (l *Log) size(values map[string]string) (size int, err error) {
	if l.Lines < 1 || l.Lines > 100_000 {
		return 0, fmt.Errorf("a log has %d lines; allowed are 1 to 100000", l.Lines)
	}
	line, err := filled(l.Line, values)
	if err != nil {
		return 0, err
	}
	numbers := strings.Count(line, "{n}")
	for n := 1; n <= l.Lines; n++ {
		number := strconv.Itoa(n)
		other, differs := l.At[number]
		if !differs {
			size += len(line) + numbers*(len(number)-len("{n}")) + 1
			continue
		}
		if other, err = filled(other, values); err != nil {
			return 0, err
		}
		if size += len(other) + 1; size > maxText {
			break
		}
	}
	return size, checkSize(size)
}

// filled returns a text with the values in place of {NAME}. It fails if the result could exceed
// maxText.
func filled(text string, values map[string]string) (string, error) {
	pairs := make([]string, 0, 2*len(values))
	size := len(text)
	for name, value := range values {
		name = "{" + name + "}"
		pairs = append(pairs, name, value)
		size += strings.Count(text, name) * len(value)
	}
	if err := checkSize(size); err != nil {
		return "", err
	}
	return strings.NewReplacer(pairs...).Replace(text), nil
}

func checkSize(size int) error {
	if size > maxText {
		return fmt.Errorf("the text has %d bytes or more; at most %d are allowed", size, maxText)
	}
	return nil
}
