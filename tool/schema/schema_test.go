package schema_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/tool/schema"
)

func TestReferencesStayInTheDocument(t *testing.T) {
	requested := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requested = true
		_, _ = w.Write([]byte(`{"type":"object"}`))
	}))
	defer server.Close()
	dir := t.TempDir()
	file := filepath.Join(dir, "other.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"type":"object"}`), 0o600))
	t.Chdir(dir)

	for _, test := range []struct{ name, schema string }{
		{"a reference to a file", `{"$ref":"file://` + file + `"}`},
		{"a reference to a path", `{"$ref":"` + file + `"}`},
		{"a reference to a file in the working directory", `{"$ref":"other.json"}`},
		{"a reference over http", `{"$ref":"` + server.URL + `/s.json"}`},
		{"a reference over https", `{"$ref":"https://` + strings.TrimPrefix(server.URL, "http://") + `/s.json"}`},
		{"a reference within a property", `{"type":"object","properties":{"a":{"$ref":"file://` + file + `"}}}`},
		{
			"a base URL that turns a reference into a URL",
			`{"$id":"` + server.URL + `/root.json","type":"object","properties":{"a":{"$ref":"s.json"}}}`,
		},
		{"a dialect on a server", `{"$schema":"` + server.URL + `/dialect","type":"object"}`},
		{"a dialect in a file", `{"$schema":"file://` + file + `","type":"object"}`},
		{"a base URL that is a directory", `{"$id":"file://` + dir + `/","type":"object","properties":{"a":{"$ref":"other.json"}}}`},
		{"a base URL within a property", `{"type":"object","properties":{"a":{"$id":"` + server.URL + `/a/","items":{"$ref":"../s.json"}}}}`},
		{
			"a base URL of an older draft",
			`{"$schema":"http://json-schema.org/draft-04/schema#","id":"` + server.URL + `/","type":"object","properties":{"a":{"$ref":"s.json"}}}`,
		},
		{"a dialect within a property", `{"type":"object","properties":{"a":{"$id":"x:y","$schema":"` + server.URL + `/dialect"}}}`},
		{"a reference that depends on the value", `{"type":"object","properties":{"a":{"$dynamicRef":"` + server.URL + `/s.json#x"}}}`},
		{
			"a reference of draft 2019-09",
			`{"$schema":"https://json-schema.org/draft/2019-09/schema","type":"object","properties":{"a":{"$recursiveRef":"` + server.URL + `/s.json"}}}`,
		},
		{"a reference with no scheme", `{"type":"object","properties":{"a":{"$ref":"//` + strings.TrimPrefix(server.URL, "http://") + `/s.json"}}}`},
		{"a reference within a condition", `{"type":"object","if":{"$ref":"` + server.URL + `/s.json"},"then":{}}`},
		{"a reference to a dialect that the library knows", `{"type":"object","properties":{"a":{"$ref":"https://json-schema.org/draft/2020-12/schema"}}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := schema.Compile(json.RawMessage(test.schema))
			var ref *schema.ReferenceError
			require.ErrorAs(t, err, &ref)
			assert.Contains(t, err.Error(), "nothing outside of itself")
			assert.NotEmpty(t, ref.URL)
		})
	}
	assert.False(t, requested, "the server got a request for a schema")
}

func TestCompileRefusesInvalidSchemas(t *testing.T) {
	for _, test := range []struct{ name, schema, want string }{
		{"empty text", ``, "it is empty"},
		{"text that is not JSON", `{`, "it ends too early"},
		{"two documents", `{} {}`, "more follows"},
		{"a member twice", `{"type":"object","type":"object"}`, `the member "type" is given twice`},
		{"bytes that are not UTF-8", "{\"title\":\"\xff\"}", "not UTF-8"},
		{"a bare true", `true`, "described by a JSON object, not by true"},
		{"a schema of strings", `{"type":"string"}`, "the schema's type is string"},
		{"an unknown type", `{"type":"objekt"}`, "schema"},
		{"a reference to nothing", `{"type":"object","properties":{"a":{"$ref":"#/$defs/none"}}}`, "$defs/none"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := schema.Compile(json.RawMessage(test.schema))
			require.Error(t, err)
			assert.Contains(t, err.Error(), test.want)
			assert.NotContains(t, err.Error(), "\n")
		})
	}
}

func TestPropertiesAreInDeclaredOrder(t *testing.T) {
	s := schematest.Compile(t, `{
		"type":"object",
		"properties":{
			"zeta":{"type":"string","description":"last letter first"},
			"alpha":{"type":["integer","null"],"default":9007199254740993},
			"mid":{"enum":["x","y"],"description":"one of two"},
			"list":{"type":"array","items":{"type":"string"}},
			"any":{},
			"ref":{"$ref":"#/$defs/size"}
		},
		"required":["zeta","list"],
		"$defs":{"size":{"type":"number","description":"in metres","default":1.50}}
	}`)
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	want := []schema.Property{
		{
			Name: "zeta", Type: "string", Required: true, Description: "last letter first",
			Schema: raw(`{"type":"string","description":"last letter first"}`),
		},
		{
			Name: "alpha", Type: "integer", Nullable: true, Default: raw("9007199254740993"),
			Schema: raw(`{"type":["integer","null"],"default":9007199254740993}`),
		},
		{
			Name: "mid", Type: "string", Enum: []json.RawMessage{raw(`"x"`), raw(`"y"`)}, Description: "one of two",
			Schema: raw(`{"enum":["x","y"],"description":"one of two"}`),
		},
		{Name: "list", Type: "array", Required: true, Schema: raw(`{"type":"array","items":{"type":"string"}}`)},
		{Name: "any", Schema: raw(`{}`)},
		{
			Name: "ref", Type: "number", Default: raw("1.50"), Description: "in metres",
			Schema: raw(`{"type":"number","description":"in metres","default":1.50}`),
		},
	}
	assert.Empty(t, cmp.Diff(want, s.Properties()))
}

func TestPropertiesIncludeThoseOfSubschemas(t *testing.T) {
	s := schematest.Compile(t, `{
		"$ref":"#/$defs/base",
		"allOf":[{"properties":{"c":{"type":"string"}},"required":["c"]}],
		"oneOf":[{"properties":{"d":{"type":"string"}},"required":["d"]},{"properties":{"e":{"type":"string"}},"required":["e"]}],
		"$defs":{"base":{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"string"}},"required":["a"]}}
	}`)
	var got []string
	for _, p := range s.Properties() {
		name := p.Name
		if p.Required {
			name += "!" // marks a required argument
		}
		got = append(got, name)
	}
	assert.Equal(t, []string{"b", "a!", "c!", "d", "e"}, got)
}

func TestValidateConvertsNothing(t *testing.T) {
	s := schematest.Compile(t,
		`{"type":"object","properties":{"n":{"type":"integer","minimum":1,"default":3}},"required":["n"]}`)
	for _, test := range []struct{ args, want string }{
		{`{"n":5}`, ""},
		{`{"n":5.0}`, ""},
		{`{"n":"5"}`, `invalid arguments: n: expected integer, got "5"`},
		{`{}`, `invalid arguments: n: missing, expected integer`},
		{`{"n":0}`, `invalid arguments: n: expected at least 1, got 0`},
		{`[]`, `invalid arguments: arguments: expected a JSON object, got a list of 0`},
		{`null`, `invalid arguments: arguments: expected a JSON object, got null`},
		{`{"n":1e999999999}`, `invalid arguments: n: expected a number of at most 1000 digits, with an exponent of at most 1000, got a longer one`},
		{`nope`, `invalid arguments: arguments: expected a JSON object, got text that is not JSON: 'n' at byte 0 is out of place`},
	} {
		t.Run(test.args, func(t *testing.T) {
			err := s.Validate(json.RawMessage(test.args))
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, test.want)
			var arguments *schema.ArgumentsError
			require.ErrorAs(t, err, &arguments)
		})
	}
}

func TestRecursiveSchemaReadsNestedValues(t *testing.T) {
	s := schematest.Compile(t,
		`{"type":"object","properties":{"value":{"type":"integer"},"next":{"$ref":"#"}},"additionalProperties":false}`)
	got, _, err := s.Object([]schema.Text{{Name: "next", Value: `{"value":"1","next":{"value":2.0,"next":{}}}`}})
	require.NoError(t, err)
	assert.JSONEq(t, `{"next":{"value":1,"next":{"value":2,"next":{}}}}`, string(got))
}

func TestAReferenceToItselfForTheSameValueIsRefused(t *testing.T) {
	for _, endless := range []string{
		`{"$ref":"#"}`,
		`{"type":"object","allOf":[{"$ref":"#"}]}`,
		`{"type":"object","properties":{"a":{"$ref":"#/properties/a"}}}`,
		`{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#/properties/b"},{"type":"string"}]},"b":{"not":{"$ref":"#/properties/a"}}}}`,
	} {
		_, err := schema.Compile(json.RawMessage(endless))
		var limit *schema.LimitError
		require.ErrorAs(t, err, &limit, endless)
		assert.Contains(t, err.Error(), "to itself for the same value")
	}
}
