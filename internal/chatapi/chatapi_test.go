package chatapi_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/chatapi"
)

func TestRequestsAreReadInEachForm(t *testing.T) {
	for _, tt := range []struct{ name, stop, content, says string }{
		{"one stop text and content as text", `"x"`, `"hi"`, ""},
		{"a list of stop texts and content in parts", `["x"]`, `[{"type":"text","text":"h"},{"type":"image_url"},{"type":"text","text":"i"}]`, ""},
		{"a stop that is a number", `3`, `"hi"`, "stop is neither"},
		{"content that is a number", `"x"`, `3`, "content is neither"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var r chatapi.Request
			err := json.Unmarshal([]byte(`{"model":"m","messages":[{"role":"user","content":`+tt.content+`}],"stop":`+tt.stop+`}`), &r)
			if tt.says != "" {
				require.ErrorContains(t, err, tt.says)
				return
			}
			require.NoError(t, err)
			want := chatapi.Request{Model: "m", Stop: []string{"x"}, Messages: []chatapi.Message{{Role: "user", Content: "hi"}}}
			require.Equal(t, want, r)
		})
	}
	t.Run("null counts as absent", func(t *testing.T) {
		var r chatapi.Request
		require.NoError(t, json.Unmarshal([]byte(`{"messages":[{"role":"assistant","content":null}],"stop":null}`), &r))
		require.Equal(t, chatapi.Request{Messages: []chatapi.Message{{Role: "assistant"}}}, r)
	})
}

func TestWrittenCallsReadBack(t *testing.T) {
	want := chatapi.ToolCall{ID: "a", Name: "f", Arguments: `{"n":1}`}
	raw, err := json.Marshal(want.Piece(nil))
	require.NoError(t, err)
	var got chatapi.ToolCall
	require.NoError(t, json.Unmarshal(raw, &got))
	require.Equal(t, want, got)
}

func TestPiecesHaveTheGivenSizes(t *testing.T) {
	const text = "Hello, wörld. 你好，世界。" + "0123456789"
	pieces := chatapi.Pieces(text, 3, 5, 2)
	require.Equal(t, text, strings.Join(pieces, ""))
	for i, p := range pieces[:len(pieces)-1] {
		require.Equal(t, []int{3, 5, 2}[i%3], utf8.RuneCountInString(p))
	}
}
