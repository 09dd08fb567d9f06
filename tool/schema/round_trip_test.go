package schema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/tool/schema"
)

// form is a schema, and functions that draw values and their texts.
type form struct {
	// json is the schema.
	json any
	// value draws a value that the schema accepts.
	value func(*rapid.T) any
	// write draws a text in which a model may write a value as an argument.
	write func(*rapid.T, any) string
	// plain reports that a plain list may contain the value without quotation marks: it is a scalar
	// other than a string, or a listed string.
	plain bool
}

var words = []string{"red", "Green", "dark blue", "是", "0", "true"}

func drawScalar(t *rapid.T) form {
	switch rapid.IntRange(0, 4).Draw(t, "scalar") {
	case 0:
		return form{
			json:  map[string]any{"type": "string"},
			value: func(t *rapid.T) any { return rapid.String().Draw(t, "string") },
			write: func(_ *rapid.T, v any) string { return v.(string) },
		}
	case 1:
		return form{
			json:  map[string]any{"type": "integer"},
			value: func(t *rapid.T) any { return json.Number(strconv.FormatInt(rapid.Int64().Draw(t, "integer"), 10)) },
			write: func(t *rapid.T, v any) string {
				return fmt.Sprintf(rapid.SampledFrom([]string{"%s", " %s\n", `"%s"`, "%s.0", "%se0"}).Draw(t, "spelling"), v)
			},
			plain: true,
		}
	case 2:
		return form{
			json: map[string]any{"type": "number"},
			value: func(t *rapid.T) any {
				return json.Number(strconv.FormatFloat(rapid.Float64().Draw(t, "number"), 'g', -1, 64))
			},
			write: func(_ *rapid.T, v any) string { return string(v.(json.Number)) },
			plain: true,
		}
	case 3:
		return form{
			json:  map[string]any{"type": "boolean"},
			value: func(t *rapid.T) any { return rapid.Bool().Draw(t, "boolean") },
			write: func(t *rapid.T, v any) string {
				if v.(bool) {
					return rapid.SampledFrom([]string{"true", "True", "YES", "1", "是"}).Draw(t, "true")
				}
				return rapid.SampledFrom([]string{"false", "False", "No", "0", "否"}).Draw(t, "false")
			},
			plain: true,
		}
	}
	return form{
		json:  map[string]any{"enum": []any{words[0], words[1], words[2], words[3], words[4], words[5]}},
		value: func(t *rapid.T) any { return rapid.SampledFrom(words).Draw(t, "word") },
		write: func(t *rapid.T, v any) string {
			return rapid.SampledFrom([]string{v.(string), strings.ToUpper(v.(string)), " " + strings.ToLower(v.(string))}).Draw(t, "case")
		},
		plain: true,
	}
}

// drawForm draws a form of a scalar, or of a list or an object with up to depth levels.
func drawForm(t *rapid.T, depth int) form {
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	switch {
	case depth > 0 && kind < 2:
		return listOf(drawForm(t, depth-1))
	case depth > 0 && kind == 2:
		return drawObject(t, depth)
	case kind == 3:
		return orNull(drawScalar(t))
	}
	return drawScalar(t)
}

func listOf(element form) form {
	return form{
		json: map[string]any{"type": "array", "items": element.json},
		value: func(t *rapid.T) any {
			list := []any{}
			for range rapid.IntRange(0, 3).Draw(t, "length") {
				list = append(list, element.value(t))
			}
			return list
		},
		write: func(t *rapid.T, v any) string {
			list := v.([]any)
			if element.plain && len(list) > 1 && rapid.Bool().Draw(t, "plain list") {
				var texts []string
				for _, e := range list {
					texts = append(texts, strings.TrimSpace(element.write(t, e)))
				}
				return strings.Join(texts,
					rapid.SampledFrom([]string{", ", " ，", "、", "\n", ",\n"}).Draw(t, "separator"))
			}
			return writeJSON(t, v)
		},
	}
}

func drawObject(t *rapid.T, depth int) form {
	members := map[string]form{}
	properties := map[string]any{}
	for _, name := range []string{"a", "b_c", "城市"}[:rapid.IntRange(0, 3).Draw(t, "members")] {
		members[name] = drawForm(t, depth-1)
		properties[name] = members[name].json
	}
	return form{
		json: map[string]any{"type": "object", "properties": properties, "additionalProperties": false},
		value: func(t *rapid.T) any {
			object := map[string]any{}
			for _, name := range slices.Sorted(maps.Keys(members)) {
				if rapid.Bool().Draw(t, "given") {
					object[name] = members[name].value(t)
				}
			}
			return object
		},
		write: writeJSON,
	}
}

