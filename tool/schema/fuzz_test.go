package schema_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/vcpgo/vcp/tool/schema"
)

// FuzzObject checks that Object never panics, that its errors are *ArgumentsError, and that
// Validate accepts its results.
func FuzzObject(f *testing.F) {
	for _, seed := range []struct {
		schema, name, value string
		json                bool
	}{
		{search, "max_results", "5", false},
		{`{"type":"object","properties":{"a":{"type":"integer"}},"required":["b"]}`, "a", "5", false},
		{`{"type":"object","properties":{"a":{"type":["number","null"]}},"required":["a"],"additionalProperties":false}`, "a", "5.0", true},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","properties":{"a":{"type":"integer"}}}`, "a", "5.0", true},
		{`{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#"},{"type":"number"}]}}}`, "a", `{"a":"1e5"}`, true},
		{`{"type":"object","properties":{"a":{"type":["string","integer"],"minimum":1,"multipleOf":0.1}}}`, "a", "1e999", false},
		{`{"type":"object","properties":{"a":{"type":"array","items":{"type":"integer"}}}}`, "a", "1, \"2\",\n", false},
		{`{"type":"object","properties":{"a":{"type":"array","items":{"enum":["x","Y"]}}}}`, "A", "- X\n- 'y'", false},
		{
			`{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"array","default":[1]}}}}}`,
			"a", "```json\n{'c': [True, None,],}\n```", false,
		},
		{`{"type":"object","properties":{"a":{"oneOf":[{"type":"array","items":{"const":null}},{"type":"boolean"}]}}}`, "a", `"['\'']"`, false},
	} {
		f.Add(seed.schema, seed.name, seed.value, seed.json)
	}
	f.Fuzz(func(t *testing.T, raw, name, value string, isJSON bool) {
		if len(raw) > 4096 || len(value) > 4096 {
			return
		}
		s, err := schema.Compile(json.RawMessage(raw))
		if err != nil {
			return
		}
		for _, p := range s.Properties() {
			if !json.Valid(p.Schema) {
				t.Fatalf("%s: %s", p.Name, p.Schema)
			}
		}
		got, _, err := s.Object([]schema.Text{{Name: name, Value: value, JSON: isJSON}})
		if err != nil {
			var arguments *schema.ArgumentsError
			if !errors.As(err, &arguments) {
				t.Fatalf("error of type %T: %v", err, err)
			}
			return
		}
		if err := s.Validate(got); err != nil {
			t.Fatalf("Validate refuses the result of Object: %s: %v", got, err)
		}
	})
}
