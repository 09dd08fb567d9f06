package hermes

import (
	"testing"

	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
)

// textRunSlow returns what textRun promises. It examines one byte at a time.
func textRunSlow(b []byte) int {
	i := 0
	for i < len(b) && b[i] >= 0x20 && b[i] != '"' {
		n := 1
		if b[i] == '\\' {
			n, _ = escapeLen(b[i:])
		}
		if n == 0 {
			break
		}
		i += n
	}
	return i
}

func TestTextRunEndsBeforeTheFirstSpecialByte(t *testing.T) {
	pieces := []string{"a", "n", "数", "func main", `\n`, `\t`, `\"`, `\\`, `\u00e9`, `\r`}
	ends := []string{"", `"`, `\`, `\u12`, `\x`, "\n", "\x1f", `\u12x`, "\\\n"}
	rapid.Check(t, func(t *rapid.T) {
		var b []byte
		for range rapid.IntRange(0, 60).Draw(t, "pieces") {
			b = append(b, rapid.SampledFrom(pieces).Draw(t, "piece")...)
		}
		for range rapid.IntRange(0, 3).Draw(t, "ends") {
			b = append(b, rapid.SampledFrom(ends).Draw(t, "end")...)
			b = append(b, rapid.StringN(-1, 60, 60).Draw(t, "rest")...)
		}
		if got, want := textRun(b), textRunSlow(b); got != want {
			t.Fatalf("textRun(%q) = %d, want %d", b, got, want)
		}
	})
}
