package engine_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// results returns the results in a message, which contains them as data or as text for a model.
func results(t testing.TB, m protocol.Message) []protocol.ToolResult {
	t.Helper()
	if m.Results != nil {
		return m.Results
	}
	list, err := vcp.Protocol{}.ParseToolResults(m.Content)
	require.NoError(t, err)
	return list
}

// asText returns messages as a model is shown them, if nothing in them is neutralized.
func asText(list ...protocol.Message) []protocol.Message {
	text := make([]protocol.Message, len(list))
	for i, m := range list {
		text[i] = protocol.Message{
			Role: m.Role, Content: m.Content, Images: m.Images,
			ToolCalls: m.ToolCalls, ToolCallID: m.ToolCallID, Failed: m.Failed,
		}
		if len(m.Results) > 0 {
			text[i].Content = strings.TrimSuffix(vcp.Protocol{}.FormatToolResults(m.Results)+"\n\n"+m.Content, "\n\n")
		}
	}
	return text
}

// shownResult is a result as the model reads it.
type shownResult struct{ ID, Tool, Outcome string }

// shownResults returns the results in a message; none if m is nil.
func shownResults(t testing.TB, m *protocol.Message) (list []shownResult) {
	t.Helper()
	if m == nil {
		return nil
	}
	for _, r := range results(t, *m) {
		list = append(list, shownResult{r.ResultID, r.ToolName, outcomeOf(r.Status, r.ErrorType)})
	}
	return list
}

// outcomeOf returns a status followed by the type of the error, if there is one.
func outcomeOf(status protocol.ResultStatus, errorType string) string {
	return strings.TrimRight(string(status)+" "+errorType, " ")
}

// A string in a native call loses its quotation marks in text, and null does not become a string.
func TestNullInANativeCallStaysNull(t *testing.T) {
	s := session(t, registry(t), nil, withProtocol(hermes.Protocol{}))
	shown := s.Render([]protocol.Message{{
		Role:      protocol.RoleAssistant,
		ToolCalls: []protocol.ToolCall{call("a", "t_echo", `{"text":null,"word":"null"}`)},
	}})
	require.Contains(t, shown[0].Content, `"arguments": {"text": null, "word": "null"}`)
}
