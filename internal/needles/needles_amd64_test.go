//go:build !purego

package needles

import (
	"testing"

	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
)

func TestVectorAgreesWithAnchors(t *testing.T) {
	if !HasVector {
		t.Skip("this processor has no AVX2")
	}
	// The pairs with \x are the last two bytes of 末, 始, ＜ and 《 in UTF-8.
	sets := []*Set{
		New("<<", "\x9c\xab", "\xa7\x8b", "\xbc\x9c", "\x80\x8a"), New("<t", "<T", "<r", "<R", "</"), New("``", "~~"),
	}
	alphabet := []byte("ab <&~`/tTrR\x9c\xab\xa7\x8b\xbc\x80\x8a...................")
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(sets).Draw(t, "set")
		b := rapid.SliceOfN(rapid.SampledFrom(alphabet), minVector, 600).Draw(t, "text")
		if vector, anchors := s.Index(b), s.indexAnchors(b); vector != anchors {
			t.Fatalf("Index(%q): %d by the vector unit, %d by anchors", b, vector, anchors)
		}
	})
}
