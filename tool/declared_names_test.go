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
		{"in another spelling", `{"type":"object","properties":{"apiKey":{"type":"string"}}}`, "API-Key", ""},
		{"a member at any depth", deep, "password", ""},
		{"a member of one of several forms", `{"type":"object","oneOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"key":{"type":"string"}}}]}`, "key", ""},
		{"a member of an object of which nothing is said", `{"type":"object","properties":{"headers":{"type":"object"}}}`, "nope", ""},
		{"or of a map", `{"type":"object","properties":{"headers":{"type":"object","additionalProperties":{"type":"string"}}}}`, "nope", ""},
		{"or of anything", `{"type":"object","properties":{"body":{}}}`, "nope", ""},
		{"or of anything in a list", `{"type":"object","properties":{"bodies":{"type":"array","items":true}}}`, "nope", ""},
		{"or among arguments of any name", `{"type":"object"}`, "nope", ""},
		{"none of these", `{"type":"object","properties":{"key":{"type":"string"}},"additionalProperties":false}`, "nope", nowhere},
		{"none if a schema does not mention others", `{"type":"object","properties":{"key":{"type":["string","null"]}}}`, "nope", nowhere},
		{"a word of a default or a choice", `{"type":"object","properties":{"key":{"type":"string","enum":["nope"],"default":"nope"}}}`, "nope", nowhere},
		{"a name of a definition", `{"type":"object","properties":{"key":{"$ref":"#/$defs/nope"}},"$defs":{"nope":{"type":"string"}}}`, "nope", nowhere},
		{"a misspelt one", deep, "pasword", `secret parameter "pasword": the parameters declare no such name; did you mean pass_word?`},
		{"no name", deep, "", `secret parameter "": the parameters declare no such name`},
		{"without arguments", `{"type":"object","additionalProperties":false}`, "nope", nowhere},
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
