package schema_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/tool/schema"
)

var dropping = schema.ObjectOptions{DropUnknown: true}

func TestDropUnknownDropsUndeclaredArguments(t *testing.T) {
	const properties = `"type":"object","properties":{"path":{"type":"string"},"n":{"type":"integer","minimum":1}}`
	for _, test := range []struct {
		name, rest string // rest is the part of the schema after the properties
		drops      bool
	}{
		{"a schema that says nothing", ``, true},
		{
			"a schema whose subschemas say nothing",
			`,"allOf":[{"required":["path"]},{"$ref":"#/$defs/a"}],"$defs":{"a":{"properties":{"m":{}}}}`, true,
		},
		{"alternatives that say nothing", `,"anyOf":[{"required":["path"]},{"required":["n"]}]`, true},
		{"additionalProperties is false", `,"additionalProperties":false`, false},
		{"unevaluatedProperties is false", `,"unevaluatedProperties":false`, false},
		{
			"a subschema forbids other arguments",
			`,"allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"additionalProperties":false,"properties":{"path":{}}}}`,
			false,
		},
		{"an alternative forbids other arguments", `,"anyOf":[{"required":["path"]},{"additionalProperties":false}]`, false},
		{"names are limited", `,"propertyNames":{"maxLength":20}`, false},
		{"a condition may depend on the argument", `,"if":{"required":["verbosity"]},"then":{"required":["n"]}`, false},
		{"another argument may require the argument", `,"dependentRequired":{"path":["verbosity"]}`, false},
		{"a schema may depend on the argument", `,"dependentSchemas":{"verbosity":{"required":["n"]}}`, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := schematest.Compile(t, `{`+properties+test.rest+`}`)
			args := []schema.Text{{Name: "path", Value: "a"}, {Name: "verbosity", Value: "high"}}
			object, repaired, err := s.ObjectWith(args, dropping)
			if test.drops {
				require.NoError(t, err)
				assert.JSONEq(t, `{"path":"a"}`, string(object))
				assert.Equal(t, []schema.Repaired{{Repair: schema.UnknownArgument, Path: "verbosity"}}, repaired)
			} else {
				requireUnknown(t, err, "verbosity")
			}
			_, _, err = s.Object(args)
			requireUnknown(t, err, "verbosity")
		})
	}
	s := schematest.Compile(t, `{`+properties+`}`)
	t.Run("refuses a value that may contain the arguments", func(t *testing.T) {
		for _, arg := range []schema.Text{
			{Name: "args", Value: `{"path":"docs"}`},
			{Name: "args", Value: `{"path":"docs"}`, JSON: true},
			{Name: "args", Value: `"{\"path\":\"docs\"}"`, JSON: true},
			{Name: "args", Value: "\n [\"docs\"]"},
			{Name: "args", Value: `["docs"]`, JSON: true},
			{Name: "args", Value: "{path: docs"},
		} {
			_, _, err := s.ObjectWith([]schema.Text{arg}, dropping)
			requireUnknown(t, err, "args")
		}
	})
	t.Run("refuses a name that is too short or too long to be compared with the declared ones", func(t *testing.T) {
		for _, name := range []string{"", "--", "path_and_nothing_else_in_any_other_place_whatever_it_is_called_there"} {
			_, _, err := s.ObjectWith([]schema.Text{{Name: name, Value: "docs"}}, dropping)
			require.Error(t, err, name)
		}
	})
	t.Run("reports the unknown argument beside other problems", func(t *testing.T) {
		_, _, err := s.ObjectWith([]schema.Text{{Name: "n", Value: "0"}, {Name: "verbosity", Value: "high"}}, dropping)
		requireUnknown(t, err, "verbosity")
	})
	t.Run("drops up to MaxPlaces arguments", func(t *testing.T) {
		var args []schema.Text
		for i := range schema.MaxPlaces {
			args = append(args, schema.Text{Name: fmt.Sprintf("zz%d", i), Value: "1"})
		}
		_, repaired, err := s.ObjectWith(args, dropping)
		require.NoError(t, err)
		require.Len(t, repaired, schema.MaxPlaces)
		_, _, err = s.ObjectWith(append(args, schema.Text{Name: "zz", Value: "1"}), dropping)
		require.Error(t, err)
	})
}

// requireUnknown requires that the last problem of err is that the argument name is unknown.
func requireUnknown(t *testing.T, err error, name string) {
	t.Helper()
	var refused *schema.ArgumentsError
	require.ErrorAs(t, err, &refused)
	last := refused.Problems[len(refused.Problems)-1]
	require.Equal(t, name, last.Path)
	require.True(t, last.Unknown())
}

// TestDroppedArgumentsChangeNothing checks that ObjectWith with DropUnknown returns what Object
// returns for the request without the dropped arguments, and that Takes returns false for these.
func TestDroppedArgumentsChangeNothing(t *testing.T) {
	s := schematest.Compile(t, `{"type":"object","required":["n"],"properties":{
		"path":{"type":"string","default":"."},"n":{"type":"integer","minimum":1}}}`)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"path", "Path", "n", "zz", "file_path", "深度"})
		var args, known []schema.Text
		for range rapid.IntRange(0, 4).Draw(t, "arguments") {
			args = append(args,
				schema.Text{Name: name.Draw(t, "name"), Value: rapid.SampledFrom([]string{"1", "0", "a"}).Draw(t, "value")})
		}
		object, repaired, err := s.ObjectWith(args, dropping)
		if err != nil {
			return
		}
		dropped := map[string]bool{}
		for _, r := range repaired {
			dropped[r.Path] = dropped[r.Path] || r.Repair == schema.UnknownArgument
		}
		for _, arg := range args {
			if s.Takes(arg.Name) == dropped[arg.Name] {
				t.Fatalf("%s: Takes is %v, and ObjectWith dropped it: %v", arg.Name, s.Takes(arg.Name),
					dropped[arg.Name])
			}
			if !dropped[arg.Name] {
				known = append(known, arg)
			}
		}
		want, _, err := s.Object(known)
		if err != nil || string(want) != string(object) {
			t.Fatalf("without the dropped arguments: %s, %v; with them: %s", want, err, object)
		}
	})
}
