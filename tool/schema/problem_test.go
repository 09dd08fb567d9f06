package schema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/tool/schema"
)

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
		{ // without Nearest, because caseSensitive is given
			Path: "caseSensitiv", Code: schema.CodeUnknown,
			Expected: "one of the arguments query, max-results, caseSensitive, tags", Received: "an unknown argument",
		},
		{
			Path: "zzz", Code: schema.CodeUnknown,
			Expected: "one of the arguments query, max-results, caseSensitive, tags", Received: "an unknown argument",
		},
	}
	s := schematest.Compile(t, search)
	for range 20 { // the validator ranges over maps, in any order
		_, _, err := s.Object(args)
		var got *schema.ArgumentsError
		require.ErrorAs(t, err, &got)
		require.Empty(t, cmp.Diff(want, got.Problems))
	}
}

// TestUnknownArgumentSuggestsTheMissingOne checks that an error suggests the missing argument for
// an unknown one if there is one of each, and otherwise only an argument with a similar name.
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
		{"a name that is close to an optional argument", find, []schema.Text{{Name: "limt", Value: "1"}}, []string{"limit"}},
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
		{
			"a text", "en",
			[]schema.Text{{Name: "contact", Value: "ann"}},
			"object, written as JSON, with email (string, required), phone (string or null)",
		},
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
	require.EqualError(t, err,
		"invalid arguments: unit: unknown argument, expected one of the arguments path; zone: unknown argument")
}

func TestProblemsOfTheWholeObjectAreOmittedBesideOthers(t *testing.T) {
	s := schematest.Compile(t, `{"type":"object","minProperties":1,"properties":{"a":{"type":"integer"},"b":{"type":"integer"}},
		"oneOf":[{"required":["a"]},{"required":["b"]}]}`)
	_, _, err := s.Object([]schema.Text{{Name: "a", Value: "x"}})
	require.EqualError(t, err, `invalid arguments: a: expected integer (digits only), got "x"`)
	_, _, err = s.Object(nil)
	require.ErrorContains(t, err, "arguments: expected at least 1 member, got 0 members")
}

func TestProblemsCanBeEncodedAsJSON(t *testing.T) {
	_, _, err := schematest.Compile(t, search).Object([]schema.Text{
		{Name: "query", Value: "x"}, {Name: "max_results", Value: "0"}, {Name: "tagz", Value: "[]"},
	})
	raw, jsonErr := json.Marshal(err)
	require.NoError(t, jsonErr)
	assert.Equal(t, `{"problems":[{"path":"max-results","code":"minimum","expected":"at least 1","received":"0"},`+
		`{"path":"tagz","code":"unknown_argument","expected":"one of the arguments query, max-results, caseSensitive, tags",`+
		`"received":"an unknown argument","nearest":"tags"}]}`, string(raw))
}

func TestErrorsAreShort(t *testing.T) {
	long := strings.Repeat("长", 100_000)
	_, _, err := schematest.One(t, `{"type":"integer"}`).Object([]schema.Text{{Name: "v", Value: long}, {Name: long, Value: long}})
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 2000)

	nested := schematest.One(t, `{"type":"object","additionalProperties":{"type":"object","additionalProperties":false}}`)
	_, _, err = nested.Object([]schema.Text{{Name: "v", Value: `{"` + strings.Repeat("1", 100_000) + `":{"a":1,"b":2}}`}})
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 2000)

	var many []schema.Text
	for i := range 1000 {
		many = append(many, schema.Text{Name: fmt.Sprint("x", i)})
	}
	_, _, err = schematest.One(t, `{"type":"integer"}`).Object(many)
	assert.ErrorContains(t, err, "; and 980 more")
}
