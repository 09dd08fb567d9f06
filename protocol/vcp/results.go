package vcp

import (
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

const (
	keyStatus     = "status"
	keyErrorType  = "error_type"
	keySuggestion = "suggestion"
	keyResult     = "result"
)

// FormatToolResults writes one block a result. What a tool returned is neutralised: it cannot open, close or forge a block.
func (Protocol) FormatToolResults(results []protocol.ToolResult) string {
	var b strings.Builder
	var tags tagger
	for i, r := range results {
		if i > 0 {
			b.WriteByte('\n')
		}
		fields := []protocol.Field{
			{Name: keyRequestID, Value: neutralise(r.RequestID)},
			{Name: keyToolName, Value: neutralise(r.ToolName)},
			{Name: keyStatus, Value: string(r.Status)},
		}
		if r.Status == protocol.StatusError {
			fields = append(fields, protocol.Field{Name: keyErrorType, Value: neutralise(r.ErrorType)},
				protocol.Field{Name: keySuggestion, Value: neutralise(r.Suggestion)})
		}
		fields = append(fields, protocol.Field{Name: keyResult, Value: neutralise(r.Result)})
		writeBlock(&b, &tags, resultStart, fields, resultEnd)
	}
	return b.String()
}
