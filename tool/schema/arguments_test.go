package schema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
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
		{"members of an object are repaired and filled in", `{"type":"object","properties":{"on":{"type":"boolean"},"n":{"type":"integer","default":4}}}`, `{"on":"yes"}`, `{"n":4,"on":true}`},
		{"strings in a list stay", `{"type":"array","items":{"type":"string"}}`, `["007","true"]`, `["007","true"]`},

		{"null if it is allowed", `{"type":["integer","null"]}`, `null`, `null`},
		{"null for a string that allows it", `{"type":["string","null"]}`, `null`, `null`},
		{"an integer if null is allowed", `{"type":["integer","null"]}`, `5`, `5`},
		{"an alternative by its type", `{"anyOf":[{"type":"integer"},{"type":"boolean"}]}`, `yes`, `true`},
		{"digits are a number before they are a boolean", `{"anyOf":[{"type":"boolean"},{"type":"integer"}]}`, `1`, `1`},
		{"a string or a number: JSON of a number", `{"type":["string","integer"]}`, `5`, `5`},
		{"a string or a number: text that is not JSON of a number", `{"type":["string","integer"]}`, `007`, `"007"`},
		{"a string or a number: outside of its limits", `{"anyOf":[{"type":"string"},{"type":"integer","maximum":3}]}`, `5`, `"5"`},
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
		{"a list with more text after it", `{"type":"array"}`, `[1] [2]`, `v: expected array, written as JSON, got "[1] [2]" (not JSON: more follows after the first value, at byte 4)`},
		{"a value that is not listed", `{"enum":["asc","desc"]}`, `up`, `v: expected one of "asc", "desc", got "up"`},
		{"a value that differs from two listed ones only in case", `{"enum":["a","A"]}`, ` a`, `v: expected one of "a", "A", got " a"`},
		{"bytes that are not UTF-8", `{"type":"string"}`, "a\xff", `v: expected text in UTF-8, got other bytes`},
		{"a number past a limit", `{"type":"number","maximum":1.5}`, `2`, `v: expected at most 1.5, got 2`},
		{"a number just past a large limit", `{"type":"integer","maximum":9007199254740992}`, `9007199254740993`, `v: expected at most 9007199254740992, got 9007199254740993`},
		{"a text that is too short", `{"type":"string","minLength":2}`, `x`, `v: expected at least 2 characters, got 1 character`},
		{"a text that does not match the pattern", `{"type":"string","pattern":"^a"}`, `b`, `v: expected text that matches ^a, got "b"`},
		{"a text in another format", `{"type":"string","format":"date"}`, `today`, `v: expected text in the format date, got "today"`},
		{"an element of another type", `{"type":"array","items":{"type":"integer"}}`, `[1,"x"]`, `v[1]: expected integer (digits only), got "x"`},
		{"a text that fits no alternative", `{"anyOf":[{"type":"integer"},{"type":"array"}]}`, `x`, `v: expected integer or array, written as JSON, got "x"`},
		{"the only alternative of that type decides", `{"anyOf":[{"type":"integer","minimum":3},{"type":"array"}]}`, `1`, `v: expected at least 3, got 1`},
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

const search = `{"type":"object","properties":{
	"query":{"type":"string"},
	"max-results":{"type":"integer","default":10,"minimum":1},
	"caseSensitive":{"type":"boolean","default":false},
	"tags":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}}
},"required":["query"],"additionalProperties":false}`

