package tool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema/export"
)

var update = flag.Bool("update", false, "rewrite the golden files, after a deliberate change")

// createIssue is a schema as foreign tools have it: with references, alternatives, null, a
// constant, and allOf at the top level.
const createIssue = `{
	"$schema":"http://json-schema.org/draft-07/schema#",
	"type":"object",
	"properties":{
		"repo":{"$ref":"#/definitions/repo"},
		"labels":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}],"description":"Names of labels."},
		"priority":{"type":["integer","null"],"enum":[1,2,3,null],"default":2},
		"due-date":{"type":"string","format":"date"},
		"assignee":{"oneOf":[{"type":"string","pattern":"^[a-z]+$"},
			{"type":"object","properties":{"id":{"type":"integer","exclusiveMinimum":0}},"required":["id"]}]},
		"kind":{"const":"bug"}
	},
	"required":["repo"],
	"allOf":[{"properties":{"due-date":{}}}],
	"definitions":{"repo":{"type":"object","description":"A repository.","properties":{
		"owner":{"type":"string"},"name":{"type":"string","minLength":1},"fork":{"$ref":"#/definitions/repo"}},
		"required":["owner","name"],"additionalProperties":false}}
}`

// describedMethods returns the methods whose definitions the golden files contain.
func describedMethods(t *testing.T) []*tool.Entry {
	type forecast struct {
		City  string   `json:"city" jsonschema:"where, in any language"`
		Days  int      `json:"days" minimum:"1" maximum:"7" default:"3"`
		Units string   `json:"units" enum:"metric,imperial" default:"metric"`
		Parts []string `json:"parts,omitempty" enum:"wind,rain"`
	}
	weather, err := tool.New("forecast", "Tells the weather.",
		func(context.Context, forecast) (string, error) { return "", nil })
	require.NoError(t, err)
	issue, err := tool.Raw("create_issue", "Opens an issue.", json.RawMessage(createIssue), echo,
		tool.FullName("github/create_issue"))
	require.NoError(t, err)
	now, err := tool.Raw("now", "Tells the time.", nil, echo)
	require.NoError(t, err)
	r := tool.NewRegistry()
	require.NoError(t, r.Register(
		tool.Tool{ID: "weather", Methods: []tool.Method{weather}},
		tool.Tool{ID: "github", Methods: []tool.Method{issue}},
		tool.Tool{ID: "clock", Methods: []tool.Method{now}},
	))
	return r.Entries()
}

// definitionFormat writes definitions as text and reads them again. Protocols implement it.
type definitionFormat interface {
	GenerateToolDefinitions(definitions []protocol.ToolDefinition, o protocol.PromptOptions) string
	ParseToolDefinitions(text string) ([]protocol.ToolDefinition, error)
}

// TestDefinitionsEqualTheGoldenFiles compares the definitions of the same methods with golden
// files: as text of two protocols, and as JSON for three kinds of APIs. The texts must also read
// back unchanged.
func TestDefinitionsEqualTheGoldenFiles(t *testing.T) {
	var texts []protocol.ToolDefinition
	var native []export.Definition
	for _, e := range describedMethods(t) {
		texts = append(texts, e.Definition("en"))
		native = append(native, e.NativeDefinition("en"))
	}
	got := map[string]string{}
	for name, p := range map[string]definitionFormat{"vcp.txt": vcp.Protocol{}, "hermes.txt": hermes.Protocol{}} {
		got[name] = p.GenerateToolDefinitions(texts, protocol.PromptOptions{})
		read, err := p.ParseToolDefinitions(got[name])
		require.NoError(t, err)
		if diff := cmp.Diff(texts, read, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-written +read):\n%s", name, diff)
		}
	}
	for _, p := range []export.Provider{export.OpenAI, export.Anthropic, export.Google} {
		tools, err := export.NewTools(p, native)
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, json.Indent(&b, tools.JSON(), "", "  "))
		b.WriteByte('\n')
		got[string(p)+".json"] = b.String()
	}
	for name, text := range got {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("testdata", "forms", name)
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			if diff := cmp.Diff(string(want), text); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParametersRepeatNothingInTheirSchema(t *testing.T) {
	for _, tt := range []struct{ name, form, want string }{
		{"a string", `{"type":"string"}`, `{"name":"v","type":"string"}`},
		{
			"a string or null",
			`{"type":["string","null"],"minLength":1}`, `{"name":"v","type":"string","nullable":true,"schema":{"minLength":1}}`,
		},
		{
			"a string or null as alternatives",
			`{"anyOf":[{"type":"string","format":"date"},{"type":"null"}],"default":null,"title":"V","description":"d"}`,
			`{"name":"v","type":"string","nullable":true,"default":null,"description":"d","schema":{"format":"date"}}`,
		},
		{
			"listed values and null",
			`{"enum":["a",null],"type":["string","null"]}`, `{"name":"v","type":"string","enum":["a",null]}`,
		},
		{
			"an array", `{"type":"array","items":{"type":"string"},"description":"d","default":[]}`,
			`{"name":"v","type":"array","default":[],"description":"d","schema":{"items":{"type":"string"}}}`,
		},
		{"an array of anything", `{"type":"array"}`, `{"name":"v","type":"array"}`},
		{
			"an object or null, with a description within oneOf",
			`{"oneOf":[{"type":"object","description":"d","properties":{"a":{"type":"null"}}},{"type":"null"}]}`,
			`{"name":"v","type":"object","nullable":true,"description":"d","schema":{"properties":{"a":{"type":"null"}}}}`,
		},
		{
			"a reference with a description", `{"allOf":[{"$ref":"#/$defs/o"}],"description":"d"}`,
			`{"name":"v","type":"object","description":"d","schema":{"required":["x"]}}`,
		},
		{
			"two descriptions", `{"anyOf":[{"type":"array","description":"a"},{"type":"null"}],"description":"b"}`,
			`{"name":"v","type":"array","nullable":true,"description":"b","schema":{"anyOf":[{"type":"array","description":"a"},{"type":"null"}]}}`,
		},
		{
			"several types", `{"type":["string","integer","null"],"description":"d"}`,
			`{"name":"v","description":"d","schema":{"type":["string","integer","null"]}}`,
		},
		{"a constant object", `{"const":{"a":1}}`, `{"name":"v","type":"object","enum":[{"a":1}]}`},
		{"anything", `true`, `{"name":"v"}`},
		{"nothing", `false`, `{"name":"v","schema":false}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			object := `{"type":"object","properties":{"v":` + tt.form + `},"$defs":{"o":{"type":"object","required":["x"]}}}`
			m, err := tool.Raw("m", "", json.RawMessage(object), echo)
			require.NoError(t, err)
			r := tool.NewRegistry()
			require.NoError(t, r.Register(tool.Tool{ID: "t", Methods: []tool.Method{m}}))
			definitions := []protocol.ToolDefinition{r.Entries()[0].Definition("en")}
			got, err := json.Marshal(definitions[0].Parameters[0])
			require.NoError(t, err)
			require.Equal(t, tt.want, string(got))
			for _, p := range []definitionFormat{vcp.Protocol{}, hermes.Protocol{}} {
				read, err := p.ParseToolDefinitions(p.GenerateToolDefinitions(definitions, protocol.PromptOptions{}))
				require.NoError(t, err)
				back, err := json.Marshal(read[0].Parameters[0])
				require.NoError(t, err)
				require.JSONEq(t, tt.want, string(back))
			}
		})
	}
}
