package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/tool/schema"
)

// accepts reports whether a schema accepts a value, in JSON, for its argument v.
func accepts(s *schema.Schema, value string) bool {
	_, _, err := s.Object([]schema.Text{{Name: "v", Value: value, JSON: true}})
	return err == nil
}

func TestECMAScriptPatternsAreTranslated(t *testing.T) {
	for _, test := range []struct {
		name, pattern string
		takes         []string
		refuses       []string
	}{
		{"escapes of four digits", `^[\u4e00-\u9fa5]+$`, []string{"北京"}, []string{"Beijing"}},
		{"escapes in braces", `^\u{1F600}$`, []string{"😀"}, []string{"x"}},
		{"a surrogate pair", `^\uD83D\uDE00$`, []string{"😀"}, []string{"x"}},
		{"an escaped backslash before u", `^\\u4e00$`, []string{`\u4e00`}, []string{"一"}},
		{"scripts", `^\p{Script=Han}+$`, []string{"北京"}, []string{"x"}},
		{"control characters", `^\cJ\0$`, []string{"\n\x00"}, []string{"x"}},
		{"slashes", `^a\/b$`, []string{"a/b"}, []string{"ab"}},
		{"named groups", `^(?<year>\d{4})$`, []string{"2024"}, []string{"x"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			pattern, err := json.Marshal(test.pattern)
			require.NoError(t, err)
			s := schematest.One(t, `{"type":"string","pattern":`+string(pattern)+`}`)
			assert.Empty(t, s.Unchecked())
			for _, text := range test.takes {
				value, _ := json.Marshal(text)
				assert.True(t, accepts(s, string(value)), text)
			}
			for _, text := range test.refuses {
				value, _ := json.Marshal(text)
				assert.False(t, accepts(s, string(value)), text)
			}
		})
	}
}

func TestUncompiledPatternsAreNotChecked(t *testing.T) {
	const zodEmail = `^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$`
	const noLookahead = "cannot be compiled (error parsing regexp: invalid or unsupported Perl syntax: `(?=`)"
	for _, test := range []struct{ name, schema, value, refused, want string }{
		{
			"a lookahead", `{"type":"string","pattern":"` + zodEmail + `"}`, `"a@b.cd"`, `5`,
			`pattern at #/properties/v is not checked: "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\…" (96 bytes) ` +
				strings.Replace(noLookahead, "?=", "?!", 1),
		},
		{
			"a long repetition", `{"type":"string","minLength":2,"pattern":"^[a-z]{1,2048}$"}`, `"ab"`, `"a"`,
			`pattern at #/properties/v is not checked: "^[a-z]{1,2048}$" cannot be compiled ` +
				"(error parsing regexp: invalid repeat count: `{1,2048}`)",
		},
		{
			"half of a surrogate pair", `{"type":"string","pattern":"[\\uD800-\\uDBFF]"}`, `"😀"`, `5`,
			`pattern at #/properties/v is not checked: "[\\uD800-\\uDBFF]" cannot be compiled (it contains half of a surrogate pair)`,
		},
		{
			"a pattern that is not valid", `{"type":"string","pattern":"["}`, `"x"`, `5`,
			`pattern at #/properties/v is not checked: "[" cannot be compiled (error parsing regexp: missing closing ]: ` + "`[`" + `)`,
		},
		{
			"a pattern below the keyword not", `{"type":"string","not":{"pattern":"(?=x)"}}`, `"a"`, `5`,
			`pattern at #/properties/v/not is not checked: "(?=x)" ` + noLookahead,
		},
		{
			"a pattern below the keyword if", `{"type":"string","if":{"pattern":"(?=x)"},"then":{"minLength":9}}`, `"a"`, `5`,
			`pattern at #/properties/v/if is not checked: "(?=x)" ` + noLookahead,
		},
		{
			"a pattern in one of several alternatives",
			`{"oneOf":[{"type":"string","pattern":"(?=x)"},{"type":"string","maxLength":1},{"type":"null"}]}`, `"a"`,
			`5`,
			`pattern at #/properties/v/oneOf/0 is not checked: "(?=x)" ` + noLookahead,
		},
		{
			"a pattern for names of members",
			`{"type":"object","properties":{"n":{"type":"integer"}},"patternProperties":{"(?=x)":{"type":"integer"}},"additionalProperties":false}`,
			`{"n":1,"y":"z"}`, `{"n":"z"}`,
			`patternProperties at #/properties/v is not checked: "(?=x)" ` + noLookahead,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := schematest.One(t, test.schema)
			assert.Equal(t, []string{test.want}, s.Unchecked())
			assert.True(t, accepts(s, test.value))
			assert.False(t, accepts(s, test.refused))
		})
	}
	// A pattern in a Go type can be corrected, so For refuses it.
	type in struct {
		V string `json:"v" pattern:"(?=x)"`
	}
	_, err := schema.For[in]()
	require.ErrorContains(t, err, `pattern at #/properties/v is not checked: "(?=x)" cannot be compiled`)
}

func TestRegexFormatAcceptsSyntaxThatGoLacks(t *testing.T) {
	s := schematest.One(t, `{"type":"string","format":"regex"}`)
	for value, want := range map[string]bool{`"^a+$"`: true, `"(?=a)"`: true, `"a{1,2048}"`: true, `"("`: false, `"[a"`: false, `"*"`: false} {
		assert.Equal(t, want, accepts(s, value), value)
	}
}
