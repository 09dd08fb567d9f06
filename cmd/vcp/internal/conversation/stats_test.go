package conversation

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
)

func TestStatsText(t *testing.T) {
	require.Equal(t, `tool calls          8           in 5 replies
success rate        50 %        4 of 8 calls; 2 timeout, 1 invalid_arguments, 1 malformed_request
argument accuracy   86 %        6 of 7 calls of a known method
unknown names       0 %         0 of 7 calls that could be read
invented arguments  3
self-correction     50 %        1 of 2 mistakes corrected in the next reply
results             900 tokens  estimated; 3000 of 100000 bytes, 1 truncated, 2 summarized
repairs             3           2 marker_case, 1 missing_end
`, statsText(engine.Stats{
		Replies: 5, Calls: 8, Succeeded: 4, Errors: map[string]int{"malformed_request": 1, "timeout": 2, "invalid_arguments": 1},
		Malformed: 1, Checked: 7, ValidArguments: 6, InventedArguments: 3, Mistakes: 2, Corrected: 1,
		RawBytes: 100_000, Bytes: 3000, Tokens: 900, Excerpted: 1, Summarized: 2, Repairs: map[string]int{"missing_end": 1, "marker_case": 2},
	}))
	require.Equal(t, `tool calls          0         in 1 reply
success rate        -         0 of 0 calls
argument accuracy   -         0 of 0 calls of a known method
unknown names       -         0 of 0 calls that could be read
invented arguments  0
self-correction     -         0 of 0 mistakes corrected in the next reply
results             0 tokens  estimated; 0 of 0 bytes, 0 truncated, 0 summarized
repairs             0
`, statsText(engine.Stats{Replies: 1}))
}
