// Package reference reads replies as docs/dialect.md and docs/hermes.md say, row by row. It is the
// executable specification: tests compare the parser with it. It reads the whole text at once, goes
// back in it as often as a row needs, and is slow on purpose.
//
// Each function applies one rule, and its comment begins with the row. From the bottom up:
//
//	text, fence, container        lines and Markdown
//	marker, opener, key           what a request is made of (sections 1 to 3)
//	surroundings, code_span       where it is (section 5)
//	value, forgotten_closer       one value
//	fields, other_form, block     one block, and block_end where it ends
//	hermes and json               the same for the Hermes form
//	reader                        the reply from its start to its end, with line, reasoning,
//	                              lone_closer, definition, result and bare_fields
//	doubt, policy, batch, status  what happens to the blocks that were read
//	reply                         what is reported
package reference

import (
	"slices"
	"strconv"
)

// Level is a level of tolerance.
type Level int

// The levels, each of which allows the repairs of those before it.
const (
	Strict Level = iota
	Safe
	Greedy
)

// Policy says which requests in fenced code or in reasoning run.
type Policy int

// The policies. Auto is for fenced code, RunIfNothingElse for reasoning.
const (
	Skip Policy = iota
	Run
	Auto
	RunIfNothingElse
)

// Limits are those of row B15. 0 is the default.
type Limits struct{ BlockBytes, Blocks, Fields, KeyBytes int }

// Options say how to read a reply.
type Options struct {
	Level     Level
	Disabled  []string // names of repairs
	Quoted    Policy   // Skip, Run or Auto
	Reasoning Policy   // Skip, Run or RunIfNothingElse
	Limits    Limits
	Stop      bool // the finish reason is stop
}

// Span is a half-open range of bytes.
type Span struct{ Start, End int }

// Reply is everything that was read.
type Reply struct {
	Requests  []Request
	Text      string
	Reasoning string
	Dropped   []Span // all of them are fabricated results
	Notices   []Notice
}

// Request is one request, whatever its status.
type Request struct {
	ID        string
	ToolName  string
	Command   string
	Label     string
	Arguments []Argument
	Span      Span
	Status    string
	Code      string // the error code if Status is invalid
	Repairs   []Repair
}

// Argument is one argument. JSON is set if Text is a JSON value as written.
type Argument struct {
	Name, Text string
	JSON       bool
}

// Repair is a repair that was applied, or that would have been needed.
type Repair struct {
	Name string
	Span Span
}

// Notice is a remark on the reply.
type Notice struct {
	Code string
	Span Span
}

// withDefaults fills in the limits of row B15.
func (l Limits) withDefaults() Limits {
	for _, d := range []struct {
		limit *int
		value int
	}{{&l.BlockBytes, 4 << 20}, {&l.Blocks, 64}, {&l.Fields, 256}, {&l.KeyBytes, 128}} {
		if *d.limit <= 0 {
			*d.limit = d.value
		}
	}
	l.KeyBytes = min(l.KeyBytes, 512)
	return l
}

// allows reports whether a repair may be applied.
func (o *Options) allows(repair string) bool {
	return o.Level >= levelOf(repair) && !slices.Contains(o.Disabled, repair)
}

// level returns the lowest level that allows a repair, by the table of repairs. missing_block_end
// is greedy for row B11, which the caller knows.
func levelOf(repair string) Level {
	switch repair {
	case "marker_escaped", "bare_fields", "half_closer", "missing_value_end", "line_fields", "bare_call", "missing_bracket", "surplus_bracket", "single_quotes", "bad_escape":
		return Greedy
	}
	return Safe
}

// number gives the requests their ordinals, whatever their status.
func number(requests []Request) {
	for i := range requests {
		requests[i].ID = strconv.Itoa(i + 1)
	}
}
