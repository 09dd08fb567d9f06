package text_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/internal/text"
)

func TestTruncateBytesKeepsWholeCharacters(t *testing.T) {
	for _, test := range []struct {
		name, text string
		limit      int
		want       string
	}{
		{"a short text stays", "abc", 3, "abc"},
		{"a long text ends with an ellipsis", "abcd", 3, "abc…"},
		{"characters stay whole", "a世b", 3, "a…"},
		{"no character fits", "世", 2, "…"},
		{"a limit below zero is zero", "abc", -1, "…"},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, text.TruncateBytes(test.text, test.limit)) })
	}
}

func TestTruncateRunesCountsCharacters(t *testing.T) {
	for _, test := range []struct {
		name, text string
		limit      int
		want       string
	}{
		{"a short text stays", "世界", 2, "世界"},
		{"a long text ends with an ellipsis", "世界人", 2, "世界…"},
		{"nothing is left", "世界", 0, "…"},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, text.TruncateRunes(test.text, test.limit)) })
	}
}

// A law is a property that rapid checks with generated inputs.
func TestLawTruncatedTextsKeepTheirLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, limit := rapid.String().Draw(t, "text"), rapid.IntRange(0, 40).Draw(t, "limit")
		bytes := text.TruncateBytes(s, limit)
		assert.True(t, utf8.ValidString(bytes))
		assert.LessOrEqual(t, len(strings.TrimSuffix(bytes, text.Ellipsis)), limit)
		prefix := text.Prefix(s, limit)
		assert.True(t, strings.HasPrefix(s, prefix))
		assert.Equal(t, prefix, string(text.WholeRunes([]byte(s[:min(limit, len(s))]))))
		runes := text.TruncateRunes(s, limit)
		assert.LessOrEqual(t, utf8.RuneCountInString(runes), limit+1)
		if utf8.RuneCountInString(s) <= limit {
			assert.Equal(t, s, runes)
		} else {
			assert.True(t, strings.HasSuffix(runes, text.Ellipsis))
		}
	})
}

func TestOneLineReplacesWhiteSpace(t *testing.T) {
	assert.Equal(t, "a b c", text.OneLine(" a\n\tb\r\n c\u00a0"))
}

func TestValidReplacesWhatIsNotUTF8(t *testing.T) {
	assert.Equal(t, "a\uFFFDb", text.Valid("a\xff\xfeb"))
	assert.Equal(t, "世", text.Valid("世"))
}
