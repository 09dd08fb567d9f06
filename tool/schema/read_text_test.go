package schema_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/tool/schema"
)

func TestObjectReadsText(t *testing.T) {
	for _, test := range []struct{ name, form, text, want string }{
		{"a string stays", `{"type":"string"}`, `007`, `"007"`},
		{"a string keeps its blanks and line breaks", `{"type":"string"}`, " a\r\n\tb \n", `" a\r\n\tb \n"`},
		{"a string may be empty", `{"type":"string"}`, ``, `""`},
		{"a string is not read as JSON", `{"type":"string"}`, `{"a":1}`, `"{\"a\":1}"`},
		{"a string keeps quotes around it", `{"type":"string"}`, `"x"`, `"\"x\""`},
		{"a string is not read as null", `{"type":"string"}`, `null`, `"null"`},
		{"markup is not escaped", `{"type":"string"}`, `<a&b>`, `"<a&b>"`},

		{"an integer keeps all digits", `{"type":"integer"}`, `9007199254740993`, `9007199254740993`},
		{"an integer of more than 64 bits", `{"type":"integer"}`, `123456789012345678901234567890`, `123456789012345678901234567890`},
		{"a negative integer", `{"type":"integer"}`, `-12`, `-12`},
		{"an integer with blanks around it", `{"type":"integer"}`, " 5\n", `5`},
		{"an integer with a plus sign", `{"type":"integer"}`, `+5`, `5`},
		{"an integer with leading zeros", `{"type":"integer"}`, `007`, `7`},
		{"an integer written with a fraction of zero", `{"type":"integer"}`, `5.0`, `5`},
		{"an integer written with an exponent", `{"type":"integer"}`, `12e3`, `12000`},
		{"a minus zero", `{"type":"integer"}`, `-0`, `0`},
		{"a number keeps its spelling", `{"type":"number"}`, `1.50`, `1.50`},
		{"a number keeps all digits", `{"type":"number"}`, `0.1000000000000000055511151231257827`, `0.1000000000000000055511151231257827`},
		{"a number without a whole part", `{"type":"number"}`, `-.5`, `-0.5`},
		{"a number that ends in its point", `{"type":"number"}`, `5.`, `5`},
		{"a number with leading zeros", `{"type":"number"}`, `007.5e+2`, `7.5e+2`},

		{"true", `{"type":"boolean"}`, `true`, `true`},
		{"True", `{"type":"boolean"}`, `True`, `true`},
		{"TRUE", `{"type":"boolean"}`, `TRUE`, `true`},
		{"yes", `{"type":"boolean"}`, ` Yes `, `true`},
		{"1", `{"type":"boolean"}`, `1`, `true`},
		{"是", `{"type":"boolean"}`, `是`, `true`},
		{"false", `{"type":"boolean"}`, `False`, `false`},
		{"no", `{"type":"boolean"}`, `no`, `false`},
		{"0", `{"type":"boolean"}`, `0`, `false`},
		{"否", `{"type":"boolean"}`, `否`, `false`},

		{"a list is read as JSON", `{"type":"array","items":{"type":"string"}}`, ` ["a","b"] `, `["a","b"]`},
		{"an object is read as JSON", `{"type":"object"}`, `{"b":1.0,"a":[9007199254740993]}`, `{"a":[9007199254740993],"b":1.0}`},
		{"scalars in a list are repaired", `{"type":"array","items":{"type":"integer"}}`, `["1",2.0,3]`, `[1,2,3]`},
		{
			"members of an object are repaired and filled in",
			`{"type":"object","properties":{"on":{"type":"boolean"},"n":{"type":"integer","default":4}}}`,
			`{"on":"yes"}`, `{"n":4,"on":true}`,
		},
		{"strings in a list stay", `{"type":"array","items":{"type":"string"}}`, `["007","true"]`, `["007","true"]`},

		{"null if it is allowed", `{"type":["integer","null"]}`, `null`, `null`},
		{"null for a string that allows it", `{"type":["string","null"]}`, `null`, `null`},
		{"an integer if null is allowed", `{"type":["integer","null"]}`, `5`, `5`},
		{"an alternative by its type", `{"anyOf":[{"type":"integer"},{"type":"boolean"}]}`, `yes`, `true`},
		{"1 is read as a number, not as a boolean", `{"anyOf":[{"type":"boolean"},{"type":"integer"}]}`, `1`, `1`},
		{"a string or a number: JSON of a number", `{"type":["string","integer"]}`, `5`, `5`},
		{"a string or a number: text that is not JSON of a number", `{"type":["string","integer"]}`, `007`, `"007"`},
		{"a string or a number: a number outside of its limits", `{"anyOf":[{"type":"string"},{"type":"integer","maximum":3}]}`, `5`, `"5"`},
		{"a string or a list", `{"type":["string","array"]}`, `[1]`, `[1]`},
		{"a string or a boolean: another spelling", `{"type":["string","boolean"]}`, `yes`, `"yes"`},
		{"any text, if the schema names no type", `{}`, `5`, `"5"`},

		{"a listed value", `{"enum":["asc","desc"]}`, `asc`, `"asc"`},
		{"a listed value in another case", `{"enum":["asc","desc"]}`, ` ASC`, `"asc"`},
		{"the exact spelling before another case", `{"enum":["a","A"]}`, `A`, `"A"`},
		{"a listed number", `{"enum":[1,2,"auto"]}`, `2`, `2`},
		{"a listed number by value", `{"type":"integer","enum":[1,2]}`, `2.0`, `2`},
		{"a listed null", `{"enum":["x",null]}`, `null`, `null`},
		{"a constant", `{"const":true}`, `yes`, `true`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, _, err := schematest.One(t, test.form).Object([]schema.Text{{Name: "v", Value: test.text}})
			require.NoError(t, err)
			assert.Equal(t, `{"v":`+test.want+`}`, string(got))
		})
	}
}

