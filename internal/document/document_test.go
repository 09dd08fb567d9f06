package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/document"
	_ "github.com/vcpgo/vcp/internal/rapidseed"
)

func text(s string) document.Value   { return document.Value{Kind: document.String, Text: s} }
func number(s string) document.Value { return document.Value{Kind: document.Number, Text: s} }

func list(items ...document.Value) document.Value {
	return document.Value{Kind: document.List, Items: items}
}

func field(name string, value document.Value) document.Field {
	return document.Field{Name: name, Value: value}
}

func mapping(fields ...document.Field) document.Value {
	return document.Value{Kind: document.Mapping, Fields: fields}
}

func TestParseReadsYAMLAndJSON(t *testing.T) {
	null, yes := document.Value{Kind: document.Null}, document.Value{Kind: document.Bool, Text: "true"}
	for _, tt := range []struct {
		name, text string
		want       document.Value
	}{
		{"an empty document has no fields", "", mapping()},
		{"comments alone have no fields", "# nothing\n\n# yet\n", mapping()},
		{"null has no fields", "--- ~\n", mapping()},
		{"fields keep their order", "b: 1\na: 2\n", mapping(field("b", number("1")), field("a", number("2")))},
		{"scalars of YAML", "a: x\nb: '5'\nc: 5\nd: true\ne:\nf: yes\ng: 2001-01-01\nh: 1.5\n", mapping(
			field("a", text("x")), field("b", text("5")), field("c", number("5")), field("d", yes),
			field("e", null), field("f", text("yes")), field("g", text("2001-01-01")), field("h", number("1.5")),
		)},
		{"JSON", `{"a": ["x", 1.5, true, null, {}], "b": []}`, mapping(
			field("a", list(text("x"), number("1.5"), yes, document.Value{Text: "null"}, mapping())),
			field("b", list()),
		)},
		{
			"JSON with tabs and escapes that YAML does not have", "{\n\t\"a\":\t\"\\ud83d\\ude00\\/\"\n}",
			mapping(field("a", text("😀/"))),
		},
		{"YAML that looks like JSON", "{a: [x, y], }", mapping(field("a", list(text("x"), text("y"))))},
		{
			"marks of anchors, aliases and tags in texts",
			"a: \"&b *c !d\" # &e *f !g\nh: x*y&z!\ni: |\n  &j\n  *k\n  !l\n", mapping(
				field("a", text("&b *c !d")), field("h", text("x*y&z!")), field("i", text("&j\n*k\n!l\n")),
			),
		},
		{"twenty nested lists and mappings", "a: " + strings.Repeat("[", 19) + strings.Repeat("]", 19), nested(19)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := document.Parse([]byte(tt.text))
			require.NoError(t, err)
			require.Equal(t, fmt.Sprint(plain(tt.want)), fmt.Sprint(plain(got)))
		})
	}
}

func TestValuesHaveTheirLines(t *testing.T) {
	for name, text := range map[string]string{
		"YAML": "a:\n  - x\n  - {b: 1}\nc: |\n  y\n",
		"JSON": "{\"a\":\n [\"x\",\n  {\"b\": 1}],\n \"c\": \"y\"}",
	} {
		t.Run(name, func(t *testing.T) {
			v, err := document.Parse([]byte(text))
			require.NoError(t, err)
			a := v.Field("a")
			require.Equal(t, []int{1, 2, 2, 3, 3, 4, 4}, []int{
				v.Fields[0].Line, a.Line, a.Items[0].Line, a.Items[1].Line,
				a.Items[1].Fields[0].Line, v.Fields[1].Line, v.Fields[1].Value.Line,
			})
		})
	}
}

func TestAtFollowsAPath(t *testing.T) {
	v, err := document.Parse([]byte("a: [{b: 1}, {b: {c: 2}}]\nd: 3\n"))
	require.NoError(t, err)
	for path, want := range map[string]string{
		"a[1].b.c": "2", "a[0].b": "1", "d": "3", "a[2].b": "", "a[x]": "", "a[": "", "e.f": "", "d[0]": "",
	} {
		require.Equal(t, want, v.At(path).Text, path)
	}
}

func TestJSONKeepsOrderAndDigits(t *testing.T) {
	v, err := document.Parse([]byte("z: [1, 1.50, 0x1F, 1_0.5, true, null, 'x\"', {}]\na: {b: []}\n"))
	require.NoError(t, err)
	data, err := v.JSON()
	require.NoError(t, err)
	require.Equal(t, `{"z":[1,1.50,31,10.5,true,null,"x\"",{}],"a":{"b":[]}}`, string(data))
}

func TestJSONRefusesInfinity(t *testing.T) {
	v, err := document.Parse([]byte("a:\n  - b: .inf"))
	require.NoError(t, err)
	_, err = v.JSON()
	require.Equal(t,
		&document.ValueError{Field: "a[0].b", Line: 2, Value: ".inf", Want: "a number that JSON can express"}, err)
}

