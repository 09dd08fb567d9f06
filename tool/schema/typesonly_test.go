package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool/schema"
)

// Whatever else a schema says beside types is held against the arguments.
func TestWhatASchemaSaysBesideTypesCounts(t *testing.T) {
	for name, test := range map[string]struct {
		schema string
		args   []schema.Text
		ok     bool
	}{
		"types alone":                       {`{"properties":{"a":{"type":"string"}}}`, []schema.Text{{Name: "a", Value: "x"}}, true},
		"nothing is required":               {`{"properties":{"a":{"type":"string"}}}`, nil, true},
		"a required argument":               {`{"properties":{"a":{"type":"string"}},"required":["a"]}`, nil, false},
		"a required one that is undeclared": {`{"properties":{"a":{"type":"string"}},"required":["b"]}`, []schema.Text{{Name: "a", Value: "x"}}, false},
		"no fewer than two arguments":       {`{"properties":{"a":{"type":"string"}},"minProperties":2}`, []schema.Text{{Name: "a", Value: "x"}}, false},
		"a length":                          {`{"properties":{"a":{"type":"string","minLength":2}}}`, []schema.Text{{Name: "a", Value: "x"}}, false},
		"a pattern":                         {`{"properties":{"a":{"type":"string","pattern":"^y"}}}`, []schema.Text{{Name: "a", Value: "x"}}, false},
		"a format":                          {`{"properties":{"a":{"type":"string","format":"date"}}}`, []schema.Text{{Name: "a", Value: "x"}}, false},
		"a maximum":                         {`{"properties":{"a":{"type":"integer","maximum":4}}}`, []schema.Text{{Name: "a", Value: "5"}}, false},
		"elements":                          {`{"properties":{"a":{"type":"array","items":{"type":"integer"}}}}`, []schema.Text{{Name: "a", Value: `["x"]`, JSON: true}}, false},
		"another type in JSON":              {`{"properties":{"a":{"type":"object"}}}`, []schema.Text{{Name: "a", Value: `[1]`, JSON: true}}, false},
		"a fraction for an integer":         {`{"properties":{"a":{"type":"integer"}}}`, []schema.Text{{Name: "a", Value: `1.5`, JSON: true}}, false},
		"an integer for a number":           {`{"properties":{"a":{"type":"number"}}}`, []schema.Text{{Name: "a", Value: `7`, JSON: true}}, true},
		"an integer with a point":           {`{"properties":{"a":{"type":"integer"}}}`, []schema.Text{{Name: "a", Value: `7.0`, JSON: true}}, true},
		"null where it is allowed":          {`{"properties":{"a":{"type":["string","null"]}}}`, []schema.Text{{Name: "a", Value: `null`, JSON: true}}, true},
		"null where it is not":              {`{"properties":{"a":{"type":"string"}}}`, []schema.Text{{Name: "a", Value: `null`, JSON: true}}, false},
		"what not to be":                    {`{"properties":{"a":{"type":"string"}},"not":{"required":["a"]}}`, []schema.Text{{Name: "a", Value: "x"}}, false},
		"others of a type": {
			`{"properties":{"a":{"type":"string"}},"additionalProperties":{"type":"integer"}}`, []schema.Text{{Name: "b", Value: `"x"`, JSON: true}}, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := schema.Compile(json.RawMessage(test.schema))
			require.NoError(t, err)
			_, _, err = s.Object(test.args)
			assert.Equal(t, test.ok, err == nil, "%v", err)
		})
	}
}
