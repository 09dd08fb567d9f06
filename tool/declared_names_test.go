package tool_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool"
)

func TestSecretParameterMustBeDeclared(t *testing.T) {
	const deep = `{"type":"object","properties":{"list":{"type":"array","items":{"$ref":"#/$defs/login"}}},
		"$defs":{"login":{"type":"object","properties":{"name":{"type":"string"},"pass_word":{"type":"string"}}}}}`
	const nowhere = `secret parameter "nope": the parameters declare no such name`
	for _, tt := range []struct{ name, schema, secret, want string }{
		{"an argument", `{"type":"object","properties":{"key":{"type":"string"}}}`, "key", ""},
		{"an argument in another spelling", `{"type":"object","properties":{"apiKey":{"type":"string"}}}`, "API-Key", ""},
		{"a member at any depth", deep, "password", ""},
		{
			"a member of one of several alternatives",
			`{"type":"object","oneOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"key":{"type":"string"}}}]}`,
			"key", "",
		},
		{
			"a member of an object whose schema says nothing about members",
			`{"type":"object","properties":{"headers":{"type":"object"}}}`, "nope", "",
		},
		{
			"a member of a map",
			`{"type":"object","properties":{"headers":{"type":"object","additionalProperties":{"type":"string"}}}}`, "nope", "",
		},
		{"a member of an argument of any type", `{"type":"object","properties":{"body":{}}}`, "nope", ""},
		{
			"a member of an element of any type",
			`{"type":"object","properties":{"bodies":{"type":"array","items":true}}}`, "nope", "",
		},
		{"an argument, if any name is allowed", `{"type":"object"}`, "nope", ""},
		{
			"an undeclared name, if other names are forbidden",
			`{"type":"object","properties":{"key":{"type":"string"}},"additionalProperties":false}`, "nope", nowhere,
		},
		{
			"an undeclared name, if the schema does not mention other names",
			`{"type":"object","properties":{"key":{"type":["string","null"]}}}`, "nope", nowhere,
		},
		{
			"a default or a listed value",
			`{"type":"object","properties":{"key":{"type":"string","enum":["nope"],"default":"nope"}}}`, "nope", nowhere,
		},
		{
			"the name of a definition",
			`{"type":"object","properties":{"key":{"$ref":"#/$defs/nope"}},"$defs":{"nope":{"type":"string"}}}`,
			"nope", nowhere,
		},
		{
			"a misspelled name",
			deep, "pasword", `secret parameter "pasword": the parameters declare no such name; did you mean pass_word?`,
		},
		{"an empty name", deep, "", `secret parameter "": the parameters declare no such name`},
		{"any name, if there are no arguments", `{"type":"object","additionalProperties":false}`, "nope", nowhere},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tool.Raw("m", "", json.RawMessage(tt.schema), echo, tool.SecretParameters(tt.secret))
			if tt.want == "" {
				require.NoError(t, err)
				return
			}
			var definition *tool.DefinitionError
			require.ErrorAs(t, err, &definition)
			require.Equal(t, tt.want, definition.Reason)
		})
	}
}
