package schema_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/tool/schema"
)

// TestArgumentsAreCheckedAgainstAllKeywords checks arguments against keywords that the fast check
// covers and against others.
func TestArgumentsAreCheckedAgainstAllKeywords(t *testing.T) {
	for name, test := range map[string]struct {
		schema, args string // args is a JSON object
		ok           bool
	}{
		"types alone":                             {`{"properties":{"a":{"type":"string"}}}`, `{"a":"x"}`, true},
		"nothing is required":                     {`{"properties":{"a":{"type":"string"}}}`, `{}`, true},
		"a required argument is missing":          {`{"properties":{"a":{"type":"string"}},"required":["a"]}`, `{}`, false},
		"an undeclared argument is required":      {`{"properties":{"a":{"type":"string"}},"required":["b"]}`, `{"a":"x"}`, false},
		"too few arguments":                       {`{"properties":{"a":{"type":"string"}},"minProperties":2}`, `{"a":"x"}`, false},
		"a text that is too short":                {`{"properties":{"a":{"type":"string","minLength":2}}}`, `{"a":"x"}`, false},
		"a text that breaks a pattern":            {`{"properties":{"a":{"type":"string","pattern":"^y"}}}`, `{"a":"x"}`, false},
		"a text in another format":                {`{"properties":{"a":{"type":"string","format":"date"}}}`, `{"a":"x"}`, false},
		"a number that is too large":              {`{"properties":{"a":{"type":"integer","maximum":4}}}`, `{"a":5}`, false},
		"an element of another type":              {`{"properties":{"a":{"type":"array","items":{"type":"integer"}}}}`, `{"a":["x"]}`, false},
		"an array for an object":                  {`{"properties":{"a":{"type":"object"}}}`, `{"a":[1]}`, false},
		"a fraction for an integer":               {`{"properties":{"a":{"type":"integer"}}}`, `{"a":1.5}`, false},
		"an integer for a number":                 {`{"properties":{"a":{"type":"number"}}}`, `{"a":7}`, true},
		"an integer with a point":                 {`{"properties":{"a":{"type":"integer"}}}`, `{"a":7.0}`, true},
		"null if it is allowed":                   {`{"properties":{"a":{"type":["string","null"]}}}`, `{"a":null}`, true},
		"null if it is not allowed":               {`{"properties":{"a":{"type":"string"}},"required":["a"]}`, `{"a":null}`, false},
		"an unlisted value":                       {`{"properties":{"a":{"type":"string","enum":["x","y"]}}}`, `{"a":"z"}`, false},
		"too many elements":                       {`{"properties":{"a":{"type":"array","maxItems":1}}}`, `{"a":[1,2]}`, false},
		`a value that the keyword "not" excludes`: {`{"properties":{"a":{"type":"string"}},"not":{"required":["a"]}}`, `{"a":"x"}`, false},
		"an undeclared argument of another type": {
			`{"properties":{"a":{"type":"string"}},"additionalProperties":{"type":"integer"}}`, `{"b":"x"}`, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := schema.Compile(json.RawMessage(test.schema))
			require.NoError(t, err)
			var members map[string]json.RawMessage
			require.NoError(t, json.Unmarshal([]byte(test.args), &members))
			var args []schema.Text
			for name, value := range members {
				args = append(args, schema.Text{Name: name, Value: string(value), JSON: true})
			}
			_, _, err = s.Object(args)
			assert.Equal(t, test.ok, err == nil, "%v", err)
		})
	}
}

// TestFastCheckAgreesWithTheValidator checks that Object accepts every value that the validator
// accepts, and returns only such values. The drawn schemas use the keywords that a fast
// check knows, and the values are close to their limits.
func TestFastCheckAgreesWithTheValidator(t *testing.T) {
	fits := 0
	rapid.Check(t, func(t *rapid.T) {
		drawn := sizedSchema(t, 2)
		raw, err := json.Marshal(map[string]any{"type": "object", "properties": map[string]any{"a": drawn}, "required": []string{"a"}})
		require.NoError(t, err)
		s, err := schema.Compile(raw)
		require.NoError(t, err)
		c := jsonschema.NewCompiler()
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		require.NoError(t, err)
		require.NoError(t, c.AddResource("fields:///a", doc))
		validator, err := c.Compile("fields:///a")
		require.NoError(t, err)

		value, err := json.Marshal(sizedValue(t, 2))
		require.NoError(t, err)
		given, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(`{"a":` + string(value) + `}`)))
		require.NoError(t, err)
		object, _, err := s.Object([]schema.Text{{Name: "a", Value: string(value), JSON: true}})
		if validator.Validate(given) == nil {
			require.NoError(t, err, "%s does not take %s", raw, value)
			require.JSONEq(t, `{"a":`+string(value)+`}`, string(object))
			fits++
			return
		}
		if err == nil { // the value was repaired
			repaired, err := jsonschema.UnmarshalJSON(bytes.NewReader(object))
			require.NoError(t, err)
			require.NoError(t, validator.Validate(repaired), "%s takes %s", raw, object)
		}
	})
	require.NotZero(t, fits)
}

// sizedSchema draws a schema with up to three types and with small limits.
func sizedSchema(t *rapid.T, depth int) map[string]any {
	drawn := map[string]any{}
	someOf := func(label string, most int, list ...string) []string {
		return rapid.SliceOfNDistinct(rapid.SampledFrom(list), 0, most, rapid.ID).Draw(t, label)
	}
	types := someOf("types", 3, "string", "integer", "number", "boolean", "null", "object", "array")
	if len(types) > 0 {
		drawn["type"] = types
	}
	for _, keyword := range someOf("keywords", 4,
		"minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "enum", "items") {
		switch keyword {
		case "minimum", "maximum":
			drawn[keyword] = rapid.SampledFrom([]any{-1, 0, 2, 2.5, json.Number("9223372036854775807"), json.Number("1e30")}).Draw(t, keyword)
		case "enum":
			drawn[keyword] = rapid.SampledFrom([]any{[]any{"red"}, []any{"a", "世界"}, []any{"red", 1, nil}}).Draw(t, keyword)
		case "items":
			if depth > 0 {
				drawn[keyword] = sizedSchema(t, depth-1)
			}
		default:
			drawn[keyword] = rapid.IntRange(0, 3).Draw(t, keyword)
		}
	}
	return drawn
}

// sizedValue draws a value close to the limits of sizedSchema.
func sizedValue(t *rapid.T, depth int) any {
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		return rapid.SampledFrom([]string{"", "a", "ab", "世界", "世界人民", "red"}).Draw(t, "string")
	case 1:
		return rapid.SampledFrom([]json.Number{
			"-2", "-1", "0", "1", "2", "3", "2.5", "3.0", "1e2", "9223372036854775807", "9223372036854775808", "-9223372036854775809",
		}).Draw(t, "number")
	case 2:
		return rapid.Bool().Draw(t, "boolean")
	case 3:
		return map[string]any{}
	case 4:
		if depth > 0 {
			return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) any { return sizedValue(t, depth-1) }), 0, 4).Draw(t, "list")
		}
	}
	return nil
}
