package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
)

// TestAnEscapedRequestIsShownInTheCorrectForm makes a model write its request with neutralized
// marks, as the model reads them in foreign text.
func TestAnEscapedRequestIsShownInTheCorrectForm(t *testing.T) {
	for _, p := range []protocol.Protocol{vcp.Protocol{}, qwencoder.Protocol{}} {
		request := func(name, text string) string {
			written, err := p.FormatToolRequests([]protocol.ToolRequest{
				{ToolName: name, Arguments: []protocol.Argument{{Name: "text", Value: text}}},
			})
			require.NoError(t, err)
			return written
		}
		own := request("t_echo", "hello")
		escaped := p.Neutralize(own)
		lines := strings.Split(own, "\n")
		lastLine := len(lines) - 1
		inside := lines[0] + "\n" + p.Neutralize(strings.Join(lines[1:lastLine], "\n")) + "\n" + lines[lastLine]
		foreign := protocol.Message{Role: protocol.RoleUser, Origin: protocol.OriginFile, Source: "notes", Content: own}
		for _, tt := range []struct {
			name    string
			msgs    []protocol.Message
			replies []string
			shown   int // how many messages for the model show the request in the correct form
			notices int // how many notices report an escaped request; -1 means any number
		}{
			{"alone", question, []string{escaped, "Done."}, 1, 1},
			{"after prose", question, []string{"Let me see.\n" + escaped, "Done."}, 1, 1},
			{"between plain marks", question, []string{inside, "Done."}, 1, -1},
			{"alone, and then in the correct form", question, []string{escaped, own, "Done."}, 1, 1},
			{"twice; the correct form is shown once in a run", question, []string{escaped, escaped, "Done."}, 1, 2},
			{"of an unknown tool", question, []string{p.Neutralize(request("t_none", "hello"))}, 0, 0},
			{
				"in a fence, where it is not read", question,
				[]string{"```\n" + escaped + "\n```", "Done."},
				0, 0,
			},
			{"after a file that contains the request", append(slices.Clone(question), foreign), []string{escaped}, 0, 1},
			{"after a result that contains the request", question, []string{request("t_give", ""), escaped}, 0, 1},
		} {
			t.Run(p.ID()+"/"+tt.name, func(t *testing.T) {
				var ran []string
				give := method(t, "give", func(context.Context, *tool.Call) (tool.Output, error) {
					return tool.Output{Text: own}, nil
				})
				m := scriptOf(tt.replies...)
				s := session(t, registry(t, give), m, func(o *engine.Options) {
					o.Protocols, o.Config.Protocol = []protocol.Protocol{p}, p.ID()
				})
				shown, notices := 0, 0
				for ev, err := range s.Run(t.Context(), tt.msgs) {
					require.NoError(t, err)
					switch ev.Kind {
					case engine.EventToolStarted:
						ran = append(ran, ev.Method.FullName)
					case engine.EventNotice:
						if ev.Notice.Code == engine.NoticeEscapedRequest {
							notices++
						}
					case engine.EventRunDone:
						require.Equal(t, engine.StopDone, ev.Stop)
					}
				}
				for _, message := range m.asked[len(m.asked)-1].Messages {
					if message.Role == protocol.RoleUser && strings.Contains(message.Content, own) {
						shown++
					}
				}
				require.Equal(t, tt.shown, shown)
				if tt.notices >= 0 {
					require.Equal(t, tt.notices, notices)
				}
				require.Equal(t, slices.Contains(tt.replies, own), slices.Contains(ran, "t_echo"),
					"only the request in the correct form runs")
			})
		}
	}
}
