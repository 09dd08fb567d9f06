package engine

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// renderer writes messages in the form for a model. Every message of a ModelRequest passes through
// it once, so foreign text always reaches a model neutralized: marks of the protocol in use are
// escaped. Before that, results, examples and foreign text are data.
//
// Messages of the user and of the application are shown unchanged. The model's own text and native
// calls are shown unchanged if they were written in the protocol in use. If the model now calls in
// text, each native call is shown as one request.
type renderer struct {
	protocol protocol.Protocol
	native   bool   // the model calls tools by its API
	language string // the language of the engine's own sentences
}

// arrangeResults returns messages in which the results of native calls have the right form for the
// model. If the model calls in text, they become results in text, and adjacent ones are joined in
// one message.
func (r *renderer) arrangeResults(messages []protocol.Message) []protocol.Message {
	fromTool := func(m protocol.Message) bool { return m.Role == protocol.RoleTool }
	if r.native || !slices.ContainsFunc(messages, fromTool) {
		return messages
	}
	list := make([]protocol.Message, 0, len(messages))
	names := map[string]string{} // methods by the ids of calls
	for i := 0; i < len(messages); i++ {
		m := messages[i]
		if m.Role != protocol.RoleTool {
			for _, c := range m.ToolCalls {
				names[c.ID] = c.Name
			}
			list = append(list, m)
			continue
		}
		outcome := protocol.Message{Role: protocol.RoleUser, Origin: protocol.OriginTool}
		for ; i < len(messages) && messages[i].Role == protocol.RoleTool; i++ {
			if isForeign(&messages[i]) {
				outcome.Origin = messages[i].Origin
			}
			outcome.Results = append(outcome.Results, resultInText(&messages[i], names))
			for _, image := range messages[i].Images {
				image.At = 0 // in the empty Content, which follows the results
				outcome.Images = append(outcome.Images, image)
			}
		}
		i-- // the loop adds 1
		list = append(list, outcome)
	}
	return list
}

// resultInText returns a message with the result of a native call as a result in text. names are
// the names of the methods, by the ids of calls.
func resultInText(m *protocol.Message, names map[string]string) protocol.ToolResult {
	r := protocol.ToolResult{
		ResultID: m.ToolCallID, ToolName: names[m.ToolCallID], Status: protocol.StatusSuccess, Result: m.Content,
	}
	if m.Failed {
		r.Status, r.ErrorType = protocol.StatusError, executor.ErrorExecutionFailed
	}
	return r
}

// render changes m, one of the messages that arrangeResults returned, to the form that the model
// reads. Results and examples become text, and so do native calls if the model calls in text.
func (r *renderer) render(m *protocol.Message) {
	allForeign, foreignContent := isForeign(m), m.Foreign(r.protocol.ID())
	results, examples := m.Results, m.Examples
	if allForeign {
		examples = nil // they would be shown as requests
	}
	m.Origin, m.Protocol, m.Results, m.Examples = "", "", nil, nil
	if foreignContent {
		r.neutralize(m)
	}
	switch calls := m.ToolCalls; {
	case !r.native && len(calls) > 0:
		m.ToolCalls = nil
		for i := range calls {
			m.Content = joinParagraphs(m.Content, r.callInText(calls[i], allForeign))
		}
	case allForeign:
		neutral := r.protocol.Neutralize
		m.ToolCallID, m.ToolCalls = neutral(m.ToolCallID), slices.Clone(calls)
		for i := range m.ToolCalls {
			c := &m.ToolCalls[i]
			c.ID, c.Name, c.Arguments = neutral(c.ID), neutral(c.Name), neutral(c.Arguments)
		}
	}
	if len(results) > 0 {
		content := joinParagraphs(r.protocol.FormatToolResults(r.withNotes(results)), m.Content)
		moved := len(content) - len(m.Content)
		m.Content, m.Images = content, slices.Clone(m.Images)
		for i := range m.Images {
			m.Images[i].At += moved
		}
	}
	var forms string
	for i := range examples {
		if form, err := r.protocol.FormatToolRequests(examples[i : i+1]); err == nil {
			forms = joinLines(forms, form)
		}
	}
	if forms != "" {
		m.Content = joinParagraphs(m.Content, phraseCorrectForm.in(r.language)+"\n"+forms)
	}
}

