package terminal

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// TestVisibleEscapesInvisibleCharacters compares Visible with Unicode's lists.
func TestVisibleEscapesInvisibleCharacters(t *testing.T) {
	unseen := func(r rune) bool {
		return r != ' ' && unicode.In(r, unicode.C, unicode.Z, unicode.Bidi_Control,
			unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
	}
	for r := range unicode.MaxRune + 1 {
		if (r >= 0x20000 && r < 0xe0000 || r >= 0xf0000) && r%101 != 0 {
			continue // a sample of the ideographs, and of unassigned and private characters
		}
		// These characters are blank, but belong to none of Unicode's lists above.
		if !utf8.ValidRune(r) || !unseen(r) && !slices.Contains([]rune{0x2800, 0x13441, 0x13442, 0x16fe4, 0x1d159}, r) {
			continue
		}
		// Escapes consist of these characters.
		if shown := Visible(string(r)); strings.TrimLeft(shown, `\Uabcdefnrtuvx0123456789`) != "" {
			t.Fatalf("%U is shown as %q", r, shown)
		}
	}
	const visible = "é e\u0301 中文 ❤ <|>"
	require.Equal(t, visible, Visible(visible))
}

func TestOneLineHasNoBreaksAndNoControls(t *testing.T) {
	require.Equal(t, "a b c d]0;efg ❤\ufe0f", OneLine(" a\tb\r\nc\u2028d\x1b]0;e\u009b\u202ef\u2069g ❤\ufe0f\n"))
}
