package schema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/tool/schema"
)

func TestUnracedCompileRefusesCostlySchemas(t *testing.T) {
	longtest.SkipIfRaced(t)
	nested := func(n int) string {
		return `{"type":"object","default":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}`
	}
	properties := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`"p%d":{}`, i))
		}
		return `{"type":"object","properties":{` + strings.Join(list, ",") + `}}`
	}
	patterns := func(n int) string { // a{1000} counts as 2000 instructions
		return `{"type":"object","properties":{"v":{"pattern":"` + strings.Repeat("a{1000}", n) + `"}}}`
	}
	byPattern := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`"%da{1000}":{}`, i))
		}
		return `{"type":"object","patternProperties":{` + strings.Join(list, ",") + `}}`
	}
	listed := func(n int) string { // a listed number counts as about one schema
		return `{"type":"object","properties":{"v":{"enum":[` + strings.Repeat("1,", n-1) + `1]}}}`
	}
	for _, test := range []struct{ name, fits, schema, want string }{
		{
			"bytes", `{"type":"object","title":"` + strings.Repeat("x", 200<<10) + `"}`,
			`{"type":"object","title":"` + strings.Repeat("x", 256<<10) + `"}`,
			"has 262172 bytes, and 262144 are allowed",
		},
		{"nesting", nested(99), nested(100), "nested more than 100 deep"},
		{"subschemas", properties(4094), properties(4095), "has more than 4096 objects and booleans"},
		{"repetition in patterns", patterns(9), patterns(10), "has patterns that take more than 20000 instructions"},
		{"many patterns", byPattern(9), byPattern(10), "has patterns that take more than 20000 instructions"},
		{
			"a number with a large exponent", `{"type":"object","properties":{"v":{"minimum":1e1000}}}`,
			`{"type":"object","properties":{"v":{"minimum":1e1000000000}}}`,
			"has at properties.v.minimum a number with more than 1000 digits or an exponent of more than 1000",
		},
		{
			"alternatives within alternatives", schematest.FanOut("anyOf", 10, ""),
			schematest.FanOut("anyOf", 11, ""), "checks one value at #/$defs/p0 against more than 4096 schemas",
		},
		{"listed numbers", listed(3000), listed(5000), "against more than 4096 schemas and listed values"},
		{
			"allOf within allOf", schematest.FanOut("allOf", 10, ""),
			schematest.FanOut("allOf", 60, ""), "checks one value at #/$defs/p",
		},
		{
			"a target that depends on the value", `{"type":"object"}`,
			`{"type":"object","$dynamicAnchor":"a","properties":{"v":{"$dynamicRef":"#a"}}}`, "uses $dynamicRef",
		},
		{
			"a target that depends on the value, in an older draft", `{"type":"object"}`,
			`{"$schema":"https://json-schema.org/draft/2019-09/schema","type":"object","properties":{"v":{"$recursiveRef":"#"}}}`,
			"uses $dynamicRef or $recursiveRef",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := schema.Compile(json.RawMessage(test.fits))
			require.NoError(t, err)
			_, err = schema.Compile(json.RawMessage(test.schema))
			require.Error(t, err)
			assert.Contains(t, err.Error(), test.want)
			assert.Less(t, len(err.Error()), 300)
		})
	}
}

func TestUnracedObjectRefusesCostlyChecks(t *testing.T) {
	longtest.SkipIfRaced(t)
	tree := `{"type":"object","properties":{"v":{"$ref":"#/$defs/t"}},"$defs":{"t":{"anyOf":[
		{"type":"array","items":{"$ref":"#/$defs/t"}},{"type":"array","items":{"$ref":"#/$defs/t"},"maxItems":3},{"type":"integer"}]}}}`
	nested := func(n int) string { return strings.Repeat("[", n) + `1` + strings.Repeat("]", n) }
	wide := schematest.FanOut("anyOf", 10, "")
	dependencies := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`"p%d":[]`, i))
		}
		return strings.Join(list, ",")
	}
	for _, test := range []struct{ name, schema, fits, value string }{
		{"alternatives at every depth", tree, nested(8), nested(60)},
		{
			"many elements, each with as many alternatives as the limit allows",
			strings.Replace(wide, `{"$ref":"#/$defs/p0"}`, `{"type":"array","items":{"$ref":"#/$defs/p0"}}`, 1),
			`["abc","def"]`, "[" + strings.Repeat(`"ab",`, 300) + `"ab"]`,
		},
		{
			"a long text against a large pattern",
			`{"type":"object","properties":{"v":{"type":"string","pattern":"^a{900}b{900}c"}}}`, "",
			strings.Repeat("a", 100_000),
		},
		{
			"many short texts against a large pattern",
			`{"type":"object","properties":{"v":{"type":"array","items":{"type":"string","pattern":"^a{900}b{900}c"}}}}`, "",
			"[" + strings.Repeat(`"aaaaaaaa",`, 2000) + `"a"]`,
		},
		{
			"a long name of a member against a large pattern",
			`{"type":"object","properties":{"v":{"type":"object","patternProperties":{"^a{900}b{900}c":{}}}}}`, `{"a":1}`,
			`{"` + strings.Repeat("a", 20_000) + `":1}`,
		},
		{
			"a long name against the pattern of propertyNames",
			`{"type":"object","properties":{"v":{"type":"object","propertyNames":{"allOf":[{"pattern":"a{900}b{900}c"}]}}}}`, "",
			`{"` + strings.Repeat("a", 20_000) + `":1}`,
		},
		{
			"many objects against many dependencies",
			`{"type":"object","properties":{"v":{"type":"array","items":{"type":"object","dependentRequired":{` +
				dependencies(5000) + `}}}}}`, "[{}]",
			"[" + strings.Repeat("{},", 2000) + "{}]",
		},
		{
			"a very long list", `{"type":"object","properties":{"v":{"type":"array","items":{"type":"integer"}}}}`,
			"[" + strings.Repeat("1,", 50_000) + "1]", "[" + strings.Repeat("1,", 300_000) + "1]",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := schematest.Compile(t, test.schema)
			if test.fits != "" {
				_, _, err := s.Object([]schema.Text{{Name: "v", Value: test.fits}})
				require.NoError(t, err)
			}
			_, _, err := s.Object([]schema.Text{{Name: "v", Value: test.value}})
			require.ErrorContains(t, err, "more than can be checked against the schema")
			object, err := json.Marshal(map[string]json.RawMessage{"v": json.RawMessage(test.value)})
			if err != nil {
				return // the value is a string
			}
			require.ErrorContains(t, s.Validate(object), "more than can be checked against the schema")
		})
	}
}

