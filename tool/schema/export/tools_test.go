package export_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/tool/schema"
	"github.com/vcpgo/vcp/tool/schema/export"
)

var providers = []export.Provider{export.OpenAI, export.Anthropic, export.MCP, export.Google}

// exported returns a schema in the form that NewTools writes for a provider.
func exported(t testing.TB, p export.Provider, raw string) string {
	t.Helper()
	tools, err := export.NewTools(p,
		[]export.Definition{{Name: "f", Description: "d", Parameters: schematest.Compile(t, raw)}})
	require.NoError(t, err)
	text := string(tools.JSON())
	for _, frame := range [][2]string{
		{`[{"type":"function","function":{"name":"f","description":"d","parameters":`, `}}]`},
		{`[{"name":"f","description":"d","input_schema":`, `}]`},
		{`[{"functionDeclarations":[{"name":"f","description":"d","parameters":`, `}]}]`},
		{`[{"functionDeclarations":[{"name":"f","description":"d"`, `}]}]`},
	} {
		if inner, ok := strings.CutPrefix(text, frame[0]); ok {
			return strings.TrimSuffix(inner, frame[1])
		}
	}
	t.Fatalf("unknown form: %s", text)
	return ""
}

func TestOpenAIAndAnthropicGetPlainObjects(t *testing.T) {
	for _, test := range []struct{ name, schema, want string }{
		{
			"a plain schema is unchanged, in its order",
			`{"type":"object","properties":{"z":{"type":"string"},"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"integer"}}}`,
			`{"type":"object","properties":{"z":{"type":"string"},"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"integer"}}}`,
		},
		{
			"numbers keep their digits", `{"type":"object","properties":{"a":{"maximum":9007199254740993}}}`,
			`{"type":"object","properties":{"a":{"maximum":9007199254740993}}}`,
		},
		{"no type and no properties", `{}`, `{"properties":{},"type":"object"}`},
		{"an object or null", `{"type":["object","null"],"properties":{}}`, `{"type":"object","properties":{}}`},
		{
			"$schema is omitted",
			`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{}}`,
			`{"type":"object","properties":{}}`,
		},
		{
			"a list in items, in an older draft",
			`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"items":[{"type":"string"}],"additionalItems":false}}}`,
			`{"type":"object","properties":{"a":{"prefixItems":[{"type":"string"}],"items":false}}}`,
		},
		{
			"exclusive limits of draft 4",
			`{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","properties":{"a":{"minimum":1,"exclusiveMinimum":true,"maximum":9,"exclusiveMaximum":false}}}`,
			`{"type":"object","properties":{"a":{"exclusiveMinimum":1,"maximum":9}}}`,
		},
		{
			"a reference at the top",
			`{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"x":{"$ref":"#/$defs/x"}},"required":["x"]},"x":{"type":"string","description":"what"}}}`,
			`{"type":"object","properties":{"x":{"type":"string","description":"what"}},"required":["x"],"additionalProperties":false}`,
		},
		{
			"alternatives at the top",
			`{"type":"object","description":"which","anyOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"string"}},"required":["b"]}]}`,
			`{"type":"object","description":"which","properties":{"a":{"type":"string"},"b":{"type":"string"}},"additionalProperties":false}`,
		},
		{
			"a keyword beside a reference overrides its target",
			`{"allOf":[{"properties":{"a":{"$ref":"#/$defs/a","description":"mine"}}}],"additionalProperties":true,"$defs":{"a":{"type":"string","description":"theirs"}}}`,
			`{"type":"object","properties":{"a":{"type":"string","description":"mine"}}}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, exported(t, export.OpenAI, test.schema))
			assert.Equal(t, test.want, exported(t, export.Anthropic, test.schema))
		})
	}
}

func TestArraysForOpenAIHaveItems(t *testing.T) {
	for _, test := range []struct{ name, form, want string }{
		{"an array", `{"type":"array"}`, `{"type":"array","items":{}}`},
		{"an array or null", `{"type":["array","null"],"description":"d"}`, `{"type":["array","null"],"description":"d","items":{}}`},
		{"elements stay", `{"type":"array","items":{"type":"string"}}`, `{"type":"array","items":{"type":"string"}}`},
		{"arrays in an array", `{"type":"array","items":{"type":"array"}}`, `{"type":"array","items":{"type":"array","items":{}}}`},
		{
			"members and alternatives", `{"anyOf":[{"type":"array"},{"properties":{"x":{"type":"array"}}}]}`,
			`{"anyOf":[{"type":"array","items":{}},{"properties":{"x":{"type":"array","items":{}}}}]}`,
		},
		{"an array with prefixItems", `{"type":"array","prefixItems":[{}]}`, `{"type":"array","prefixItems":[{}],"items":{}}`},
		{"data that looks like a schema stays", `{"default":{"type":"array"}}`, `{"default":{"type":"array"}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			schemaOf := func(argument string) string { return `{"type":"object","properties":{"v":` + argument + `}}` }
			assert.Equal(t, schemaOf(test.want), exported(t, export.OpenAI, schemaOf(test.form)))
		})
	}
}

