package needles

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestTheLoopAndTheVectorUnitFindTheSame(t *testing.T) {
	if !useVector {
		t.Skip("this processor has no AVX2")
	}
	sets := []*Set{
		New("<&", "\x9c\xab", "\xa7\x8b", "\xbc\x9c", "\x80\x8a"), New("<\xab\x80"),
		New("", "<<", "\x9c\xab", "\xa7\x8b", "\xbc\x9c", "\x80\x8a"),
	}
	alphabet := []byte("ab <&\x9c\xab\xa7\x8b\xbc\x80\x8a...................")
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom(sets).Draw(t, "needles")
		b := rapid.SliceOfN(rapid.SampledFrom(alphabet), 0, 300).Draw(t, "text")
		vector := n.Index(b)
		useVector = false
		loop := n.Index(b)
		useVector = true
		if loop != vector {
			t.Fatalf("Index(%q): the loop finds %d, the vector unit %d", b, loop, vector)
		}
	})
}

func TestTheLoopAndTheVectorUnitListTheSame(t *testing.T) {
	if !useVector {
		t.Skip("this processor has no AVX2")
	}
	n := New("<\n")
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.SampledFrom([]byte("<\nab...")), 0, 300).Draw(t, "text")
		var vector, loop []int
		for _, use := range []bool{true, false} {
			useVector = use
			var all []int
			for at := 0; at < len(b); {
				var list [80]uint16
				count, read := n.List(list[:], b[at:])
				for _, i := range list[:count] {
					all = append(all, at+int(i))
				}
				at += read
			}
			if use {
				vector = all
			} else {
				loop = all
			}
		}
		useVector = true
		if !slices.Equal(vector, loop) {
			t.Fatalf("in %q the loop lists %v, the vector unit %v", b, loop, vector)
		}
	})
}
