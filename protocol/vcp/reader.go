package vcp

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// ParseToolResults reads what FormatToolResults wrote, and ignores other text. A block without an
// end, or without one of the two statuses, is a *protocol.ReadError.
func (Protocol) ParseToolResults(text string) ([]protocol.ToolResult, error) {
	var results []protocol.ToolResult
	err := eachBlock(text, resultStart, markerResult, func(fields map[string]string) string {
		r := protocol.ToolResult{
			ResultID:   restore(fields[keyRequestID]),
			ToolName:   restore(fields[keyToolName]),
			About:      restore(fields[keyArguments]),
			Status:     protocol.ResultStatus(fields[keyStatus]),
			ErrorType:  restore(fields[keyErrorType]),
			Suggestion: restore(fields[keySuggestion]),
			Note:       restore(fields[keyNote]),
			Result:     restore(fields[keyResult]),
		}
		if r.Status != protocol.StatusSuccess && r.Status != protocol.StatusError {
			return fmt.Sprintf("status %q is neither %q nor %q", r.Status, protocol.StatusSuccess, protocol.StatusError)
		}
		results = append(results, r)
		return ""
	})
	return results, err
}

// ParseToolDefinitions reads what GenerateToolDefinitions wrote, and ignores other text. A block
// without an end, or with parameters that are not a JSON list, is a *protocol.ReadError.
func (Protocol) ParseToolDefinitions(text string) ([]protocol.ToolDefinition, error) {
	text, examples := withoutExamples(text)
	var definitions []protocol.ToolDefinition
	err := eachBlock(text, defStart, markerDefinition, func(fields map[string]string) string {
		d := protocol.ToolDefinition{ToolName: restore(fields[keyName]), Description: restore(fields[keyDescription])}
		if err := json.Unmarshal([]byte(restore(fields[keyParameters])), &d.Parameters); err != nil {
			return "parameters are not a JSON list: " + err.Error()
		}
		if len(d.Parameters) == 0 {
			d.Parameters = nil
		}
		if n, err := strconv.Atoi(fields[keyExample]); err == nil && n < len(examples) {
			d.Examples = examples[n]
		}
		definitions = append(definitions, d)
		return ""
	})
	return definitions, err
}

// withoutExamples returns the text with a number in place of the examples of each definition, and
// the examples.
func withoutExamples(text string) (string, [][]protocol.ToolRequest) {
	var (
		b    strings.Builder
		list [][]protocol.ToolRequest
	)
	whole, src := text, []byte(text)
	for {
		before, after, ok := strings.Cut(text, "\n"+exampleStart)
		b.WriteString(before)
		if !ok {
			return b.String(), list
		}
		b.WriteString(",\n" + keyExample + ":「始」" + strconv.Itoa(len(list)) + "「末」")
		var examples []protocol.ToolRequest
		for ok {
			s := newReader(markerRequest)
			fields, end, closed := scan.ReadFields(s, src, len(src)-len(after))
			if closed {
				for _, r := range s.Requests(fields) {
					examples = append(examples, protocol.RequestOf(&r))
				}
			}
			text = whole[end:]
			after, ok = strings.CutPrefix(text, "\n"+requestStart)
		}
		list = append(list, examples)
	}
}

// eachBlock calls read with the fields of each block of that kind whose first field is request_id
// or name. start is the start marker of such blocks. read returns the text of an error, or "" if
// the fields are right.
func eachBlock(text, start string, kind markerKind, read func(fields map[string]string) string) error {
	name := map[markerKind]string{markerResult: "result", markerDefinition: "definition"}[kind]
	src := []byte(text)
	for from := 0; ; {
		at := strings.Index(text[from:], start)
		if at < 0 {
			return nil
		}
		at += from
		from = at + len(start)
		if !strings.HasPrefix(text[from:], "\n"+keyRequestID+":") && !strings.HasPrefix(text[from:], "\n"+keyName+":") {
			continue
		}
		fields, end, ok := scan.ReadFields(newReader(kind), src, from)
		if !ok {
			return &protocol.ReadError{Protocol: protocolID, Block: name, Offset: at, Reason: "it has no end"}
		}
		values := make(map[string]string, len(fields))
		for _, f := range fields {
			if _, twice := values[f.Name]; !twice {
				values[f.Name] = f.Value
			}
		}
		if reason := read(values); reason != "" {
			return &protocol.ReadError{Protocol: protocolID, Block: name, Offset: at, Reason: reason}
		}
		from = end
	}
}

// newReader returns a scanner in a block of that kind, after its start marker.
func newReader(kind markerKind) *scanner {
	return &scanner{
		o: scan.Options{MaxKey: scan.MaxKeyBytes}, kind: kind, mode: modeBlock, finder: finder{needles: plainNeedles},
	}
}
