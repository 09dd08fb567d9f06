package workload

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestRepliesHaveTheirSizeAndCalls(t *testing.T) {
	want := map[string]struct{ size, calls int }{
		"W1": {2560, 1}, "W2": {72 * kb, 8}, "W3": {mb, 0}, "W4": {mb, 1}, "W8": {72 * kb, 8},
		"W9": {256 * kb, 1}, "W9half": {128 * kb, 1},
	}
	for _, form := range []struct {
		name  string
		call  callForm
		begin string
	}{{"vcp", vcpCall, start}, {"hermes", hermesCall, "<tool_call>"}} {
		for _, in := range replies(form.call) {
			t.Run(form.name+"/"+in.Name, func(t *testing.T) {
				w := want[in.Name]
				if n := len(in.Text); n < w.size*9/10 || n > w.size*12/10 {
					t.Errorf("%d bytes, want about %d", n, w.size)
				}
				if n := strings.Count(in.Text, form.begin); n != w.calls {
					t.Errorf("%d calls, want %d", n, w.calls)
				}
				if !utf8.ValidString(in.Text) {
					t.Error("the reply is not valid UTF-8")
				}
			})
		}
	}
}

func TestPiecesAreTheWholeText(t *testing.T) {
	text := Prose(kb)
	var joined strings.Builder
	for _, piece := range Pieces(text, 4) {
		if n := utf8.RuneCount(piece); n > 4 {
			t.Errorf("a piece has %d characters, want at most 4", n)
		}
		joined.Write(piece)
	}
	if joined.String() != text {
		t.Error("the joined pieces differ from the text")
	}
}
