package schema_test

import (
	"encoding/json"
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

// search is the schema of a method with a required argument, defaults, and a list of objects.
const search = `{"type":"object","properties":{
	"query":{"type":"string"},
	"max-results":{"type":"integer","default":10,"minimum":1},
	"caseSensitive":{"type":"boolean","default":false},
	"tags":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}}
},"required":["query"],"additionalProperties":false}`

func TestArgumentsMatchBySimilarNamesOrGetDefaults(t *testing.T) {
	for _, test := range []struct {
		name string
		args []schema.Text
		want string
	}{
		{
			"defaults are filled in, in declared order",
			[]schema.Text{{Name: "query", Value: "x"}},
			`{"query":"x","max-results":10,"caseSensitive":false}`,
		},
		{
			"case, hyphens and underscores do not matter",
			[]schema.Text{{Name: "Query", Value: "x"}, {Name: "max_results", Value: "3"}, {Name: "CASE-sensitive", Value: "yes"}},
			`{"query":"x","max-results":3,"caseSensitive":true}`,
		},
		{
			"the same argument twice, with the same value",
			[]schema.Text{{Name: "query", Value: "x"}, {Name: "Query", Value: "x"}},
			`{"query":"x","max-results":10,"caseSensitive":false}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, _, err := schematest.Compile(t, search).Object(test.args)
			require.NoError(t, err)
			assert.Equal(t, test.want, string(got))
		})
	}

	// Two declared names that differ only in an underscore match only exactly.
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
		{
			"take the type that the schema gives them",
			`{"type":"object","properties":{"a":{}},"additionalProperties":{"type":"integer"}}`, `{"zz":1,"b":2}`,
		},
		{"take the type of their pattern", `{"type":"object","patternProperties":{"^z":{"type":"integer"}}}`, `{"zz":1,"b":"2"}`},
		{
			"are taken by their pattern alone",
			`{"type":"object","patternProperties":{".":{"type":"integer"}},"additionalProperties":false}`,
			`{"zz":1,"b":2}`,
		},
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

func TestTwoValuesOfOneArgumentAreRefused(t *testing.T) {
	_, _, err := schematest.Compile(t, search).Object([]schema.Text{{Name: "query", Value: "x"}, {Name: "QUERY", Value: "y"}})
	require.EqualError(t, err, `invalid arguments: query: expected one value, got two: "x" and "y"`)
}

func TestInvalidDefaultIsIgnored(t *testing.T) {
	got, _, err := schematest.One(t, `{"type":"string","default":null}`).Object(nil)
	require.NoError(t, err)
	assert.Equal(t, `{}`, string(got))
}

func TestNestedAlternativesAreCheckedInLimitedTime(t *testing.T) {
	s := schematest.Compile(t, `{"type":"object","properties":{"v":{"$ref":"#/$defs/v"}},"$defs":{"v":{"anyOf":[
		{"type":"array","items":{"$ref":"#/$defs/v"}},{"type":"array","items":{"$ref":"#/$defs/v"},"maxItems":3},{"type":"integer"}]}}}`)
	deep := strings.Repeat("[", 60) + `"x"` + strings.Repeat("]", 60)
	_, _, err := s.Object([]schema.Text{{Name: "v", Value: deep}}) // without a limit, it would try 2^60 combinations
	require.Error(t, err)
}

func TestArgumentsFromEncodingJSONAreReadBack(t *testing.T) {
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
