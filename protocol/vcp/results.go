package vcp

import (
	"strings"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

const (
	keyArguments  = "arguments"
	keyStatus     = "status"
	keyErrorType  = "error_type"
	keySuggestion = "suggestion"
	keyNote       = "note"
	keyResult     = "result"
)

// resultBytes is about the size of a block without its texts.
const resultBytes = 192

// FormatToolResults writes one block per result. What a tool returned is neutralized, so it cannot
// open, close or forge a block.
func (Protocol) FormatToolResults(results []protocol.ToolResult) string {
	var b strings.Builder
	var tags tagger
	size := 0
	for i := range results {
		r := &results[i]
		size += resultBytes + len(r.ResultID) + len(r.ToolName) + len(r.Suggestion) + len(r.Result)
	}
	b.Grow(size)
	fields := make([]scan.Field, 0, 8)
	add := func(name, text string) {
		fields = append(fields, scan.Field{Name: name, Value: neutralize(text)})
	}
	for i := range results {
		r := &results[i]
		if i > 0 {
			b.WriteByte('\n')
		}
		// The status follows the name, so that a result that a model repeats is not a request of
		// bare fields (B12).
		fields = fields[:0]
		add(keyRequestID, r.ResultID)
		add(keyToolName, r.ToolName)
		add(keyStatus, string(r.Status))
		if r.About != "" {
			add(keyArguments, r.About)
		}
		if r.Status == protocol.StatusError {
			add(keyErrorType, r.ErrorType)
			add(keySuggestion, r.Suggestion)
		}
		if r.Note != "" {
			add(keyNote, r.Note)
		}
		add(keyResult, r.Result)
		writeBlock(&b, &tags, resultStart, fields, resultEnd)
	}
	return b.String()
}

// ResultNote says that marks in a result are altered. It returns "" if the result has no marks.
func (Protocol) ResultNote(text string, o protocol.PromptOptions) string {
	if neutralize(text) == text {
		return ""
	}
	return o.Choose("In the original of this result, the marks are without _ESCAPE.", "结果原文中的标记没有 _ESCAPE。")
}