// plain returns a value in a form for comparisons. The form omits lines and the spelling of null,
// and does not distinguish nil from an empty list of entries.
func plain(v document.Value) any {
	switch v.Kind {
	case document.Mapping:
		fields := []any{"mapping"}
		for _, f := range v.Fields {
			fields = append(fields, f.Name, plain(f.Value))
		}
		return fields
	case document.List:
		items := []any{"list"}
		for _, item := range v.Items {
			items = append(items, plain(item))
		}
		return items
	case document.Null:
		return nil
	}
	return fmt.Sprintf("%d:%q", v.Kind, v.Text)
}

// nested returns a mapping whose only field contains lists, nested depth deep.
func nested(depth int) document.Value {
	v := list()
	for range depth - 1 {
		v = list(v)
	}
	return mapping(field("a", v))
}

func TestParseRefusesHostileAndBrokenDocuments(t *testing.T) {
	many := func(entry string) string { return strings.Repeat(entry, document.ConfigurationLimits.Entries+1) }
	for _, tt := range []struct{ name, text, want string }{
		{"an anchor", "a: &x 1", "line 1: anchors and aliases"},
		{"an anchor of a mapping", "a: &x\n  b: 1", "anchors and aliases"},
		{"an anchor without a value", "a: &x", "anchors and aliases"},
		{"an anchor of a name", "&x a: 1", "anchors and aliases"},
		{"an anchor of the document", "&x\na: 1", "anchors and aliases"},
		{"an anchor and an alias", "a: &x [1]\nb: *x", "anchors and aliases"},
		{"an alias without an anchor", "a: *x", "unknown anchor"},
		{"a merge key", "a: {b: 1}\n<<: {c: 2}", "the name of a field"},
		{"a tag", "a: !!str 1", "tags are not allowed"},
		{"a tag of a program", "a: !<tag:yaml.org,2002:python/object> x", "tags are not allowed"},
		{"a list as a name", "? [a]\n: b", "the name of a field is a list"},
		{"a field twice", "a: 1\nb: 2\na: 3", `line 3: the field "a" occurs twice`},
		{"a field twice, in two spellings", "a: 1\n\"a\": 3", `the field "a" occurs twice`},
		{"a JSON member twice, in two spellings", `{"a": 1, "\u0061": 3}`, `the field "a" occurs twice`},
		{
			"twenty-one nested lists and mappings", "a: " + strings.Repeat("[", 20) + strings.Repeat("]", 20),
			"nested more than 20 deep",
		},
		{
			"twenty-one nested lists and mappings in JSON",
			`{"a": ` + strings.Repeat("[", 20) + strings.Repeat("]", 20) + "}",
			"nested more than 20 deep",
		},
		{
			"twenty-one nested lists and mappings without brackets", "a:\n " + strings.Repeat("- ", 20) + "x",
			"nested more than 20 deep",
		},
		{"brackets without end", strings.Repeat("[", 1<<20), "nested more than 20 deep"},
		{"nested mappings without end", "a: " + strings.Repeat("{a: ", 30_000), "depth"},
		{"too many items", "a:\n" + many("- 1\n"), "more than 4096 entries"},
		{"too many members", `{"a": [` + many("{},") + "{}]}", "more than 4096 entries"},
		{"too many bytes", strings.Repeat("#", 1<<20) + "\n", "larger than 1 MiB"},
		{"two documents", "a: 1\n---\nb: 2", "line 2: more than one document"},
		{"two JSON values", "{}\n{}", "neither YAML nor JSON"},
		{"a list", "- a", "neither YAML nor JSON with fields: the document is a list"},
		{"a text", "a", `neither YAML nor JSON with fields: the document is "a"`},
		{"a broken document", `{"a": `, "neither YAML nor JSON with fields: line"},
		{
			"a list before a line that is indented by one blank too few", "a:\n  - b: 1\n    c: 2\n   d: []\ne: 3\n",
			"neither YAML nor JSON with fields: line 4: ",
		},
		{"a tab", "a: 1\nb:\n\t- c\n", "neither YAML nor JSON with fields: line 3: "},
		{"a bracket that is not closed", "a: 1\nb: [1, 2\nc: 3\n", "neither YAML nor JSON with fields: line 2: "},
		{"a quotation mark that is not closed", "a: 1\nb: \"x\nc: 3\n", "neither YAML nor JSON with fields: line "},
		{"bytes that are not UTF-8", "a: \xff", "neither YAML nor JSON"},
		{"an error of the library that quotes a long name", "a: *" + strings.Repeat("x", 10_000) + " ", "…"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := document.Parse([]byte(tt.text))
			require.ErrorContains(t, err, tt.want)
			requireShortLine(t, err)
		})
	}
}

func requireShortLine(t *testing.T, err error) {
	t.Helper()
	require.Less(t, len(err.Error()), 500)
	require.NotContains(t, err.Error(), "\n")
}
