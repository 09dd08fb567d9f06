package model

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
)

// A law is a property that rapid checks with generated inputs.
func TestLawWholeJSONIsRecognizedInPieces(t *testing.T) {
	part := rapid.SampledFrom([]string{
		"{", "}", "[", "]", `"`, `\`, `\"`, `"a"`, `"a":`, ":", ",", "1", "true", " ",
		"\n", "{}", "[]", "é", "\xff",
	})
	rapid.Check(t, func(rt *rapid.T) {
		var j jsonText
		text := ""
		for _, piece := range rapid.SliceOfN(part, 0, 16).Draw(rt, "pieces") {
			text += piece
			j.add(piece)
			require.Equal(t, json.Valid([]byte(text)), j.whole(), "%q", text)
		}
	})
}
