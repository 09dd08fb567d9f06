// Package reference reads replies as docs/dialect.md and docs/hermes.md say, row by row. It is the
// executable specification: tests compare the parser with it. It reads the whole text at once, goes
// back in it as often as a row needs, and is slow on purpose.
//
// Comments cite the rows, such as B12. Each file uses this file. Of the others it uses only those
// in its own line of this list and in the lines above:
//
//	text, fence, container           lines and Markdown
//	marker, opener, key              what a request is made of (sections 1 to 3)
//	code_span, reasoning_tag         marks around a request (section 5)
//	hermes_tag                       the marks of the Hermes form
//	surroundings                     the code, quotation or reasoning around a request
//	value_end, value                 one value
//	json, json_string, json_value    one value of the Hermes form
//	other_form, block, reader        the state of a request and of a reply while they are read
//	hermes_other_form, hermes_body   the start of a request of the Hermes form
//	result, lone_closer              what may end a request
//	block_end, fields, no_fields     one request, up to its end
//	unmarked_body                    one request without marks around its values
//	hermes_break, hermes_bracket     what may end a request of the Hermes form
//	hermes_arguments, hermes_member  one call of the Hermes form
//	hermes_call, hermes_block        one request of the Hermes form
//	block_start                      one request, from its start
//	line, definition, stray          text
//	request, bare_fields             requests in text
//	reasoning, hermes_bare           reasoning, and replies that are only calls
//	policy, doubt, status            what happens to the requests that were read
//	hermes_requests, batch, reply    what is reported
//	read                             the reply from its start to its end
package reference

import "slices"

// Level is a level of tolerance.
type Level int

// The levels. Each level also allows the repairs of the levels before it.
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

// Limits are the limits of row B15. 0 or less means the default.
type Limits struct{ BlockBytes, Blocks, Fields, KeyBytes int }

// Options say how to read a reply.
type Options struct {
	Level      Level
	Disabled   []string // names of repairs
	Quoted     Policy   // Skip, Run or Auto
	Reasoning  Policy   // Skip, Run or RunIfNothingElse
	Limits     Limits
	FinishStop bool // the finish reason is stop: the message is complete
}

// Span is a half-open range of bytes.
type Span struct{ Start, End int }

// Reply is everything that was read.
type Reply struct {
	Requests  []Request
	Text      string
	Reasoning string
	Dropped   []Span // the fabricated results
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

// levelOf returns the lowest level that allows a repair, by the table of repairs. In row B11
// missing_block_end is greedy, which endsAtStart checks itself.
func levelOf(repair string) Level {
	switch repair {
	case "marker_escaped", "bare_fields", "half_closer", "missing_value_end", "line_fields", // docs/dialect.md
		"bare_call", "missing_bracket", "surplus_bracket", "single_quotes", "bad_escape": // docs/hermes.md
		return Greedy
	}
	return Safe
}

// input is a reply to read, and how to read it.
type input struct {
	text   string
	o      Options
	hermes bool // the form is that of docs/hermes.md
}
