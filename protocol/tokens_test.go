package protocol_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/protocol"
)

func TestTokensAreEstimatedByCharacters(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       int
	}{
		{"an empty text has no tokens", "", 0},
		{"a part of a token and a part of the margin are rounded up", "a", 2},                              // 1 × 1.15
		{"four ASCII characters are one token", strings.Repeat("abcd", 100), 115},                          // 100 × 1.15
		{"a fifth character begins another token", strings.Repeat("abcd", 100) + "e", 117},                 // 101 × 1.15 = 116.15
		{"other characters are one each, whatever their bytes", "é中🙂", 4},                                  // 3 × 1.15 = 3.45
		{"ASCII and other characters are added", strings.Repeat("abcd", 10) + strings.Repeat("中", 10), 23}, // 20 × 1.15
		{"ASCII is counted over the whole text, not a run at a time", "a中a中a中a中", 6},                       // (1 + 4) × 1.15 = 5.75
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := protocol.EstimateTokens(tt.text); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

// A text has at most as many tokens as its two parts together, and at least as many as each part.
// Truncation to a limit of tokens relies on this.
func TestAWholeHasAtMostTheTokensOfItsParts(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		a, b := rapid.String().Draw(rt, "a"), rapid.String().Draw(rt, "b")
		x, y, whole := protocol.EstimateTokens(a), protocol.EstimateTokens(b), protocol.EstimateTokens(a+b)
		if whole > x+y || whole < max(x, y) {
			rt.Fatalf("%q has %d tokens, %q has %d, and both together have %d", a, x, b, y, whole)
		}
	})
}