func TestSimilarArgumentNamesMatch(t *testing.T) {
	for _, test := range []struct {
		name string
		args []schema.Text
		want string
	}{
		{"defaults are filled in, in declared order", []schema.Text{{Name: "query", Value: "x"}}, `{"query":"x","max-results":10,"caseSensitive":false}`},
		{"case, hyphens and underscores do not matter", []schema.Text{{Name: "Query", Value: "x"}, {Name: "max_results", Value: "3"}, {Name: "CASE-sensitive", Value: "yes"}}, `{"query":"x","max-results":3,"caseSensitive":true}`},
		{"the same argument twice", []schema.Text{{Name: "query", Value: "x"}, {Name: "Query", Value: "x"}}, `{"query":"x","max-results":10,"caseSensitive":false}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, _, err := schematest.Compile(t, search).Object(test.args)
			require.NoError(t, err)
			assert.Equal(t, test.want, string(got))
		})
	}

	twins := schematest.Compile(t, `{"type":"object","properties":{"a_b":{"type":"string"},"ab":{"type":"string"}}}`)
	got, _, err := twins.Object([]schema.Text{{Name: "ab", Value: "1"}, {Name: "a_b", Value: "2"}})
	require.NoError(t, err)
	assert.Equal(t, `{"a_b":"2","ab":"1"}`, string(got))
	_, _, err = twins.Object([]schema.Text{{Name: "A-B", Value: "1"}})
	require.ErrorContains(t, err, "A-B: unknown argument (did you mean a_b?)")
}

func TestUndeclaredArgumentsFollowTheSchema(t *testing.T) {
	for _, test := range []struct{ name, schema, want string }{
		{"are refused if others are declared", `{"type":"object","properties":{"a":{}}}`, ""},
		{"are refused if the schema says so", `{"type":"object","additionalProperties":false}`, ""},
		{"are taken if nothing is declared", `{"type":"object"}`, `{"zz":"1","b":"2"}`},
		{"are taken if the schema says so", `{"type":"object","properties":{"a":{}},"additionalProperties":true}`, `{"zz":"1","b":"2"}`},
		{"take the type that the schema gives them", `{"type":"object","properties":{"a":{}},"additionalProperties":{"type":"integer"}}`, `{"zz":1,"b":2}`},
		{"take the type of their pattern", `{"type":"object","patternProperties":{"^z":{"type":"integer"}}}`, `{"zz":1,"b":"2"}`},
		{"are taken by their pattern alone", `{"type":"object","patternProperties":{".":{"type":"integer"}},"additionalProperties":false}`, `{"zz":1,"b":2}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, _, err := schematest.Compile(t, test.schema).Object([]schema.Text{{Name: "zz", Value: "1"}, {Name: "b", Value: "2"}})
			if test.want == "" {
				require.ErrorContains(t, err, "unknown argument")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, test.want, string(got))
		})
	}
}

func TestProblemsAreInDeclaredOrder(t *testing.T) {
	args := []schema.Text{
		{Name: "zzz", Value: "1"},
		{Name: "tags", Value: `[{"name":"a"},{"nmae":"b"},{"name":7}]`},
		{Name: "caseSensitiv", Value: "1"},
		{Name: "case_sensitive", Value: "perhaps"},
		{Name: "max_results", Value: "0"},
	}
	want := []schema.Problem{
		{Path: "query", Code: schema.CodeRequired, Expected: "string", Received: "nothing"},
		{Path: "max-results", Code: "minimum", Expected: "at least 1", Received: "0"},
		{Path: "caseSensitive", Code: schema.CodeType, Expected: "boolean (true or false)", Received: `"perhaps"`},
		{Path: "tags[1].name", Code: schema.CodeRequired, Expected: "string", Received: "nothing"},
		{Path: "tags[1].nmae", Code: schema.CodeUnknown, Expected: "one of the arguments name", Received: "an unknown argument", Nearest: "name"},
		{Path: "tags[2].name", Code: schema.CodeType, Expected: "string", Received: "7"},
		{Path: "caseSensitiv", Code: schema.CodeUnknown, Expected: "one of the arguments query, max-results, caseSensitive, tags", Received: "an unknown argument"}, // caseSensitive is given
		{Path: "zzz", Code: schema.CodeUnknown, Expected: "one of the arguments query, max-results, caseSensitive, tags", Received: "an unknown argument"},
	}
	s := schematest.Compile(t, search)
	for range 20 { // the validator ranges over maps
		_, _, err := s.Object(args)
		var got *schema.ArgumentsError
		require.ErrorAs(t, err, &got)
		require.Empty(t, cmp.Diff(want, got.Problems))
	}
}

