package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// withoutOverlap returns what remains of a continuation that comes in pieces.
func withoutOverlap(o overlap, pieces ...string) string {
	var b strings.Builder
	for _, piece := range pieces {
		b.WriteString(o.skipRepeated(piece))
	}
	b.WriteString(o.end())
	return b.String()
}

func TestTheOverlapDoesNotDependOnThePieces(t *testing.T) {
	part := rapid.SampledFrom([]string{"a", "a\n", "b", "ab\n", " ", "\n", "\r\n", `"`, "a\na\n"})
	rapid.Check(t, func(rt *rapid.T) {
		written := strings.Join(rapid.SliceOfN(part, 0, 8).Draw(rt, "written"), "")
		start := rapid.IntRange(0, len(written)).Draw(rt, "start")
		pieces := rapid.SliceOfN(part, 0, 8).Draw(rt, "pieces")
		text := strings.Join(pieces, "")
		whole := withoutOverlap(newOverlap(written, start, ", "), text)
		require.Equal(t, whole, withoutOverlap(newOverlap(written, start, ", "), pieces...), "%q after %q", pieces,
			written)

		// The overlap skips the longest beginning of the text that repeats the end of written.
		want := text
		bare := strings.TrimLeft(text, blanks)
		repeats := false
		for _, ending := range newOverlap(written, start, "").endings {
			if repeats = strings.HasPrefix(bare, ending); repeats {
				want = bare[len(ending):]
				break
			}
			if bare != "" && strings.HasPrefix(ending, bare) { // the whole text is the beginning of a repetition
				break
			}
		}
		if !repeats && strings.HasPrefix(bare, `"`) {
			want = ", " + want
		}
		require.Equal(t, want, whole, "%q after %q", text, written)
	})
}
