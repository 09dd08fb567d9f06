package schema_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/tool/schema"
)

// TestNullMeansThatAnArgumentIsAbsent checks when null means that an optional argument or member is
// absent.
func TestNullMeansThatAnArgumentIsAbsent(t *testing.T) {
	const withDefault = `{"type":"integer","default":5}`
	for _, test := range []struct {
		name, form string
		arg        schema.Text
		want       string // "" means that the argument is refused
		repairs    string
	}{
		{"null in JSON for a string", `{"type":"string"}`, schema.Text{Value: "null", JSON: true}, `{}`, "null_absent"},
		{"null in JSON for a listed value", `{"enum":["a","b"]}`, schema.Text{Value: " null ", JSON: true}, `{}`, "null_absent"},
		{"the word null for an integer", `{"type":"integer"}`, schema.Text{Value: "null"}, `{}`, "null_absent"},
		{"Python's None for a list", ofNumbers, schema.Text{Value: "None"}, `{}`, "null_absent"},
		{"the word null for an argument with a default", withDefault, schema.Text{Value: "null"}, `{"v":5}`, "null_absent"},
		{"the word null for a string whose default is null", `{"type":"string","default":null}`, schema.Text{Value: "null"}, `{}`, "null_absent"},
		{"Python's None for a string whose default is null", `{"type":"string","default":null}`, schema.Text{Value: "None"}, `{}`, "null_absent"},
		{"the word null for another string is text", `{"type":"string"}`, schema.Text{Value: "null"}, `{"v":"null"}`, ""},
		{"the word null for a string with a default is text", `{"type":"string","default":"x"}`, schema.Text{Value: "null"}, `{"v":"null"}`, ""},
		{"another case is text", `{"type":"string","default":null}`, schema.Text{Value: "Null"}, `{"v":"Null"}`, ""},
		{"a JSON string is text", `{"type":"string","default":null}`, schema.Text{Value: `"null"`, JSON: true}, `{"v":"null"}`, ""},
		{"Python's None for a list of strings may be text", ofStrings, schema.Text{Value: "None"}, ``, ""},
		{
			"the word null for a list of strings whose default is null",
			`{"type":"array","items":{"type":"string"},"default":null}`,
			schema.Text{Value: "null"},
			`{}`,
			"null_absent",
		},
		{"a listed word is text", `{"enum":["None","all"],"default":null}`, schema.Text{Value: "None"}, `{"v":"None"}`, ""},
		{"null stays if it is allowed", `{"type":["integer","null"]}`, schema.Text{Value: "null"}, `{"v":null}`, ""},
		{"null stays if anything is allowed", `{}`, schema.Text{Value: "null", JSON: true}, `{"v":null}`, ""},
		{"the word null as an element does not mean absence", ofNumbers, schema.Text{Value: "[null]"}, ``, ""},
		{
			"a member",
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer","default":3},"c":{"type":"null"}},"additionalProperties":false}`,
			schema.Text{Value: `{"a":null,"b":null,"c":null}`},
			`{"v":{"b":3,"c":null}}`, "null_absent@v.a null_absent@v.b",
		},
		{"a required member", `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, schema.Text{Value: `{"a":null}`}, ``, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.arg.Name = "v"
			got, repaired, err := schematest.One(t, test.form).Object([]schema.Text{test.arg})
			if test.want == "" {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.want, string(got))
			assert.Equal(t, test.repairs, repairList(repaired))
		})
	}
	required := schematest.Compile(t, `{"type":"object","properties":{"v":{"type":"integer"}},"required":["v"]}`)
	_, _, err := required.Object([]schema.Text{{Name: "v", Value: "null"}})
	require.EqualError(t, err, `invalid arguments: v: expected integer (digits only), got "null"`)
	either := schematest.Compile(t,
		`{"type":"object","anyOf":[{"properties":{"v":{"type":"integer"}}},{"properties":{"v":{"type":"null"}}}]}`)
	got, _, err := either.Object([]schema.Text{{Name: "v", Value: "null"}})
	require.NoError(t, err)
	assert.Equal(t, `{"v":null}`, string(got))
}
