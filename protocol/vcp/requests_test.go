package vcp

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/protocol/scan"
)

// readPlain, which reads the most frequent kind of block, gives the same result as readBlock.
func TestReadPlainAgreesWithReadBlock(t *testing.T) {
	plain := 0
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SampledFrom([]string{
			"tool_name", "path", "content", "tool", "tool2", "to", "request", "comment", "context", "count", "n", "名字",
			"command", "Command", "co-mmand", "com_mand", "command1", "command2", "path1", "path2",
			"request_id", "Request_ID", "TOOL-NAME", "_tool_name", "toolname",
		})
		values := rapid.SampledFrom([]string{"", " ", "files_read", " a.txt ", "x"})
		var fields []scan.Field
		if rapid.IntRange(0, 3).Draw(t, "named") > 0 {
			fields = append(fields, scan.Field{Name: "tool_name", Value: "files_read"})
		}
		for range rapid.IntRange(0, 4).Draw(t, "fields") {
			fields = append(fields, scan.Field{Name: keys.Draw(t, "key"), Value: values.Draw(t, "value")})
		}
		var got scan.Reading
		if !readPlain(fields, &got) {
			return
		}
		plain++
		if diff := cmp.Diff((&scanner{}).readBlock(fields, false), []scan.Reading{got}); diff != "" {
			t.Fatalf("%v (-readBlock +readPlain):\n%s", fields, diff)
		}
	})
	require.NotZero(t, plain)
}
