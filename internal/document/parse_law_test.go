package document_test

import (
	"encoding/json"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/internal/document"
	_ "github.com/vcpgo/vcp/internal/rapidseed"
)

// TestLawParseReadsWhatOthersWrote checks that Parse reads the values that other code has written
// as YAML or JSON. (A law is a property that rapid checks with generated inputs.)
func TestLawParseReadsWhatOthersWrote(t *testing.T) {
	// Control characters other than \n and \t are omitted: json.Marshal writes some of them, such
	// as DEL, without an escape, and YAML does not allow that.
	words := rapid.StringOf(rapid.Rune().Filter(func(r rune) bool {
		return unicode.IsPrint(r) || r == '\n' || r == '\t'
	}))
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		scalars := []*rapid.Generator[any]{
			words.AsAny(), rapid.SampledFrom([]string{
				"&a", "*a", "!!x", "- a", "a: b", "true", "5", "~", "", "<<",
				"#x", "\t", "{", "yes",
			}).AsAny(),
			rapid.Bool().AsAny(), rapid.Int().AsAny(), rapid.Just[any](nil),
		}
		if depth == 0 {
			return rapid.OneOf(scalars...)
		}
		return rapid.OneOf(append(scalars,
			rapid.SliceOfN(value(depth-1), 0, 4).AsAny(), rapid.MapOfN(words, value(depth-1), 0, 4).AsAny())...)
	}
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.MapOfN(words, value(3), 1, 4).Draw(t, "document")
		for name, marshal := range map[string]func(any) ([]byte, error){"YAML": blockYAML, "JSON": json.Marshal} {
			data, err := marshal(want)
			if err != nil {
				t.Fatal(err)
			}
			v, err := document.Parse(data)
			if err != nil {
				t.Fatalf("%s: %v in\n%s", name, err, data)
			}
			if diff := cmp.Diff(any(asText(want)), asText(decoded(v))); diff != "" {
				t.Fatalf("%s (-want +got):\n%s\n%s", name, diff, data)
			}
		}
	})
}

// blockYAML returns a value as YAML, with indented lists and mappings, and with scalars as JSON.
func blockYAML(v any) ([]byte, error) {
	var write func(v any, indent string) string
	write = func(v any, indent string) string {
		text := ""
		switch v := v.(type) {
		case map[string]any:
			for name, value := range v {
				text += indent + asText(name) + ":" + write(value, indent+"  ")
			}
		case []any:
			for _, item := range v {
				text += indent + "-" + write(item, indent+"  ")
			}
		}
		if text == "" {
			return " " + asText(v) + "\n"
		}
		return "\n" + text
	}
	return []byte(write(v, "")), nil
}

// decoded returns a value as encoding/json would decode it, with numbers as they are written.
func decoded(v document.Value) any {
	switch v.Kind {
	case document.Null:
		return nil
	case document.Bool:
		return v.Text == "true"
	case document.Number:
		return json.Number(v.Text)
	case document.List:
		items := []any{}
		for _, item := range v.Items {
			items = append(items, decoded(item))
		}
		return items
	case document.Mapping:
		fields := map[string]any{}
		for _, f := range v.Fields {
			fields[f.Name] = decoded(f.Value)
		}
		return fields
	}
	return v.Text
}

func asText(v any) string {
	data, _ := json.Marshal(v)
	return string(data)
}
