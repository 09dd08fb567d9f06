package reference

import (
	"slices"
	"strings"
)

// block is a request as written, before it gets a status.
type block struct {
	start, end int
	around     surroundings
	fields     []field
	early      []field // the fields whose value a repair of level Greedy has ended
	unmarked   *unmarkedBody
	defects    []defect
	repairs    []Repair
	strays     []mark   // closers outside of values (V15)
	openTags   []string // the reasoning tags that are open at the block's end
	style      string   // of an escaped START (B5)

	bare             bool // the block has no markers (B12)
	truncated        bool // the message ends in the block
	open             bool // a value is open at the message's end
	ended            bool // the block ends at an END, or a repair has ended it
	hasEnd           bool // the block ends at an END
	paired           bool // that END is escaped in the style of its START (B5)
	beforeMark       bool // the block ends at an END or at a START
	unstored         bool // it is past a limit, and nothing of it is stored (B15)
	pastSurroundings bool // a value ran past the end of its surroundings (C12)

	// The rest is for the Hermes form.
	calls         []*call
	members       []Span       // the members read so far, with their keys
	fieldCount    int          // number of arguments so far
	runs          map[int]bool // lengths of the runs of backticks that are open before START
	hasValue      bool         // a member has a value
	valueOpen     bool         // neither a comma nor a brace has followed the last value
	startIsText   bool         // the backticks are closed before the first value: START is text (C9)
	listed        bool         // its calls are in a list
	definitionEnd int          // where an END of a definition begins, outside of strings, or 0
	// repairedBracket is set if J20 or J21 was applied.
	repairedBracket bool
}

// defect is an error code, and the place in the block that has the error.
type defect struct {
	code string
	at   int
}

// field is one field of a block.
type field struct {
	key   fieldKey
	keyed bool // it has a key
	op    mark // the opener of its value
	value value
}

// unmarkedBody is the body of a block without marks around its values: a JSON object, or lines with
// a name and a value each (B18, B19).
type unmarkedBody struct {
	repair     string
	start, end int
	fields     []named
}

// named is a field as a request lists it.
type named struct {
	name, text string
	json       bool // text is a JSON value as written
}

// call is one object of a request in the Hermes form.
type call struct {
	name, label string
	arguments   []Argument
	// For T14: the name is a string; the arguments are an object; the call contains something else.
	named, object, other bool
	// For J20: the keys of the members, as repaired, and the arguments in the order written.
	members      []string
	written      []Argument
	argumentsEnd int // the end of its arguments, if they are an object
	codes        map[string]bool
	// noObject is set if the string of its arguments contains no object, and repeated if an
	// argument occurs with two values.
	noObject, repeated bool
	start              int
	end                int
}

func (b *block) defect(code string, at int) { b.defects = append(b.defects, defect{code, at}) }

func (b *block) has(code string) bool {
	return slices.ContainsFunc(b.defects, func(d defect) bool { return d.code == code })
}

// The codes of section 8, in its order.
var codes = []string{
	"limit_exceeded", "after_ambiguous", "ambiguous_value", "unclosed_value", "bad_tag", "unclosed_block", "stray_closer",
	"no_fields", "bad_key", "bare_value", "duplicate_key", "missing_tool_name", "repair_refused",
}

// code returns the first of the block's codes so far (section 8).
func (b *block) code() string {
	if i := slices.IndexFunc(codes, b.has); i >= 0 {
		return codes[i]
	}
	return ""
}

// refused reports whether a block is refused whatever its end is. Such a block lists no
// missing_block_end.
func (b *block) refused() bool {
	refusing := []string{"ambiguous_value", "bad_tag", "bad_key", "stray_closer", "no_fields", "bare_value"}
	return slices.ContainsFunc(refusing, b.has)
}

// start returns where the field begins: at its key, or else at the opener of its value.
func (f *field) start() int {
	if f.keyed {
		return f.key.from
	}
	return f.op.start
}

// inField reports whether a line that begins at p begins within a field.
func (b *block) inField(p int) bool {
	for _, f := range b.fields {
		if f.start() < p && (p < f.value.after || !f.value.closed) {
			return true
		}
	}
	return slices.ContainsFunc(b.members, func(s Span) bool { return s.Start < p && p <= s.End })
}

// endAtCloser ends a block without END after its last closer; last is the end of that closer. The
// input after it is read again, and is not part of the block. code is the defect to record; ""
// means none.
func (b *block) endAtCloser(last int, code string) {
	b.end = last
	b.defects = slices.DeleteFunc(b.defects, func(d defect) bool { return d.at >= last })
	b.strays = slices.DeleteFunc(b.strays, func(c mark) bool { return c.start >= last })
	if code != "" {
		b.defect(code, last)
	}
}

// tooLong reports whether one of the values of a block ends past the limit of its size (B15, C9).
func (b *block) tooLong(limit int) bool {
	return slices.ContainsFunc(b.fields, func(f field) bool { return f.value.after-b.start > limit })
}

// isFieldInOtherForm reports whether f, the first field of a body in JSON or in tags, is a field of
// the block and not text of the body: its key comes after a brace, a comma or a line break (B7).
func (in *input) isFieldInOtherForm(b *block, f field) bool {
	if !f.keyed {
		return false
	}
	before := strings.TrimRight(in.text[b.start:f.key.from], wideBlanks)
	return strings.TrimRight(before, "{,\n\r") != before
}

// filler returns text[at:end], a part of the body of a block, without its fields. Fields do not
// count as text of the body (B7).
func (in *input) filler(b *block, at, end int) string {
	var s strings.Builder
	for _, f := range b.fields {
		s.WriteString(in.text[at:f.start()])
		at = f.value.after
	}
	s.WriteString(in.text[at:end])
	return s.String()
}