func orNull(of form) form {
	return form{
		json: map[string]any{"anyOf": []any{of.json, map[string]any{"type": "null"}}},
		value: func(t *rapid.T) any {
			v := of.value(t)
			if rapid.Bool().Draw(t, "null") || v == "null" { // the text null means null
				return nil
			}
			return v
		},
		write: func(t *rapid.T, v any) string {
			if v == nil {
				return "null"
			}
			return of.write(t, v)
		},
	}
}

// writeJSON writes a value as JSON, or as a Python program would, perhaps in a fence.
func writeJSON(t *rapid.T, v any) string {
	var text string
	if rapid.Bool().Draw(t, "python") {
		text = python(v)
	} else {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		text = string(raw)
	}
	if rapid.Bool().Draw(t, "fence") {
		text = "```json\n" + text + "\n```"
	}
	return text
}

// python writes a value as a literal of Python.
func python(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case json.Number:
		return string(v)
	case string:
		var b strings.Builder
		for _, r := range v {
			switch {
			case r == '\'' || r == '\\':
				b.WriteString(`\` + string(r))
			case r < ' ':
				fmt.Fprintf(&b, `\u%04x`, r)
			default:
				b.WriteRune(r)
			}
		}
		return "'" + b.String() + "'"
	case []any:
		var b strings.Builder
		for _, e := range v {
			b.WriteString(python(e) + ",\n")
		}
		if len(v)%2 == 1 { // write every list of odd length as a tuple
			return "(" + b.String() + ")"
		}
		return "[" + b.String() + "]"
	case map[string]any:
		var b strings.Builder
		for name, e := range v {
			b.WriteString(python(name) + ": " + python(e) + ", ")
		}
		return "{" + b.String() + "}"
	}
	panic(fmt.Sprintf("%T", v))
}

func decoded(t *rapid.T, raw []byte) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestEveryValueComesBack draws a schema, a value that it accepts, and a text for the value.
// Reading the text must return the value. Reading the value as JSON must return it without repairs.
func TestEveryValueComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawForm(t, 3)
		raw, err := json.Marshal(map[string]any{"type": "object", "properties": map[string]any{"v": f.json}, "required": []any{"v"}})
		if err != nil {
			t.Fatal(err)
		}
		s, err := schema.Compile(raw)
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		want := f.value(t)
		text := f.write(t, want)
		object, _, err := s.Object([]schema.Text{{Name: "v", Value: text}})
		if err != nil {
			t.Fatalf("%s\n%q: %v", raw, text, err)
		}
		got := decoded(t, object).(map[string]any)["v"]
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s\n%q: %s", raw, text, diff)
		}
		value, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		again, repaired, err := s.Object([]schema.Text{{Name: "v", Value: string(value), JSON: true}})
		if err != nil || len(repaired) > 0 || !bytes.Equal(again, object) {
			t.Fatalf("%s\nfirst %s, then %s, %v, %v", raw, object, again, repaired, err)
		}
	})
}

// TestAStringIsNeverRepaired checks that a string argument, and a string within JSON, stays
// unchanged.
func TestAStringIsNeverRepaired(t *testing.T) {
	s := schematest.Compile(t,
		`{"type":"object","properties":{"s":{"type":"string"},"l":{"type":"array","items":{"type":"string"}},"any":{}}}`)
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"None", "[1,]", "{'a':1}", "```json\n[1]\n```", "a, b", "007", "yes", "null", `"x"`, " x ", "是", "1e3", "",
	}))
	rapid.Check(t, func(t *rapid.T) {
		want := text.Draw(t, "text")
		list, err := json.Marshal([]string{want})
		if err != nil {
			t.Fatal(err)
		}
		object, repaired, err := s.Object([]schema.Text{{Name: "s", Value: want}, {Name: "any", Value: want}, {Name: "l", Value: string(list)}})
		if err != nil || len(repaired) > 0 {
			t.Fatal(err, repaired)
		}
		var got struct {
			S, Any string
			L      []string
		}
		if err := json.Unmarshal(object, &got); err != nil {
			t.Fatal(err)
		}
		if got.S != want || got.Any != want || len(got.L) != 1 || got.L[0] != want {
			t.Fatalf("%q became %+v", want, got)
		}
	})
}