func TestObjectRefusesText(t *testing.T) {
	for _, test := range []struct{ name, form, text, want string }{
		{"letters for an integer", `{"type":"integer"}`, `abc`, `v: expected integer (digits only), got "abc"`},
		{"empty text for an integer", `{"type":"integer"}`, ``, `v: expected integer (digits only), got ""`},
		{"a fraction for an integer", `{"type":"integer"}`, `5.5`, `v: expected integer (digits only), got "5.5"`},
		{"a thousands separator", `{"type":"integer"}`, `1,000`, `v: expected integer (digits only), got "1,000"`},
		{"another base", `{"type":"integer"}`, `0x10`, `v: expected integer (digits only), got "0x10"`},
		{"an underscore in a number", `{"type":"integer"}`, `1_000`, `v: expected integer (digits only), got "1_000"`},
		{"NaN", `{"type":"number"}`, `NaN`, `v: expected number, got "NaN"`},
		{"infinity", `{"type":"number"}`, `-Infinity`, `v: expected number, got "-Infinity"`},
		{"a huge exponent", `{"type":"number"}`, `1e1000000000`, `v: expected number, got "1e1000000000"`},
		{"null in another case", `{"type":"integer"}`, `NULL`, `v: expected integer (digits only), got "NULL"`},
		{"another word for a boolean", `{"type":"boolean"}`, `on`, `v: expected boolean (true or false), got "on"`},
		{"2 for a boolean", `{"type":"boolean"}`, `2`, `v: expected boolean (true or false), got "2"`},
		{"a list that is not JSON", `{"type":"array"}`, `a, b`, `v: expected array, written as JSON, got "a, b"`},
		{"an object for a list", `{"type":"array"}`, `{}`, `v: expected array, written as JSON, got "{}"`},
		{
			"a list with more text after it", `{"type":"array"}`, `[1] [2]`,
			`v: expected array, written as JSON, got "[1] [2]" (not JSON: more follows after the first value, at byte 4)`,
		},
		{"a value that is not listed", `{"enum":["asc","desc"]}`, `up`, `v: expected one of "asc", "desc", got "up"`},
		{"a value that differs from two listed ones only in case", `{"enum":["a","A"]}`, ` a`, `v: expected one of "a", "A", got " a"`},
		{"bytes that are not UTF-8", `{"type":"string"}`, "a\xff", `v: expected text in UTF-8, got other bytes`},
		{"a number past a limit", `{"type":"number","maximum":1.5}`, `2`, `v: expected at most 1.5, got 2`},
		{
			"a number just past a large limit", `{"type":"integer","maximum":9007199254740992}`, `9007199254740993`,
			`v: expected at most 9007199254740992, got 9007199254740993`,
		},
		{"a number past a tiny limit", `{"type":"number","minimum":1.5e-30}`, `0`, `v: expected at least 1.5e-30, got 0`},
		{"a text that is too short", `{"type":"string","minLength":2}`, `x`, `v: expected at least 2 characters, got 1 character`},
		{"a text that does not match the pattern", `{"type":"string","pattern":"^a"}`, `b`, `v: expected text that matches ^a, got "b"`},
		{"a text in another format", `{"type":"string","format":"date"}`, `today`, `v: expected text in the format date, got "today"`},
		{"an element of another type", `{"type":"array","items":{"type":"integer"}}`, `[1,"x"]`, `v[1]: expected integer (digits only), got "x"`},
		{
			"a text that fits no alternative", `{"anyOf":[{"type":"integer"},{"type":"array"}]}`, `x`,
			`v: expected integer or array, written as JSON, got "x"`,
		},
		{
			"the only alternative that can read the text decides",
			`{"anyOf":[{"type":"integer","minimum":3},{"type":"array"}]}`, `1`, `v: expected at least 3, got 1`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := schematest.One(t, test.form).Object([]schema.Text{{Name: "v", Value: test.text}})
			require.EqualError(t, err, "invalid arguments: "+test.want)
		})
	}
}

func TestObjectReadsJSON(t *testing.T) {
	for _, test := range []struct{ name, form, json, want string }{
		{"a string", `{"type":"string"}`, `"007"`, `"007"`},
		{"an integer", `{"type":"integer"}`, ` 9007199254740993 `, `9007199254740993`},
		{"a string in place of an integer", `{"type":"integer"}`, `"5"`, `5`},
		{"an object without a schema", `{}`, `{"a":[1,null]}`, `{"a":[1,null]}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, _, err := schematest.One(t, test.form).Object([]schema.Text{{Name: "v", Value: test.json, JSON: true}})
			require.NoError(t, err)
			assert.Equal(t, `{"v":`+test.want+`}`, string(got))
		})
	}
	_, _, err := schematest.One(t, `{"type":"string"}`).Object([]schema.Text{{Name: "v", Value: `nope`, JSON: true}})
	require.ErrorContains(t, err, `v: expected a JSON value, got "nope"`)
	_, _, err = schematest.One(t, `{"type":"string"}`).Object([]schema.Text{{Name: "v", Value: `5`, JSON: true}})
	require.EqualError(t, err, `invalid arguments: v: expected string, got 5`)
	_, _, err = schematest.One(t, `{}`).Object([]schema.Text{{Name: "v", Value: `[1,1e99999]`, JSON: true}})
	require.ErrorContains(t, err, `v[1]: expected a number of at most 1000 digits`)
}
