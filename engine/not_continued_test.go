package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/vcp"
)

func TestAReplyIsNotContinuedIfTheRunIsOver(t *testing.T) {
	truncated := strings.TrimSuffix(block(t, "t_echo", "text", "truncated"), "「末」\n<<<[END_TOOL_REQUEST]>>>")
	t.Run("canceled after the finish reason", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		stop := errors.New("stop")
		model := &script{replies: []reply{truncatedReply(truncated)}}
		model.replies[0].deltas = append(model.replies[0].deltas, engine.Delta{Usage: &engine.Usage{}})
		deltas := 0
		model.after = func() {
			if deltas++; deltas == 2 { // the text and the finish reason; the usage would follow
				cancel(stop)
			}
		}
		got := runIn(ctx, t, session(t, registry(t), model), question)
		require.Equal(t, engine.StopCanceled, got.stop)
		require.ErrorIs(t, got.err, stop)
		require.Len(t, model.asked, 1)
	})
	t.Run("the tokens of the run are used up", func(t *testing.T) {
		r := truncatedReply(truncated)
		r.deltas = append(r.deltas, engine.Delta{Usage: &engine.Usage{PromptTokens: 900, CompletionTokens: 100}})
		model := &script{replies: []reply{r}}
		got := run(t, session(t, registry(t), model, config(func(c *engine.Config) { c.MaxTokens = 1000 })), question)
		require.Equal(t, engine.StopMaxIterations, got.stop)
		require.Equal(t, engine.LimitTokens, got.limit)
		require.Len(t, model.asked, 1)
		require.Equal(t, []shownResult{{"1.1", "t_echo", "error malformed_request"}},
			shownResults(t, got.iterations[0].ResultMessage), "the request has a result")
	})
}

// TestAReplyIsNotContinuedIfTheTruncatedFieldIsUnknown truncates replies at places that do not show
// which field was truncated.
func TestAReplyIsNotContinuedIfTheTruncatedFieldIsUnknown(t *testing.T) {
	const (
		begin = "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_write「末」,\n"
		list  = "<tool_call>\n[{\"name\": \"t_write\", \"arguments\": {\"path\": \"a\""
		coder = "<tool_call>\n<function=t_write>\n<parameter=path>\na\n</parameter>\n"
	)
	whole := block(t, "t_write", "path", "1")
	for _, tt := range []struct {
		name      string
		protocol  protocol.Protocol
		truncated string
	}{
		{"between two fields", vcp.Protocol{}, begin + "path:「始」a「末」"},
		{"after the comma", vcp.Protocol{}, begin + "path:「始」a「末」,\n"},
		{"in a name that is not an argument's", vcp.Protocol{}, begin + "path:「始」a「末」,\nnam"},
		{"in the name of an argument that the call has", vcp.Protocol{}, begin + "path:「始」a「末」,\npat"},
		{
			"in a name of a batch",
			vcp.Protocol{},
			"<<<[TOOL_REQUEST]>>>\ntool_name:「始」t「末」,\ncommand1:「始」write「末」,\ncont",
		},
		{"in a tool's name", vcp.Protocol{}, "<<<[TOOL_REQUEST]>>>\npath:「始」a「末」,\ntool_name:「始」t_wr"},
		{
			"in a command that several methods begin with",
			vcp.Protocol{},
			"<<<[TOOL_REQUEST]>>>\ntool_name:「始」t「末」,\ncommand:「始」",
		},
		{"in a value without a name", vcp.Protocol{}, begin + "path:「始」a「末」,\n「始」x"},
		{"in the first field", vcp.Protocol{}, "<<<[TOOL_REQUEST]>>>\ntool_name:「始」t_wr"},
		{"after a request", vcp.Protocol{}, whole + "And th"},
		{"at a bracket that may begin a field or the end", qwencoder.Protocol{}, coder + "<"},
		{"in the tag of a field", qwencoder.Protocol{}, coder + "<parameter=con"},
		{"between two members", hermes.Protocol{}, list + ","},
		{"after the arguments", hermes.Protocol{}, list + "}"},
		{"between two calls", hermes.Protocol{}, list + "}}, "},
		{"in the name of the next call", hermes.Protocol{}, list + `}}, {"name": "t_wr`},
		{"before the arguments", hermes.Protocol{}, "<tool_call>\n" + `{"name": "t_write", "argum`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var ran []string
			m := &script{replies: []reply{truncatedReply(tt.truncated), says("Sorry.")}}
			o := run(t, session(t, recordingRegistry(t, &ran), m, withProtocol(tt.protocol)), question)
			require.Equal(t, engine.StopDone, o.stop)
			require.Zero(t, o.iterations[0].Continued)
			require.Empty(t, ran)
			require.Len(t, o.iterations[0].Results, len(o.iterations[0].Requests))
			require.NotEmpty(t, o.iterations[0].Results, "the model gets a result")
		})
	}
}