func TestMCPGetsInputSchemas(t *testing.T) {
	const properties = `"type":"object","properties":{"a b":{"type":"array"}}`
	s := schematest.Compile(t, `{"$schema":"http://json-schema.org/draft-07/schema#",`+properties+`}`)
	tools, err := export.NewTools(export.MCP,
		[]export.Definition{{Name: "files/read", Description: "Reads.", Parameters: s}})
	require.NoError(t, err)
	assert.Equal(t, `[{"name":"files_read","description":"Reads.","inputSchema":{`+properties+`}}]`,
		string(tools.JSON()))
}

func TestGoogleGetsItsSubsetOfJSONSchema(t *testing.T) {
	for _, test := range []struct{ name, form, want string }{
		{"a type in capitals", `{"type":"boolean"}`, `{"type":"BOOLEAN"}`},
		{"null", `{"type":["number","null"]}`, `{"type":"NUMBER","nullable":true}`},
		{
			"several types", `{"type":["string","integer","null"],"description":"d","minimum":1,"minLength":2}`,
			`{"anyOf":[{"type":"STRING","description":"d","minLength":2,"nullable":true},{"type":"INTEGER","minimum":1,"nullable":true}]}`,
		},
		{"a type that is not named", `{"properties":{"x":{}}}`, `{"type":"OBJECT","properties":{"x":{"type":"STRING"}}}`},
		{"listed strings without a type", `{"enum":["a","b",null]}`, `{"type":"STRING","nullable":true,"enum":["a","b"]}`},
		{"listed numbers", `{"enum":[1,2],"description":"How many"}`, `{"type":"INTEGER","description":"How many. One of 1, 2."}`},
		{"a constant", `{"const":"a"}`, `{"type":"STRING","enum":["a"]}`},
		{"a format that the API accepts", `{"type":"string","format":"date-time"}`, `{"type":"STRING","format":"date-time"}`},
		{"a format that the API refuses", `{"type":"string","format":"uri"}`, `{"type":"STRING"}`},
		{"an array without items", `{"type":"array","minItems":1}`, `{"type":"ARRAY","items":{"type":"STRING"},"minItems":1}`},
		{
			"an array with prefixItems", `{"prefixItems":[{"type":"string"},{"type":"integer"}]}`,
			`{"type":"ARRAY","items":{"anyOf":[{"type":"STRING"},{"type":"INTEGER"}]}}`,
		},
		{
			"a type or null in oneOf", `{"oneOf":[{"type":"string"},{"type":"null"}],"description":"d"}`,
			`{"type":"STRING","description":"d","nullable":true}`,
		},
		{
			"allOf",
			`{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"string"}},"required":["b"]}]}`,
			`{"type":"OBJECT","properties":{"a":{"type":"STRING"},"b":{"type":"STRING"}},"required":["a","b"]}`,
		},
		{"true", `true`, `{"type":"STRING"}`},
		{
			"a reference to itself", `{"$ref":"#/$defs/t"}`,
			`{"type":"OBJECT","description":"a tree","properties":{"next":{"type":"OBJECT","description":"a tree"}}}`,
		},
		{"a default", `{"type":"integer","default":5}`, `{"type":"INTEGER","default":5}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			raw := `{"type":"object","properties":{"v":` + test.form + `},
				"$defs":{"t":{"type":"object","description":"a tree","properties":{"next":{"$ref":"#/$defs/t"}}}}}`
			assert.Equal(t, `{"type":"OBJECT","properties":{"v":`+test.want+`}}`, exported(t, export.Google, raw))
		})
	}
	assert.Empty(t, exported(t, export.Google, `{"type":"object"}`), "a function without arguments has no parameters")
}

func TestInlinedReferencesAreLimited(t *testing.T) {
	raw := schematest.FanOut("allOf", 10, "")
	assert.Less(t, len(exported(t, export.Google, raw)), 100_000)
	// A schema with the keyword "not" at the top level is inlined for OpenAI, too.
	assert.Less(t,
		len(exported(t, export.OpenAI, strings.Replace(raw, `"type":"object",`, `"type":"object","not":{"required":["x"]},`, 1))),
		200_000)
}

func TestAllAlternativesAtTheTopAreShown(t *testing.T) {
	s := schematest.Compile(t, `{"type":"object","oneOf":[
		{"properties":{"kind":{"const":"at"},"value":{"type":"integer"}},"required":["kind","value"]},
		{"properties":{"kind":{"const":"named"},"value":{"type":"string"}},"required":["kind","value"]},
		{"properties":{"kind":{"const":"any"},"value":{"type":"array","items":{"type":"integer"}}},"required":["kind"]}]}`)
	for _, p := range providers {
		tools, err := export.NewTools(p, []export.Definition{{Name: "t", Parameters: s}})
		require.NoError(t, err)
		for _, shown := range []string{"named", "any", "array"} {
			require.Contains(t, strings.ToLower(string(tools.JSON())), `"`+shown+`"`, p)
		}
	}
}

// FuzzNewTools checks that every schema that compiles can be written for each provider.
func FuzzNewTools(f *testing.F) {
	for _, seed := range []string{
		`{"type":"object","properties":{"a":{"type":"integer"}},"required":["b"]}`,
		`{"$schema":"http://json-schema.org/draft-04/schema#","properties":{"a":{"items":[{"$ref":"#"}],"exclusiveMinimum":true,"minimum":1}}}`,
		`{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#"},{"type":"number"}]}}}`,
		`{"allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"properties":{"b":{"$ref":"#/$defs/a","if":{},"then":{"$ref":"#/$defs/a"}}}}}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		s, err := schema.Compile(json.RawMessage(raw))
		if len(raw) > 4096 || err != nil {
			return
		}
		for _, p := range providers {
			tools, err := export.NewTools(p, []export.Definition{{Name: "f", Parameters: s}})
			if err != nil || !json.Valid(tools.JSON()) {
				t.Fatalf("%s: %v", p, err)
			}
		}
	})
}

func TestToolsRefuseBadInput(t *testing.T) {
	s := schematest.Compile(t, `{"type":"object"}`)
	_, err := export.NewTools("cohere", nil)
	require.EqualError(t, err, `export: the provider "cohere" is unknown; use openai, anthropic, google or mcp`)
	_, err = export.NewTools(export.OpenAI, []export.Definition{{Name: "a", Parameters: s}, {Name: "a", Parameters: s}})
	require.EqualError(t, err, `export: two definitions have the name "a"; rename one of them`)

	tools, err := export.NewTools(export.OpenAI, nil)
	require.NoError(t, err)
	assert.Equal(t, json.RawMessage(`[]`), tools.JSON())
	assert.Empty(t, tools.Name("a"))
	for _, test := range []struct{ arguments, want string }{
		{`[1]`, "export: the arguments of unknown must be a JSON object, not a list or a single value"},
		{`{`, "export: the arguments of unknown are not JSON: it ends too early"},
		{"{\"\xff\":1}", "export: the arguments of unknown are not UTF-8"},
	} {
		name, _, err := tools.Call("unknown", test.arguments)
		assert.Equal(t, "unknown", name, "an unknown name is returned unchanged")
		require.EqualError(t, err, test.want)
	}
}