// withNotes returns results with notes that say how the protocol alters their text.
func (r *renderer) withNotes(results []protocol.ToolResult) []protocol.ToolResult {
	noter, ok := r.protocol.(protocol.ResultNoter)
	if !ok {
		return results
	}
	results = slices.Clone(results)
	for i := range results {
		note := noter.ResultNote(results[i].Result, protocol.PromptOptions{Language: r.language})
		results[i].Note = joinSentences(r.language, results[i].Note, note)
	}
	return results
}

// neutralize neutralizes the text of a message and keeps its images in place.
func (r *renderer) neutralize(m *protocol.Message) {
	if len(m.Images) == 0 {
		m.Content = r.protocol.Neutralize(m.Content)
		return
	}
	var (
		b      strings.Builder
		images []protocol.Image
	)
	for piece := range m.Pieces() {
		if piece.Image == nil {
			b.WriteString(r.protocol.Neutralize(piece.Text))
			continue
		}
		image := *piece.Image
		image.At = b.Len()
		images = append(images, image)
	}
	m.Content, m.Images = b.String(), images
}

// callInText writes a native call as a request. If no request can contain the call, or no method
// can have its name, it is written as plain text. foreign means that the call is foreign text.
func (r *renderer) callInText(c protocol.ToolCall, foreign bool) string {
	neutral := func(text string) string {
		if foreign {
			text = r.protocol.Neutralize(text)
		}
		return text
	}
	req, err := c.Request()
	if err == nil && plainName(c.Name) {
		for i := range req.Arguments {
			a := &req.Arguments[i]
			// In text a string has no quotation marks.
			if text, ok := orderedjson.StringText([]byte(a.Value)); ok {
				a.Value, a.Form = text, protocol.FormPlain
			}
			a.Name, a.Value = neutral(a.Name), neutral(a.Value)
		}
		for _, label := range [...]string{neutral(c.ID), ""} { // not every protocol has labels
			req.Label = label
			if text, err := r.protocol.FormatToolRequests([]protocol.ToolRequest{req}); err == nil {
				return text
			}
		}
	}
	return r.protocol.Neutralize("[" + c.Name + " " + c.Arguments + "]")
}

// plainName reports whether name may be the full name of a method. It may not if it is empty, long,
// or contains characters other than letters, digits and a few signs.
func plainName(name string) bool {
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-./:", r)
	}
	return name != "" && len(name) <= maxPlainName && !strings.ContainsFunc(name, odd)
}

// maxPlainName limits the length of a name, in bytes.
const maxPlainName = tool.MaxNameBytes

// resultMessages returns results as messages, which are data: one for each native call, and one for
// all requests in text, or nil if there are none.
func resultMessages(results []executor.Result) (native []protocol.Message, inText *protocol.Message) {
	list := textResults(results)
	others := list[:0]
	for i, r := range list {
		if results[i].CallID == "" {
			others = append(others, r)
			continue
		}
		native = append(native, protocol.Message{
			Role: protocol.RoleTool, Origin: protocol.OriginTool, ToolCallID: results[i].CallID,
			Content: nativeResult(&r), Failed: r.Status == protocol.StatusError,
		})
	}
	if len(others) > 0 {
		inText = &protocol.Message{Role: protocol.RoleUser, Origin: protocol.OriginTool, Results: others}
	}
	return native, inText
}

// textResults returns results as the model is shown them in text, each with the arguments that
// distinguish it from the others.
func textResults(results []executor.Result) []protocol.ToolResult {
	list := make([]protocol.ToolResult, len(results))
	for i, about := range executor.DistinguishingArguments(results) {
		list[i] = results[i].ToolResult
		list[i].About = cmp.Or(list[i].About, about)
	}
	return list
}

// nativeResult returns the text that the model reads as the result of a native call.
func nativeResult(r *protocol.ToolResult) string {
	if r.Status != protocol.StatusError {
		return r.Result
	}
	return joinLines("Error ("+r.ErrorType+"): "+r.Result, r.Suggestion)
}