// TestUnknownArgumentSuggestsTheMissingOne checks that an error suggests the missing argument for
// an unknown one, if there is one of each.
func TestUnknownArgumentSuggestsTheMissingOne(t *testing.T) {
	const find = `{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer"}},"required":["query"]}`
	const both = `{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer"}},"required":["query","limit"]}`
	for _, test := range []struct {
		name, schema string
		args         []schema.Text
		nearest      []string // Problem.Nearest of each unknown argument
	}{
		{"one unknown and one missing argument", find, []schema.Text{{Name: "pattern", Value: "x"}}, []string{"query"}},
		{"two unknown arguments", find, []schema.Text{{Name: "pattern", Value: "x"}, {Name: "zone", Value: "y"}}, []string{"", ""}},
		{"two missing arguments", both, []schema.Text{{Name: "pattern", Value: "x"}}, []string{""}},
		{"a value of another type", both, []schema.Text{{Name: "query", Value: "x"}, {Name: "most", Value: "ten"}}, []string{""}},
		{"a value of the missing argument's type", both, []schema.Text{{Name: "query", Value: "x"}, {Name: "most", Value: "10"}}, []string{"limit"}},
		{"JSON of another type", find, []schema.Text{{Name: "pattern", Value: "{}", JSON: true}}, []string{""}},
		{"a name that is close to another", find, []schema.Text{{Name: "limt", Value: "1"}}, []string{"limit"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := schematest.Compile(t, test.schema).Object(test.args)
			var got *schema.ArgumentsError
			require.ErrorAs(t, err, &got)
			var nearest []string
			for _, p := range got.Problems {
				if p.Unknown() {
					nearest = append(nearest, p.Nearest)
				}
			}
			require.Equal(t, test.nearest, nearest)
		})
	}
}

// TestMissingObjectListsItsMembers checks that an error names the members of an object if the
// argument is missing or is not an object.
func TestMissingObjectListsItsMembers(t *testing.T) {
	s := schematest.Compile(t, `{"type":"object","required":["contact"],"properties":{"contact":{"type":"object","required":["email"],
		"properties":{"email":{"type":"string"},"phone":{"type":["string","null"]}}}}}`)
	const english = "object, with email (string, required), phone (string or null)"
	for _, test := range []struct {
		name, language string
		args           []schema.Text
		want           string
	}{
		{"a missing argument", "en", nil, english},
		{"another type in JSON", "en", []schema.Text{{Name: "contact", Value: `"ann"`, JSON: true}}, english},
		{"a text", "en", []schema.Text{{Name: "contact", Value: "ann"}}, "object, written as JSON, with email (string, required), phone (string or null)"},
		{"in Chinese", "zh", nil, "object，成员：email（string，必填）、phone（string 或 null）"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := s.ObjectWith(test.args, schema.ObjectOptions{Language: test.language})
			var got *schema.ArgumentsError
			require.ErrorAs(t, err, &got)
			require.Len(t, got.Problems, 1)
			require.Equal(t, test.want, got.Problems[0].Expected)
		})
	}
}

func TestUnknownArgumentsListNamesOnce(t *testing.T) {
	s := schematest.Compile(t, `{"type":"object","properties":{"path":{"type":"string"}}}`)
	_, _, err := s.Object([]schema.Text{{Name: "zone", Value: "x"}, {Name: "unit", Value: "y"}})
	require.EqualError(t, err, "invalid arguments: unit: unknown argument, expected one of the arguments path; zone: unknown argument")
}

func TestDuplicateArgumentsAreRefused(t *testing.T) {
	_, _, err := schematest.Compile(t, search).Object([]schema.Text{{Name: "query", Value: "x"}, {Name: "QUERY", Value: "y"}})
	require.EqualError(t, err, `invalid arguments: query: expected one value, got two: "x" and "y"`)
}

