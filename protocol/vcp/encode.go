package vcp

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/vcpgo/vcp/protocol"
)

// The reserved keys (DIALECT section 2).
const (
	keyToolName  = "tool_name"
	keyCommand   = "command"
	keyRequestID = "request_id"
)

// FormatToolRequests writes one block a request. A name that would read back as something else is refused with a *protocol.FormatError:
// a reserved one, command with a number, one outside the key grammar, or one written twice.
func (Protocol) FormatToolRequests(requests []protocol.ToolRequest) (string, error) {
	var b strings.Builder
	var tags tagger
	if len(requests) > protocol.MaxBlocks {
		return "", &protocol.FormatError{Protocol: protocolID, ToolName: requests[protocol.MaxBlocks].ToolName, Reason: fmt.Sprintf("it is behind the %d requests that a reply may hold", protocol.MaxBlocks)}
	}
	for i := range requests {
		if err := checkRequest(&requests[i]); err != nil {
			return "", err
		}
		start := b.Len()
		if i > 0 {
			b.WriteByte('\n')
		}
		r := &requests[i]
		fields := make([]protocol.Field, 0, len(r.Arguments)+3)
		fields = append(fields, protocol.Field{Name: keyToolName, Value: r.ToolName})
		if r.Label != "" {
			fields = append(fields, protocol.Field{Name: keyRequestID, Value: r.Label})
		}
		if r.Command != "" {
			fields = append(fields, protocol.Field{Name: keyCommand, Value: r.Command})
		}
		for _, a := range r.Arguments {
			fields = append(fields, protocol.Field{Name: a.Name, Value: a.Value})
		}
		if len(fields) > protocol.MaxFields {
			return "", &protocol.FormatError{Protocol: protocolID, ToolName: r.ToolName, Reason: fmt.Sprintf("it has %d fields, and a request may have %d", len(fields), protocol.MaxFields)}
		}
		writeBlock(&b, &tags, requestStart, fields, requestEnd)
		if size := b.Len() - start; size > protocol.MaxBlockBytes {
			return "", &protocol.FormatError{Protocol: protocolID, ToolName: r.ToolName, Reason: fmt.Sprintf("it is %d bytes long, and a request may have %d", size, protocol.MaxBlockBytes)}
		}
	}
	return b.String(), nil
}

// CarriesArgument reports whether a name is a key and not reserved (section 2). The name command is carried, and so is one with a number:
// they are arguments of a method that declares them, once it is named by its full name.
func (Protocol) CarriesArgument(name string) bool {
	return validKey(name, protocol.MaxKeyBytes) && name != keyToolName && name != keyRequestID
}

func checkRequest(r *protocol.ToolRequest) error {
	switch bare := strings.TrimFunc(r.ToolName, unicode.IsSpace); {
	case bare == "":
		return &protocol.FormatError{Protocol: protocolID, ToolName: r.ToolName, Reason: "the name is blank"}
	case bare != r.ToolName:
		return &protocol.FormatError{Protocol: protocolID, ToolName: r.ToolName, Reason: "the name has white space around it"}
	}
	seen := make(map[string]bool, len(r.Arguments))
	for _, a := range r.Arguments {
		refuse := func(reason string) error {
			return &protocol.FormatError{Protocol: protocolID, ToolName: r.ToolName, Argument: a.Name, Reason: reason}
		}
		switch {
		case !validKey(a.Name, protocol.MaxKeyBytes):
			return refuse("a name has letters, marks, digits, '_', '-', '.' and '/', begins with none of the last three, and has at most " +
				strconv.Itoa(protocol.MaxKeyBytes) + " bytes")
		case a.Name == keyToolName || a.Name == keyCommand || a.Name == keyRequestID:
			return refuse("the name is reserved")
		case r.Command == "" && foldKey(a.Name) == keyCommand:
			return refuse("the name would be read as " + keyCommand)
		case isNumberedCommand(a.Name):
			return refuse("the name would begin a batch")
		case seen[a.Name]:
			return refuse("the name is written twice")
		}
		seen[a.Name] = true
	}
	return nil
}

func writeBlock(b *strings.Builder, tags *tagger, start string, fields []protocol.Field, end string) {
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

// writeValue writes the first of the plain, the ESCAPE and the tagged form that gives back exactly v.
func writeValue(b *strings.Builder, tags *tagger, v string) {
	marks := findMarks(v)
	outer := strings.TrimFunc(v, unicode.IsSpace)
	several := strings.IndexByte(outer, '\n') >= 0 || strings.IndexByte(outer, '\r') >= 0
	lineFirst := strings.HasPrefix(v, "\n") || strings.HasPrefix(v, "\r\n")
	tail := ""
	switch {
	case marks == marksNone && (several || outer == v):
	case marks != marksEdges:
		tail = escape
	default:
		tail, lineFirst = escape+":"+tags.fresh(v), false
	}
	b.WriteString("「始")
	b.WriteString(tail)
	b.WriteString("」")
	if lineFirst {
		b.WriteByte('\n') // reading takes one line break off
	}
	b.WriteString(v)
	b.WriteString("「末")
	b.WriteString(tail)
	b.WriteString("」")
}

// marks says what stands in a value that a reader could take for more than text.
type marks uint8

const (
	marksNone    marks = iota
	marksMarkers       // block markers: text inside an ESCAPE value
	marksEdges         // openers, closers or escaped markers: text inside a tagged value only
)

func findMarks(v string) marks {
	if !mayHoldMarks(v) {
		return marksNone
	}
	for _, word := range [...]string{wordOpen, wordClose} {
		for i := 0; ; {
			at := strings.Index(v[i:], word)
			if at < 0 {
				break
			}
			// A bracket before the word is enough: half a closer may close a value too (V7).
			if bracketBefore(v[:i+at]) {
				return marksEdges
			}
			i += at + len(word)
		}
	}
	found := marksNone
	for i := 0; ; {
		at, end := nextCore(v, i)
		if at < 0 {
			return found
		}
		if angleBefore(v[:at]) {
			found = marksMarkers
			if hasEscapeSuffix(v[end:]) {
				return marksEdges
			}
		}
		i = end
	}
}

func bracketBefore(s string) bool {
	for _, blank := range [...]string{" ", "\t", "\u3000"} {
		if cut, ok := strings.CutSuffix(s, blank); ok {
			s = cut
			break
		}
	}
	for _, pair := range bracketPairs {
		if strings.HasSuffix(s, pair[0]) {
			return true
		}
	}
	return false
}

// tagger numbers the tags of one text: no two values share one, so that a lost closer is not taken from the next value.
type tagger int

// fresh returns a tag that stands nowhere in v. It is chosen after v is known, so text cannot foresee it; it is the same for the same
// values, so that a prompt stays the same.
func (t *tagger) fresh(v string) string {
	for {
		*t++
		if tag := "v" + strconv.Itoa(int(*t)); !strings.Contains(v, ":"+tag) {
			return tag
		}
	}
}
