package schema_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/tool/schema"
)

// Schemas as foreign tools have them, which describe an argument several times at the top level: in
// the alternatives of oneOf or anyOf, or again in allOf.
const (
	byKind = `{"type":"object","oneOf":[
		{"properties":{"kind":{"const":"at"},"value":{"type":"integer"}},"required":["kind","value"]},
		{"properties":{"kind":{"const":"named"},"value":{"type":"string"}},"required":["kind","value"]},
		{"properties":{"kind":{"const":"any"},"value":{"type":"array","items":{"type":"integer"}}},"required":["kind"]}]}`
	byType  = `{"type":"object","anyOf":[{"properties":{"value":{"type":"integer"}}},{"properties":{"value":{"type":"boolean"}}}]}`
	refined = `{"type":"object","properties":{"value":{"description":"how many"}},"allOf":[{"properties":{"value":{"type":"integer"}}}]}`
)

func TestAllArgumentsDecideTheAlternative(t *testing.T) {
	for _, tt := range []struct {
		name, schema string
		args         []schema.Text
		want         string
	}{
		{"the first alternative fits", byKind, []schema.Text{{Name: "kind", Value: "at"}, {Name: "value", Value: "7"}}, `{"kind":"at","value":7}`},
		{
			"another argument decides the alternative", byKind,
			[]schema.Text{{Name: "kind", Value: "named"}, {Name: "value", Value: "seven"}},
			`{"kind":"named","value":"seven"}`,
		},
		{
			"another argument decides, even if the first alternative could read the text", byKind,
			[]schema.Text{{Name: "kind", Value: "named"}, {Name: "value", Value: "007"}},
			`{"kind":"named","value":"007"}`,
		},
		{
			"the order of arguments does not matter", byKind,
			[]schema.Text{{Name: "value", Value: "1, 2"}, {Name: "kind", Value: "any"}},
			`{"kind":"any","value":[1,2]}`,
		},
		{
			"arguments in JSON", byKind,
			[]schema.Text{{Name: "kind", Value: `"any"`, JSON: true}, {Name: "value", Value: `["1"]`, JSON: true}},
			`{"kind":"any","value":[1]}`,
		},
		{"only one alternative can read the text", byType, []schema.Text{{Name: "value", Value: "yes"}}, `{"value":true}`},
		{"the first alternative, if several can read the text", byType, []schema.Text{{Name: "value", Value: "1"}}, `{"value":1}`},
		{"a type that only allOf states", refined, []schema.Text{{Name: "value", Value: "7"}}, `{"value":7}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			object, _, err := schematest.Compile(t, tt.schema).Object(tt.args)
			require.NoError(t, err)
			require.Equal(t, tt.want, string(object))
		})
	}
}

func TestErrorNamesAllAlternatives(t *testing.T) {
	for _, tt := range []struct {
		name, schema string
		args         []schema.Text
		want         schema.Problem
	}{
		{
			"types", byType,
			[]schema.Text{{Name: "value", Value: "many"}},
			schema.Problem{Path: "value", Code: schema.CodeType, Expected: "integer (digits only) or boolean (true or false)", Received: `"many"`},
		},
		{
			"listed values", byKind,
			[]schema.Text{{Name: "kind", Value: "of"}},
			schema.Problem{Path: "kind", Code: schema.CodeEnum, Expected: `one of "at", "named", "any"`, Received: `"of"`},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := schematest.Compile(t, tt.schema).Object(tt.args)
			var bad *schema.ArgumentsError
			require.ErrorAs(t, err, &bad)
			require.Contains(t, bad.Problems, tt.want)
		})
	}
}

func TestOnlyRepairsOfTheUsedAlternativeAreReported(t *testing.T) {
	_, repaired, err := schematest.Compile(t, byKind).Object([]schema.Text{{Name: "kind", Value: "named"}, {Name: "value", Value: "1e2"}})
	require.NoError(t, err)
	require.Empty(t, repaired, "a string needs no repair")
	_, repaired, err = schematest.Compile(t, byType).Object([]schema.Text{{Name: "Value", Value: "yes"}})
	require.NoError(t, err)
	require.Equal(t,
		[]schema.Repaired{{Repair: schema.ArgumentName, Path: "value"}, {Repair: schema.BooleanSpelling, Path: "value"}},
		repaired)
}

func TestPropertiesUniteAlternatives(t *testing.T) {
	const wantValue = `{"anyOf":[{"type":"integer"},{"type":"string"},{"type":"array","items":{"type":"integer"}}]}`
	properties := schematest.Compile(t, byKind).Properties()
	require.Len(t, properties, 2)
	require.Equal(t, "string", properties[0].Type)
	require.Len(t, properties[0].Enum, 3)
	require.Empty(t, properties[1].Type)
	require.JSONEq(t, wantValue, string(properties[1].Schema))
	properties = schematest.Compile(t, refined).Properties()
	require.Equal(t, "integer", properties[0].Type)
	require.Equal(t, "how many", properties[0].Description)
}

// TestTheAlternativeThatFitsIsUsed checks that an argument is read by the alternative that fits all
// arguments, even if another alternative could read its text.
func TestTheAlternativeThatFitsIsUsed(t *testing.T) {
	s := schematest.Compile(t, byKind)
	rapid.Check(t, func(rt *rapid.T) {
		kind, value := "named", rapid.OneOf(rapid.String(), rapid.StringMatching(`[0-9., \[\]"-]*`)).Draw(rt, "text")
		var want string
		if rapid.Bool().Draw(rt, "a number") {
			kind, value = "at", strconv.Itoa(rapid.Int().Draw(rt, "number"))
			want = `{"kind":"at","value":` + value + `}`
		} else {
			text, err := json.Marshal(value)
			require.NoError(rt, err)
			want = `{"kind":"named","value":` + string(text) + `}`
		}
		args := []schema.Text{{Name: "kind", Value: kind}, {Name: "value", Value: value}}
		if rapid.Bool().Draw(rt, "reversed") {
			slices.Reverse(args)
		}
		object, repaired, err := s.Object(args)
		require.NoError(rt, err)
		require.Empty(rt, repaired)
		require.JSONEq(rt, want, string(object))
	})
}
