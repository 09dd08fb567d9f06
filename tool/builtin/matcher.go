package builtin

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

const (
	// maxQuery limits the query, in bytes.
	maxQuery = 1000
	// maxProgram limits a regular expression, in instructions. A short expression of the form
	// (…){1000} can need hundreds of thousands.
	maxProgram = 2000
)

// lineQuery is the text or the regular expression that a line must contain.
type lineQuery struct {
	text       string
	regexp     bool
	ignoreCase bool
}

// matcher decides whether a line matches a query.
type matcher struct {
	text         []byte         // plain text, if expression is nil
	expression   *regexp.Regexp // matches a line in linear time
	stepsPerByte int            // the maximum number of steps for each byte of a line
}

func newMatcher(q lineQuery) (matcher, error) {
	switch {
	case q.text == "":
		return matcher{}, errorf("the query is empty: write the text to search for")
	case len(q.text) > maxQuery:
		return matcher{}, errorf("the query has %d bytes, and at most %d are searched for", len(q.text), maxQuery)
	case !q.regexp && strings.ContainsAny(q.text, "\r\n"):
		return matcher{}, errorf("the query contains a line break, and the search goes line by line: search for one of its lines")
	}
	expression := q.text
	if !q.regexp {
		if !q.ignoreCase {
			return matcher{text: []byte(q.text), stepsPerByte: 1}, nil
		}
		expression = regexp.QuoteMeta(q.text)
	}
	if q.ignoreCase {
		expression = "(?i)" + expression
	}
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return matcher{}, notAnExpression(q.text, err)
	}
	program := programSize(tree)
	if program > maxProgram {
		return matcher{}, errorf("the regular expression %q is too large: with all repetitions written out, it has "+
			"about %d parts, and the limit is %d; "+
			"repeat less, or use * or +", shorten(q.text, maxEcho), program, maxProgram)
	}
	re, err := regexp.Compile(expression)
	if err != nil {
		return matcher{}, notAnExpression(q.text, err)
	}
	return matcher{expression: re, stepsPerByte: program}, nil
}

// notAnExpression returns the error for a query that package regexp cannot read.
func notAnExpression(query string, err error) error {
	var reason any = err
	if invalid, ok := errors.AsType[*syntax.Error](err); ok {
		reason = sentence("%v: %s", sentence(invalid.Code.String()), shorten(invalid.Expr, maxEcho))
	}
	return errorf("%q is not a regular expression: %v; set regexp to false to search for plain text", shorten(query, maxEcho), reason)
}

// programSize estimates how many instructions a regular expression compiles to. The result cannot
// overflow, because syntax.Parse limits repetitions.
func programSize(re *syntax.Regexp) int {
	size := 1
	switch re.Op {
	case syntax.OpLiteral:
		size = len(re.Rune)
	case syntax.OpCapture:
		size = 2
	case syntax.OpAlternate:
		size = len(re.Sub)
	}
	for _, sub := range re.Sub {
		size += programSize(sub)
	}
	if re.Op == syntax.OpRepeat {
		size *= max(re.Min, re.Max, 1)
	}
	return size
}

// match reports whether a line matches. It counts its steps in w. It fails only if the context of w
// has ended.
func (m *matcher) match(w *work, line []byte) (bool, error) {
	if m.expression == nil {
		err := w.add(len(line) + 1)
		return bytes.Contains(line, m.text), err
	}
	if len(line) < stepsPerCheck/m.stepsPerByte { // one check of the context is enough
		err := w.add(m.stepsPerByte * (len(line) + 1))
		return m.expression.Match(line), err
	}
	r := runeReader{work: w, steps: m.stepsPerByte, rest: line}
	found := m.expression.MatchReader(&r)
	return found, r.err
}

// runeReader gives a long line to a regular expression, one character after the other. When the
// context ends, it reports the end of the line, because there is no other way to stop a match.
type runeReader struct {
	work  *work
	steps int // for each byte
	rest  []byte
	err   error // of the context
}

// ReadRune returns the next character of the line. It reads invalid UTF-8 as regexp.Regexp.Match
// does.
func (r *runeReader) ReadRune() (c rune, size int, err error) {
	if len(r.rest) == 0 {
		return 0, 0, io.EOF
	}
	c, size = utf8.DecodeRune(r.rest)
	if r.err = r.work.add(r.steps * size); r.err != nil {
		r.rest = nil
		return 0, 0, r.err
	}
	r.rest = r.rest[size:]
	return c, size, nil
}
