package redact_test

import (
	"flag"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/internal/longtest"
	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/internal/redact"
	"github.com/vcpgo/vcp/internal/redact/redacttest"
	"github.com/vcpgo/vcp/internal/text"
)

const key = "sk-proj-A1b2C3d4E5f6G7h8_I9j0K+L/M=n"

func TestEachSpellingOfASecretIsMasked(t *testing.T) {
	for _, secret := range []string{
		key, "0123456789abcdef", "p>w?/+\"<&'\\~~%41=61&#65;\\u0041", "Tr0ub4dor&3",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.AbC-d_E", "geheimes wört mit 词", "a&%41&%41&%41&%41&", "&%41<%42>%43",
		"k&#65;b\\u0041&c&lt;de&=41f<",
	} {
		for _, s := range redacttest.Spellings {
			if s.Long && letters(secret) < 16 {
				continue
			}
			t.Run(s.Name+" of "+secret, func(t *testing.T) {
				written := "bad key: " + s.Write(secret) + ", try again"
				r := redact.New(secret)
				for _, shown := range []string{r.Line(written, 4000), r.Text(written, 4000)} {
					require.Empty(t, redacttest.Leak(shown, secret), "%q is shown as %q", written, shown)
					require.Contains(t, shown, redact.Mask)
					require.True(t, strings.HasPrefix(shown, "bad key: ") && strings.HasSuffix(shown, "try again"), shown)
				}
			})
		}
	}
}

func TestLineMasksAndShortens(t *testing.T) {
	long := strings.Repeat("x", 50) + "末"
	for _, tt := range []struct {
		name    string
		secrets []string
		text    string
		limit   int // in bytes
		want    string
	}{
		{
			"text without a secret is unchanged",
			[]string{key},
			"model not found: gpt-9 (sk-proj)", 100,
			"model not found: gpt-9 (sk-proj)",
		},
		{"lines are joined", nil, " a\r\n\tb\u2028c\u3000d ", 100, "a b c d"},
		{
			"invisible characters are removed", nil, "a\x00b\x1b[2Jc\u200bd\u202ee\ufefff\U000E0041g\ufe0f", 100,
			"ab[2Jcdefg",
		},
		{"bytes that are not UTF-8 are replaced", nil, "a\xff\xfeb", 100, "a\uFFFDb"},
		{"a long text is shortened", nil, "abcdef", 4, "abcd…"},
		{"a text is shortened between characters", nil, long, 52, long[:50] + "…"},
		{"a limit of 0", nil, "abc", 0, "…"},
		{"a secret is masked before a text is shortened", []string{"0123456789"}, "x0123456789", 6, "x[secr…"},
		{"eight bytes of a secret's beginning are masked", []string{"0123456789"}, "01234567****", 100, "[secret]****"},
		{"eight bytes of a secret's middle are masked", []string{"0123456789ab"}, "**23456789**", 100, "**[secret]**"},
		{"seven bytes of a secret are not masked", []string{"0123456789ab"}, "0123456…6789ab", 100, "0123456…6789ab"},
		{"a short secret is masked only as a whole", []string{"1234567"}, "1234567 123456", 100, "[secret] 123456"},
		{"a short secret is not searched for in decoded text", []string{"abcd"}, "YWJjZA==", 100, "YWJjZA=="},
		{"a secret of 3 bytes is ignored", []string{"abc"}, "abc", 100, "abc"},
		{
			"several secrets",
			[]string{"secret-one", "secret-two"},
			"secret-one,secret-two and SECRET-TWO", 100,
			"[secret],[secret] and [secret]",
		},
		{"a part that begins with a blank", []string{"aaa词 aaabbbb"}, "x aaabbbb", 100, "x [secret]"},
		{"overlapping secrets", []string{"0123456789", "9012345678901"}, "x9012345678901x", 100, "x[secret]x"},
		{
			"a short name is not masked without its hyphen",
			[]string{"lm-studio"},
			"LM Studio: not lm-studio", 100,
			"LM Studio: not [secret]",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, redact.New(tt.secrets...).Line(tt.text, tt.limit))
		})
	}
	t.Run("a nil Redactor knows no secrets", func(t *testing.T) {
		require.Equal(t, "a b", (*redact.Redactor)(nil).Line("a\nb", 10))
	})
}

