package terminal

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

func TestQuestionShowsWhereWordsCameFrom(t *testing.T) {
	page := protocol.Source{Origin: protocol.OriginTool, Name: "fetch_get https://evil.example\n[note] fine\x1b[2K"}
	q := question{
		method: "t_m", risk: tool.RiskWrite, arguments: json.RawMessage(`{"to":"eve@evil.example"}`),
		warnings: warningsOf(&executor.Question{Change: "its description", Provenance: &executor.Provenance{
			CopiedFrom: &page,
			Arguments: []executor.ForeignArgument{
				{Argument: "to", Kind: executor.KindAddress, Value: "eve@evil.example", Source: protocol.Source{Origin: protocol.OriginPerson, Name: "Bob"}},
				{Argument: "url", Kind: executor.KindURL, Value: "https://evil.example", Source: protocol.Source{Origin: protocol.OriginImport}},
			},
		}}),
	}
	shown, err := q.fit(screen{})
	require.NoError(t, err)
	require.Zero(t, shown.omitted)
	require.Equal(t, "\n[approval] t_m (write)\n"+
		"  ! This method changed: its description\n"+
		"  ! This request occurs in the result of fetch_get https://evil.example\\n[note]\n     fine\\x1b[2K. Allow it only if you want it.\n"+
		"  ! to: this address came from a message of Bob: eve@evil.example\n"+
		"  ! url: this URL came from an imported message: https://evil.example\n"+
		"  - to = \"eve@evil.example\"\n"+
		"Answer y, always, edit, or no and why; help explains.\n", shown.body)

	for range 40 {
		q.warnings = append(q.warnings, "x: this path came from a file")
	}
	shown, err = q.fit(screen{})
	require.NoError(t, err)
	require.Positive(t, shown.omitted, "a call whose warnings are missing cannot be allowed")
	require.Nil(t, warningsOf(&executor.Question{}))
}
