package tags

import (
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// The names of the members of a result, in their order.
const (
	keyID         = "id"
	keyName       = "name"
	keyArguments  = "arguments"
	keyStatus     = "status"
	keyErrorType  = "error_type"
	keySuggestion = "suggestion"
	keyNote       = "note"
	KeyContent    = "content"
)

// ResultForm is how a protocol writes the members of a result between <tool_response> and
// </tool_response>.
type ResultForm struct {
	Protocol string // the ID of the protocol
	// Begin is the start of a result's members. End follows the text of the last member, and ends
	// the result. The text of a member must not contain End.
	Begin, End string
	// Append appends one member, without End. The last member is KeyContent. Format omits empty
	// members, except KeyContent.
	Append func(b []byte, name, text string) []byte
	// Read reads body, the text that Append wrote for all members. The function member returns the
	// text of a member, or "" if it is absent; it is never nil. ok is false if body cannot be read.
	Read func(body string) (member func(name string) string, ok bool)
}

// Format implements protocol.Protocol.FormatToolResults.
func (f *ResultForm) Format(results []protocol.ToolResult) string {
	var b []byte
	for i, r := range results {
		if i > 0 {
			b = append(b, '\n')
		}
		b = append(b, ResponseStart+"\n"...)
		if r.Status != protocol.StatusError {
			r.ErrorType, r.Suggestion = "", ""
		}
		for _, member := range [...][2]string{
			{keyID, r.ResultID},
			{keyName, r.ToolName},
			{keyArguments, r.About},
			{keyStatus, string(r.Status)},
			{keyErrorType, r.ErrorType},
			{keySuggestion, r.Suggestion},
			{keyNote, r.Note},
			{KeyContent, r.Result},
		} {
			if name, text := member[0], member[1]; text != "" || name == KeyContent {
				b = f.Append(b, name, text)
			}
		}
		b = append(b, f.End...)
	}
	return string(b)
}

// Parse implements protocol.Reader.ParseToolResults.
func (f *ResultForm) Parse(text string) ([]protocol.ToolResult, error) {
	var results []protocol.ToolResult
	start := ResponseStart + "\n" + f.Begin
	for from := 0; ; {
		at := strings.Index(text[from:], start)
		if at < 0 {
			return results, nil
		}
		at += from
		from = at + len(start) - len(f.Begin)
		body, _, ended := strings.Cut(text[from:], f.End)
		from += len(body) + len(f.End)
		member, ok := f.Read(body)
		r := protocol.ToolResult{
			ResultID: member(keyID), ToolName: member(keyName), About: member(keyArguments),
			Status: protocol.ResultStatus(member(keyStatus)), ErrorType: member(keyErrorType),
			Suggestion: member(keySuggestion), Note: member(keyNote), Result: member(KeyContent),
		}
		if !ended || !ok || r.Status != protocol.StatusSuccess && r.Status != protocol.StatusError {
			reason := "it has no end, a member that cannot be read, or a status that is neither success nor error"
			return results, &protocol.ReadError{Protocol: f.Protocol, Block: "result", Offset: at, Reason: reason}
		}
		results = append(results, r)
	}
}
