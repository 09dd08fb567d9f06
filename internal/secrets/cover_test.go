package secrets_test

import (
	"encoding/json"
	"html"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/internal/secrets"
)

func cover(text string, values ...string) string {
	secrets.Cover(values, &text)
	return text
}

func TestCoverMasksSecrets(t *testing.T) {
	for _, test := range []struct {
		name, text string
		values     []string
		want       string
	}{
		{"a text without a secret stays", "nothing to hide", []string{"secret-value"}, "nothing to hide"},
		{"a secret", "got secret-value here", []string{"secret-value"}, "got [secret] here"},
		{"two secrets that touch get one mask", "aaaabbbb", []string{"aaaa", "bbbb"}, "[secret]"},
		{
			"two secrets that overlap get one mask", "x abcdefghijkl y",
			[]string{"abcdefghij", "cdefghijkl"},
			"x [secret] y",
		},
		{"the first 8 bytes of a secret", "secret-v…", []string{"secret-value"}, "[secret]…"},
		{"8 bytes in the middle of a secret", "…ret-valu…", []string{"secret-value"}, "…[secret]…"},
		{"7 bytes of a secret stay", "secret-", []string{"secret-value"}, "secret-"},
		{"a secret of 4 bytes", "the pin 1234", []string{"1234"}, "the pin [secret]"},
		{"a secret of 3 bytes stays", "the pin 123", []string{"123"}, "the pin 123"},
		{"no values", "text", nil, "text"},
		{"an empty text", "", []string{"secret-value"}, ""},
		{"a value that is written with escapes", `line one\nline two`, []string{"line one\nline two"}, "[secret]"},
		{"a value that contains escapes", "line one\nline two", []string{`line one\nline two`}, "[secret]"},
		{"blanks of a URL", "q=secret+of+mine", []string{"secret of mine"}, "q=[secret]"},
		{
			"an escape for the end of a secret is masked whole", `\u0073ecret-valu\u0065.`,
			[]string{"secret-value"},
			"[secret].",
		},
		{"a character is masked whole", "x 乭是码字 y", []string{"中是码字"}, "x [secret] y"},
		{
			"bytes that are no characters stay", "\x80\x81\x82\x83\x90\x90\x80\x81\x82\x83",
			[]string{"\x80\x81\x82\x83"},
			"[secret]\x90\x90[secret]",
		},
		{"half of a pair of surrogates", `x \ud83d y`, []string{"secret-value"}, `x \ud83d y`},
		{"a pair of surrogates", `key-\ud83d\ude00-end.`, []string{"key-😀-end"}, "[secret]."},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, cover(test.text, test.values...)) })
	}
	t.Run("each text is covered by all values", func(t *testing.T) {
		first, none, second := "first-secret", "none", "second-secret"
		secrets.Cover([]string{"second-secret", "first-secret"}, &first, &none, &second)
		assert.Equal(t, []string{"[secret]", "none", "[secret]"}, []string{first, none, second})
	})
}

// escapes are the spellings that Cover promises to find. They may be nested in any order.
var escapes = map[string]func(string) string{
	"JSON": func(s string) string {
		quoted, _ := json.Marshal(s) // a string always encodes
		return string(quoted[1 : len(quoted)-1])
	},
	"Go":           func(s string) string { quoted := strconv.Quote(s); return quoted[1 : len(quoted)-1] },
	"Go in ASCII":  func(s string) string { quoted := strconv.QuoteToASCII(s); return quoted[1 : len(quoted)-1] },
	"HTML":         html.EscapeString,
	"URL":          url.QueryEscape,
	"path of URLs": url.PathEscape,
	"as it is":     func(s string) string { return s },
}

// A law is a property that rapid checks with generated inputs.
func TestLawCoverFindsEscapedSecrets(t *testing.T) {
	secret := rapid.StringOfN(rapid.RuneFrom([]rune("abcXYZ019-_.~/=\"'<>&:;#?@ é词😀\n\t")), 4, 40, -1)
	layer := rapid.SampledFrom([]string{"JSON", "Go", "Go in ASCII", "HTML", "URL", "path of URLs", "as it is"})
	rapid.Check(t, func(t *rapid.T) {
		// Without the letters, the backslash before an escaped quotation mark at an end would stay.
		value := "k" + secret.Draw(t, "secret") + "y"
		layers := rapid.SliceOfN(layer, 0, 3).Draw(t, "layers")
		written := value
		for _, name := range layers {
			written = escapes[name](written)
		}
		before, after := "{before} ", " {after}"
		if got := cover(before+written+after, value); got != before+secrets.Mask+after {
			t.Fatalf("%q as %q is shown as %q", value, written, got)
		}
	})
}

func TestLawOtherTextIsUnchanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("abc019 \\\"%&+;u<>\né"))).Draw(t, "text")
		if got := cover(text, "QQQQ", "ZZZZZZZZZZZZ"); got != text {
			t.Fatalf("%q is shown as %q", text, got)
		}
	})
}

// If the work grew with the product of the sizes of text and values, this would take hours.
func TestCoverIsLinear(t *testing.T) {
	const size = 1 << 19
	text := strings.Repeat("abcdefg ", size/8)
	values := []string{strings.Repeat("abcdefgh", size/8), strings.Repeat(`\u0061`, size/6)}
	assert.Equal(t, text, cover(text, values...))
}
