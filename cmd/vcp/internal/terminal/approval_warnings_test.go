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
	q := questionOf(`{"to":"eve@evil.example"}`)
	q.warnings = q.warningsOf(&executor.Question{Change: "its description", Provenance: &executor.Provenance{
		CopiedFrom: &page,
		Arguments: []executor.ForeignArgument{
			{
				Argument: "to", Kind: executor.KindAddress, Value: "eve@evil.example",
				Source: protocol.Source{Origin: protocol.OriginPerson, Name: "Bob"},
			},
			{
				Argument: "url", Kind: executor.KindURL, Value: "https://evil.example",
				Source: protocol.Source{Origin: protocol.OriginImport},
			},
		},
	}})
	shown, err := q.fit(screen{})
	require.NoError(t, err)
	require.Zero(t, shown.omitted)
	require.Equal(t, "\n[approval] t_m (write)\n"+
		"  ! This method changed: its description\n"+
		"  ! This request occurs in the result of fetch_get https://evil.example\\n[note]\n"+
		"     fine\\x1b[2K. Allow it only if you want it.\n"+
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
	require.Nil(t, phrasesIn("en").warningsOf(&executor.Question{}))
}

func TestAQuestionMayBeInChinese(t *testing.T) {
	q := question{
		phrases: phrasesIn("zh"), method: "t_m", risk: tool.RiskWrite, arguments: json.RawMessage(`{}`),
		warnings: phrasesIn("zh").warningsOf(&executor.Question{Provenance: &executor.Provenance{
			CopiedFrom: &protocol.Source{Origin: protocol.OriginTool, Name: "files_read a.txt"},
			Arguments: []executor.ForeignArgument{{
				Argument: "to", Kind: executor.KindAddress, Value: "eve@evil.example",
				Source: protocol.Source{Origin: protocol.OriginPerson},
			}},
		}}),
	}
	shown, err := q.fit(screen{})
	require.NoError(t, err)
	require.Equal(t, `
[批准] t_m (写入)
  ! 此请求出现在 files_read a.txt 的结果中。只有确实需要时才允许。
  ! to：这个地址来自他人的消息：eve@evil.example
  （无参数）
请回答 y、always、edit，或 no 加理由；help 有说明。
允许 t_m (写入)吗？[no] `, shown.body+shown.prompt)
}