func TestLongTextIsReadUpToTheLimit(t *testing.T) {
	s := schematest.Compile(t, fiveFields)
	long := strings.Repeat("长x\n", 1<<20)
	got, _, err := s.Object([]schema.Text{{Name: "path", Value: "."}, {Name: "query", Value: long}})
	require.NoError(t, err)
	assert.Greater(t, len(got), len(long))
	_, _, err = s.Object([]schema.Text{{Name: "path", Value: "."}, {Name: "query", Value: long + long}})
	require.EqualError(t, err,
		"invalid arguments: arguments: expected at most 8388608 bytes in all, got 10485778 bytes")
}

func TestDefaultsAreLimited(t *testing.T) {
	s := schematest.Compile(t, `{"type":"object","properties":{"v":{"type":"array","items":{"type":"object","properties":{
		"d":{"type":"string","default":"`+strings.Repeat("x", 100_000)+`"}}}}}}`)
	_, _, err := s.Object([]schema.Text{{Name: "v", Value: "[{},{}]"}})
	require.NoError(t, err)
	_, _, err = s.Object([]schema.Text{{Name: "v", Value: "[" + strings.Repeat("{},", 10_000) + "{}]"}})
	require.ErrorContains(t, err, "expected at most 8388608 bytes in all")
	t.Run("their parts are not counted again for each object", func(t *testing.T) {
		s := schematest.Compile(t, `{"type":"object","properties":{"v":{"type":"array","items":{"type":"object","properties":{
			"d":{"default":[`+strings.Repeat("1,", 60_000)+`1]}}}}}}`)
		// Counted again, the parts would be twelve billion, and the test would take minutes.
		_, _, err := s.Object([]schema.Text{{Name: "v", Value: "[" + strings.Repeat("{},", 200_000) + "{}]"}})
		require.ErrorContains(t, err, "expected at most 8388608 bytes in all")
	})
}

// TestWorkIsAnUpperBound checks that the estimated work is at least the number of errors that the
// validator reports, because each error takes a visit.
func TestWorkIsAnUpperBound(t *testing.T) {
	for _, test := range []struct{ name, schema, value string }{
		{"several schemas that must all fit", schematest.FanOut("allOf", 8, ""), `{"v":"ab"}`},
		{"alternatives", schematest.FanOut("anyOf", 8, ""), `{"v":"ab"}`},
		{"exactly one alternative", schematest.FanOut("oneOf", 8, ""), `{"v":"ab"}`},
		{"nested lists", `{"type":"object","properties":{"v":{"$ref":"#/$defs/t"}},"$defs":{"t":{"allOf":[
			{"items":{"$ref":"#/$defs/t"}},{"items":{"$ref":"#/$defs/t"}},{"not":{"type":"integer"}}]}}}`, `{"v":[[[[[[[[1]]]]]]]]}`},
		{
			"members by pattern",
			`{"type":"object","patternProperties":{"a":{"minLength":3},"b":{"minLength":3}},"additionalProperties":{"minLength":4}}`,
			`{"ab":"x","abc":"x","c":"x"}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			work, findings := schema.WorkAndFindings(schematest.Compile(t, test.schema), test.value)
			require.NotZero(t, findings)
			assert.GreaterOrEqual(t, work, findings)
		})
	}
}
