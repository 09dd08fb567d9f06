package conversation

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
)

func TestStatsAreATableInEachLanguage(t *testing.T) {
	require.Equal(t, `tool calls          8           in 5 replies
success rate        50 %        4 of 8 calls; 2 timeout, 1 invalid_arguments, 1 malformed_request
argument accuracy   86 %        6 of 7 calls of a known method
unknown names       0 %         0 of 7 calls that could be read
invented arguments  3
self-correction     50 %        1 of 2 mistakes corrected in the next reply
results             900 tokens  estimated; 3000 of 100000 bytes, 1 excerpted, 2 summarized
repairs             3           2 marker_case, 1 missing_end
`, phrasesIn("en").statsText(engine.Stats{
		Replies: 5, Calls: 8, Succeeded: 4, Malformed: 1,
		Errors:  map[string]int{"malformed_request": 1, "timeout": 2, "invalid_arguments": 1},
		Checked: 7, ValidArguments: 6, InventedArguments: 3, Mistakes: 2, Corrected: 1,
		RawBytes: 100_000, Bytes: 3000, Tokens: 900, Excerpted: 1, Summarized: 2,
		Repairs: map[string]int{"missing_end": 1, "marker_case": 2},
	}))
	require.Equal(t, `tool calls          0         in one reply
success rate        -         0 of 0 calls
argument accuracy   -         0 of 0 calls of a known method
unknown names       -         0 of 0 calls that could be read
invented arguments  0
self-correction     -         0 of 0 mistakes corrected in the next reply
results             0 tokens  estimated; 0 of 0 bytes, 0 excerpted, 0 summarized
repairs             0
`, phrasesIn("en").statsText(engine.Stats{Replies: 1}))
	require.Equal(t, `工具调用    2           共 3 条回复
成功率      50 %        2 次调用中 1 次成功；1 timeout
参数正确率  100 %       方法已知的 2 次调用中 2 次正确
未知名称    0 %         可读取的 2 次调用中 0 次
编造的参数  0
自我纠正    -           0 个错误中有 0 个在下一条回复中纠正
结果        7 个 token  估计值；20 字节中的 10 字节，0 个为节选，0 个为摘要
修复        0
`, phrasesIn("zh").statsText(engine.Stats{
		Replies: 3, Calls: 2, Succeeded: 1, Errors: map[string]int{"timeout": 1},
		Checked: 2, ValidArguments: 2, RawBytes: 20, Bytes: 10, Tokens: 7,
	}))
}