func TestProblemsOfTheWholeObjectAreOmittedBesideOthers(t *testing.T) {
	s := schematest.Compile(t, `{"type":"object","minProperties":1,"properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"oneOf":[{"required":["a"]},{"required":["b"]}]}`)
	_, _, err := s.Object([]schema.Text{{Name: "a", Value: "x"}})
	require.EqualError(t, err, `invalid arguments: a: expected integer (digits only), got "x"`)
	_, _, err = s.Object(nil)
	require.ErrorContains(t, err, "arguments: expected at least 1 member, got 0 members")
}

func TestProblemsCanBeEncodedAsJSON(t *testing.T) {
	_, _, err := schematest.Compile(t, search).Object([]schema.Text{{Name: "query", Value: "x"}, {Name: "max_results", Value: "0"}, {Name: "tagz", Value: "[]"}})
	raw, jsonErr := json.Marshal(err)
	require.NoError(t, jsonErr)
	assert.Equal(t, `{"problems":[{"path":"max-results","code":"minimum","expected":"at least 1","received":"0"},`+
		`{"path":"tagz","code":"unknown_argument","expected":"one of the arguments query, max-results, caseSensitive, tags","received":"an unknown argument","nearest":"tags"}]}`, string(raw))
}

func TestInvalidDefaultIsIgnored(t *testing.T) {
	got, _, err := schematest.One(t, `{"type":"string","default":null}`).Object(nil)
	require.NoError(t, err)
	assert.Equal(t, `{}`, string(got))
}

func TestErrorsAreShort(t *testing.T) {
	long := strings.Repeat("长", 100_000)
	_, _, err := schematest.One(t, `{"type":"integer"}`).Object([]schema.Text{{Name: "v", Value: long}, {Name: long, Value: long}})
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 2000)

	var many []schema.Text
	for i := range 1000 {
		many = append(many, schema.Text{Name: fmt.Sprint("x", i)})
	}
	_, _, err = schematest.One(t, `{"type":"integer"}`).Object(many)
	assert.ErrorContains(t, err, "; and 980 more")
}

func TestNestedAlternativesAreCheckedInLimitedTime(t *testing.T) {
	s := schematest.Compile(t, `{"type":"object","properties":{"v":{"$ref":"#/$defs/v"}},"$defs":{"v":{"anyOf":[
		{"type":"array","items":{"$ref":"#/$defs/v"}},{"type":"array","items":{"$ref":"#/$defs/v"},"maxItems":3},{"type":"integer"}]}}}`)
	deep := strings.Repeat("[", 12) + `"x"` + strings.Repeat("]", 12)
	_, _, err := s.Object([]schema.Text{{Name: "v", Value: deep}})
	require.Error(t, err)
}

func TestWrittenArgumentsReadBack(t *testing.T) {
	s := schematest.Compile(t, `{"type":"object","properties":{
		"s":{"type":"string"},"i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"boolean"},
		"l":{"type":"array","items":{"type":"string"}},"o":{"type":"object"}}}`)
	type args struct {
		S string            `json:"s"`
		I int64             `json:"i"`
		N float64           `json:"n"`
		B bool              `json:"b"`
		L []string          `json:"l"`
		O map[string]string `json:"o"`
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw
		want := args{
			S: text(t, "s"), I: rapid.Int64().Draw(t, "i"), N: rapid.Float64().Draw(t, "n"), B: rapid.Bool().Draw(t, "b"),
			L: rapid.SliceOfN(rapid.String(), 1, 4).Draw(t, "l"), O: rapid.MapOfN(rapid.String(), rapid.String(), 1, 4).Draw(t, "o"),
		}
		var texts []schema.Text
		for name, v := range map[string]any{"i": want.I, "n": want.N, "b": want.B, "l": want.L, "o": want.O} {
			raw, err := json.Marshal(v)
			if err != nil {
				t.Skip("not a JSON value")
			}
			texts = append(texts, schema.Text{Name: name, Value: string(raw)})
		}
		raw, _, err := s.Object(append(texts, schema.Text{Name: "s", Value: want.S}))
		if err != nil {
			t.Fatal(err)
		}
		var got args
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
		if err := s.Validate(raw); err != nil {
			t.Fatalf("Validate refuses the result of Object: %v", err)
		}
	})
}
