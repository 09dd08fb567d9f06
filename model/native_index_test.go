package model

import "testing"

// Each index of a native call takes memory, even in a piece without a name and arguments.
func TestIndexesOfNativeCallsAreLimited(t *testing.T) {
	n := nativeCalls{fullName: func(name string) string { return name }}
	for index := 0; ; index++ {
		if _, err := n.add(&callPiece{Index: &index, ID: "a"}); err != nil {
			return
		}
		if len(n.calls) != 1 || len(n.byIndex) > maxCallBytes/indexBytes {
			t.Fatalf("%d calls with %d indexes are accepted", len(n.calls), len(n.byIndex))
		}
	}
}
