package text_test

import (
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/text"
)

func TestEachHiddenCharacterIsEscapedAndRemoved(t *testing.T) {
	for r := range unicode.MaxRune + 1 {
		if r >= 0xd800 && r <= 0xdfff {
			continue // a surrogate, which is no character
		}
		s := "a" + string(r) + "b"
		escaped, removed := text.EscapeHidden(s, ""), text.RemoveHidden(s)
		if !text.Hidden(r) {
			require.Equal(t, []string{s, s}, []string{escaped, removed}, "%U", r)
			continue
		}
		require.Equal(t, "a"+text.Escape(r)+"b", escaped, "%U", r)
		require.Equal(t, s, text.EscapeHidden(s, string(r)), "%U", r)
		want := "ab"
		switch {
		case r == '\n', r == '\t':
			want = s
		case r != '\r' && unicode.IsSpace(r):
			want = "a b"
		}
		require.Equal(t, want, removed, "%U", r)
	}
}

func TestOnlyInvisibleAndReorderingCharactersAreHidden(t *testing.T) {
	for _, r := range []rune{
		0x34f, 0x115f, 0x180b, 0x200b, 0x200c, 0x200d, 0x202e, 0x2066, 0x2800, 0x3164, 0xfe0f, 0xfeff,
		0xe000, 0x13441, 0x13442, 0x16fe4, 0xe0041, 0xe0100, 0xa0, 0x2003, 0x3000, 0x2028, '\n', 0x7,
	} {
		assert.True(t, text.Hidden(r), "%U", r)
	}
	for _, r := range " a世é\u0301❤👨\u0645" {
		assert.False(t, text.Hidden(r), "%U", r)
	}
}

func TestTextsWithoutJoinersAreLegible(t *testing.T) {
	assert.Equal(t, "❤ 👨👩👧", text.RemoveHidden("❤\ufe0f 👨\u200d👩\u200d👧"))
	assert.Equal(t, "میخواهم", text.RemoveHidden("می\u200cخواهم"))
	assert.Equal(t, "标题 正文", text.RemoveHidden("标题\u3000正文"))
}