// No part of a secret is shown, in any spelling, within any text, wherever the text is truncated.
// (A law is a property that rapid checks with generated inputs.)
func TestLawNoPartOfASecretIsShown(t *testing.T) {
	plain := rapid.RuneFrom([]rune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"))
	others := rapid.RuneFrom([]rune("abcXYZ019-_.~/+=%&\\\"'<>:;#?@ é词"))
	lookLikeEscapes := rapid.SampledFrom([]string{"&", "<", "a", "%41", "=61", "&#65;", "&lt;", "\\u0041"})
	secrets := rapid.OneOf(
		rapid.StringOfN(plain, 16, 60, -1),
		rapid.Map(rapid.StringOfN(plain, 16, 40, -1), func(s string) string { return "sk-" + s[:8] + "_" + s[8:] }),
		rapid.StringOfN(others, 8, 60, -1),
		rapid.Map(rapid.SliceOfN(lookLikeEscapes, 4, 20),
			func(parts []string) string { return strings.Join(parts, "") }),
	).Filter(func(s string) bool {
		for i := range len(s) - 8 + 1 {
			// In base64 a part of 8 bytes is found only if 6 of them are not white space. Secrets
			// with other parts are not drawn.
			if len(strings.Join(strings.Fields(s[i:i+8]), "")) < 6 {
				return false
			}
		}
		// A secret that is mostly its first character may occur in the noise.
		return s == strings.TrimSpace(s) && strings.Count(s, s[:1]) < len(s)/2
	})
	noise := rapid.OneOf(rapid.String(), rapid.StringOf(others),
		rapid.SampledFrom([]string{"error: ", "key=", `{"message":"`, "&amp;", "%25", "\\", "=", "Basic "}))
	for i := range longtest.Count(10, 200) {
		// The seed is fixed, so that each run makes the same draws and a failure repeats.
		require.NoError(t, flag.Set("rapid.seed", strconv.Itoa(i+1)))
		rapid.Check(t, func(t *rapid.T) {
			secret := secrets.Draw(t, "secret")
			s := rapid.SampledFrom(redacttest.Spellings).Draw(t, "spelling")
			if s.Long && (letters(secret) < 16 || letters(secret) < len(secret)) {
				t.Skip("this spelling is recognized only for 16 letters and digits or more, without other characters")
			}
			written := noise.Draw(t, "before") + s.Write(secret) + noise.Draw(t, "after")
			written = written[rapid.IntRange(0, len(written)/2).Draw(t, "from"):]
			written = written[:rapid.IntRange(len(written)/2, len(written)).Draw(t, "to")]
			limit := rapid.IntRange(0, 300).Draw(t, "limit")
			shown := redact.New(secret, "another-secret").Line(written, limit)
			if leak := redacttest.Leak(shown, secret); leak != "" {
				t.Fatalf("%q of the secret %q is shown in %q, from the text %q", leak, secret, shown, written)
			}
			breaks := func(c rune) bool { return c != ' ' && (unicode.IsSpace(c) || unicode.IsControl(c)) }
			if len(shown) > limit+len("…") || !utf8.ValidString(shown) || strings.ContainsFunc(shown, breaks) {
				t.Fatalf("not a short line: %q", shown)
			}
		})
	}
}

// letters counts the letters and digits of a secret.
func letters(secret string) (n int) {
	for _, c := range secret {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			n++
		}
	}
	return n
}

// No hidden character is shown. A secret with hidden characters between its characters is masked.
func TestLawHiddenCharactersHideNoSecret(t *testing.T) {
	const secret = "0123456789abcdef"
	r := redact.New(secret)
	var between []rune // hidden characters, one after each character of the secret
	for c := range unicode.MaxRune + 1 {
		isSample := c < 0x20000 || c>>12 == 0xe0 || c%101 == 0 // the rest is visible, unassigned or private
		if !isSample || !utf8.ValidRune(c) || !text.Hidden(c) {
			continue
		}
		want := "ab"
		if unicode.IsSpace(c) {
			want = "a b"
		}
		if shown := r.Line("a"+string(c)+"b", 100); shown != want {
			t.Fatalf("%U is shown: %q", c, shown)
		}
		if between = append(between, c); len(between) < len(secret) {
			continue
		}
		var b strings.Builder
		for i, hidden := range between {
			b.WriteByte(secret[i])
			b.WriteRune(hidden)
		}
		if shown := strings.TrimSpace(r.Line(b.String(), 100)); shown != redact.Mask {
			t.Fatalf("the secret with %U is shown as %q", between, shown)
		}
		between = between[:0]
	}
}

// Text without a secret is shown unchanged, even if it looks like an encoded secret.
func TestLawOtherTextIsUnchanged(t *testing.T) {
	r := redact.New(key, "another-secret-0815", "hunter2")
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.OneOf(rapid.StringMatching(`[a-zA-Z0-9+/=_%&#;.-]{1,40}`),
			rapid.SampledFrom([]string{"sk-pro", "anoth", "&#115;", "%73"})), 0, 60).Draw(t, "words")
		s := strings.Join(words, " ")
		if got := r.Line(s, 8000); got != s {
			t.Fatalf("%q is shown as %q", s, got)
		}
	})
}

func FuzzLine(f *testing.F) {
	r := redact.New(key, "hunter2", "geheimes wört")
	for _, s := range redacttest.Spellings {
		f.Add(s.Write(key), 100)
	}
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit = max(0, min(limit, 1000))
		shown := r.Line(text, limit)
		if len(shown) > limit+len("…") || !utf8.ValidString(shown) {
			t.Fatalf("%q is shown as %q", text, shown)
		}
		for i := range len(key) - 8 + 1 {
			if strings.Contains(shown, key[i:i+8]) {
				t.Fatalf("%q is shown as %q", text, shown)
			}
		}
	})
}

// BenchmarkLine shows that the work on a hostile text is limited: Line examines only its beginning.
func BenchmarkLine(b *testing.B) {
	r := redact.New(key)
	for name, text := range map[string]string{
		"a sentence":            "The model gpt-9 does not exist or you do not have access to it.",
		"a list of numbers":     strings.Repeat("115,", 1<<16),
		"escapes within others": strings.Repeat("%2525%3D\\u0026#38;", 1<<14),
		"escapes of all kinds":  strings.Repeat("%253D&amp;#37;\\\\u0026=3D", 1<<14),
		"letters":               strings.Repeat("QUJD", 1<<16),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r.Line(text, 400)
			}
		})
	}
}
