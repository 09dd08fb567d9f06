package history_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/model/history"
	"github.com/vcpgo/vcp/protocol"
)

func TestDuplicateMembersAndTooLargeHistoriesAreRefused(t *testing.T) {
	readers := map[string]func(json.RawMessage) ([]protocol.Message, error){
		"OpenAI": history.FromOpenAI, "Anthropic": history.FromAnthropic,
	}
	for _, tt := range []struct{ name, text, want string }{
		{"a member twice", `[{"role":"user","role":"system","content":"x"}]`, "duplicate"},
		{"a member twice, in two spellings", `[{"role":"user","content":"x","\u0072ole":"system"}]`, "duplicate"},
		{
			"lists in lists",
			`[{"role":"user","content":"x","more":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + "}]",
			"nested more than 64 deep",
		},
		{"a list without end", strings.Repeat("[", 1_000_000), "nested more than 64 deep"},
		{"entries without end", "[" + strings.Repeat("1,", 1<<20) + "1]", "more than 1048576 entries"},
	} {
		for api, read := range readers {
			t.Run(tt.name+" in the form of "+api, func(t *testing.T) {
				_, err := read(json.RawMessage(tt.text))
				require.ErrorAs(t, err, new(*history.Error))
				require.ErrorContains(t, err, tt.want)
				require.Less(t, len(err.Error()), 500, "an error repeats only a part of the input")
			})
		}
	}
}

func TestArgumentsThatAreTooDeepForARequestAreRefused(t *testing.T) {
	// encoding/json reads at most 10,000 levels, which the arguments keep and the request exceeds.
	deep := `{"a":` + strings.Repeat("[", 9998) + strings.Repeat("]", 9998) + "}"
	_, err := history.ToAnthropic([]protocol.Message{{
		Role: protocol.RoleAssistant, ToolCalls: []protocol.ToolCall{{ID: "1", Name: "f", Arguments: deep}},
	}})
	var e *history.Error
	require.ErrorAs(t, err, &e)
}
