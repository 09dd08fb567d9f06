package vcp

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// FormatToolRequests writes one block per request. It refuses names of arguments that are not keys.
// If the request has a label, it refuses an argument request_id. If the request has a command, it
// refuses the arguments command, command1, command2 and so on. An argument with one of these names,
// or tool_name, is read as an argument only if the method declares it (scan.Options.TakesArgument).
func (Protocol) FormatToolRequests(requests []protocol.ToolRequest) (string, error) {
	var tags tagger
	return protocol.FormatRequests(protocolID, requests, func(b []byte, r *protocol.ToolRequest) ([]byte, error) {
		if err := checkNames(r); err != nil {
			return b, err
		}
		fields := make([]scan.Field, 0, len(r.Arguments)+3)
		fields = append(fields, scan.Field{Name: keyToolName, Value: r.ToolName})
		if r.Label != "" {
			fields = append(fields, scan.Field{Name: keyRequestID, Value: r.Label})
		}
		if r.Command != "" {
			fields = append(fields, scan.Field{Name: keyCommand, Value: r.Command})
		}
		for _, a := range r.Arguments {
			fields = append(fields, scan.Field{Name: a.Name, Value: a.Value})
		}
		var block strings.Builder
		writeBlock(&block, &tags, requestStart, fields, requestEnd)
		return append(b, block.String()...), nil
	})
}

// CarriesArgument reports whether a name is a key (section 2). A method that is called by its full
// name may declare an argument with the name of one of the protocol's own keys.
func (Protocol) CarriesArgument(name string) bool {
	return validKey(name, scan.MaxKeyBytes)
}

// checkNames refuses names of arguments that would read back differently.
func checkNames(r *protocol.ToolRequest) error {
	for _, a := range r.Arguments {
		var reason string
		switch {
		case !validKey(a.Name, scan.MaxKeyBytes):
			reason = "a name has letters, marks, digits, '_', '-', '.' and '/', begins with none of the last three, and has at most " +
				strconv.Itoa(scan.MaxKeyBytes) + " bytes"
		case r.Label != "" && a.Name == keyRequestID:
			reason = "a request with a label has no such argument: the label is written with this name"
		case r.Command != "" && (a.Name == keyCommand || isNumberedCommand(a.Name)):
			reason = "a request with a command has no such argument: it would be read as a command"
		default:
			continue
		}
		return &protocol.FormatError{Argument: a.Name, Reason: reason}
	}
	return nil
}

// writeBlock writes start, which is a marker, then the fields in order, and then the text end.
func writeBlock(b *strings.Builder, tags *tagger, start string, fields []scan.Field, end string) {
	b.WriteString(start)
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		b.WriteString(f.Name)
		b.WriteByte(':')
		writeValue(b, tags, f.Value)
	}
	b.WriteByte('\n')
	b.WriteString(end)
}

// writeValue writes v in the first of the plain, the ESCAPE and the tagged form that is read as
// exactly v.
func writeValue(b *strings.Builder, tags *tagger, v string) {
	marks := findMarks(v)
	outer := strings.TrimFunc(v, unicode.IsSpace)
	multiline := strings.IndexByte(outer, '\n') >= 0 || strings.IndexByte(outer, '\r') >= 0
	startsWithBreak := strings.HasPrefix(v, "\n") || strings.HasPrefix(v, "\r\n")
	tail := ""
	switch {
	case marks == marksNone && (multiline || outer == v): // plain; reading trims a value of one line (V1)
	case marks != marksEdges:
		tail = escape
	default:
		tail, startsWithBreak = escape+":"+tags.fresh(v), false
	}
	b.WriteString("「始")
	b.WriteString(tail)
	b.WriteString("」")
	if startsWithBreak {
		b.WriteByte('\n') // reading removes one line break
	}
	b.WriteString(v)
	b.WriteString("「末")
	b.WriteString(tail)
	b.WriteString("」")
}

// marks says which parts of a value a reader could mistake for marks.
type marks uint8

const (
	marksNone    marks = iota
	marksMarkers       // block markers, which mean nothing in an ESCAPE value
	marksEdges         // openers, closers or escaped markers, which mean nothing only in a tagged value
)

// findMarks returns which marks a reader could find in a value.
func findMarks(v string) marks {
	if !mayContainMark(v) {
		return marksNone
	}
	// A bracket before the word is enough, because half a closer may close a value too (V7).
	if nextWordMark(v, wordOpen, 0) >= 0 || nextWordMark(v, wordClose, 0) >= 0 {
		return marksEdges
	}
	found := marksNone
	for end := nextCoreMark(v, 0); end >= 0; end = nextCoreMark(v, end) {
		found = marksMarkers
		if hasEscapeSuffix(v[end:]) {
			return marksEdges
		}
	}
	return found
}

// tagger numbers the tags of one text. No two values share a tag, so that a value whose
// closer is missing does not extend to the closer of the next value.
type tagger int

// fresh returns a tag that does not occur in v after a colon. The tag depends on v, so that nobody
// can write a v that contains its own tag. The same texts get the same tags, so that a prompt stays
// the same.
func (t *tagger) fresh(v string) string {
	used := tagNumbers(v)
	*t++
	for used[int(*t)] {
		*t++
	}
	return "v" + strconv.Itoa(int(*t))
}

// tagNumbers returns each number that follows ":v" in v, also as the beginning of a longer number.
// The work is linear in the length of v; a search for one tag after the other would be quadratic.
func tagNumbers(v string) map[int]bool {
	numbers := map[int]bool{}
	for {
		_, rest, found := strings.Cut(v, ":v")
		if !found {
			return numbers
		}
		number := 0
		for i := range min(len(rest), maxTagDigits) {
			if c := rest[i]; c < '0' || c > '9' || number == 0 && c == '0' {
				break
			}
			number = 10*number + int(rest[i]-'0')
			numbers[number] = true
		}
		v = rest
	}
}

// maxTagDigits is more digits than the tag of any text has.
const maxTagDigits = 9
