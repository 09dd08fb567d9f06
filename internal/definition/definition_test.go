package definition_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/definition"
	"github.com/vcpgo/vcp/tool"
)

// summary contains the parts of a registered method that tests compare.
type summary struct {
	Name, Title, Description string
	Aliases                  []string
	Parameters               string // names and types of the parameters, in the order of the document
	Examples                 int
	HostRun                  bool
}

// register registers the definitions of a document, and returns the methods.
func register(document string, handler tool.Handler) ([]summary, error) {
	registry := tool.NewRegistry()
	err := definition.Register(registry, []byte(document), handler)
	var list []summary
	for _, e := range registry.Entries() {
		parameters := ""
		for _, p := range e.Method.Parameters.Properties() {
			parameters += p.Name + " " + p.Type + ","
		}
		list = append(list, summary{
			Name: e.FullName, Title: e.Method.Title, Description: e.Method.Description, Aliases: e.Method.Aliases,
			Parameters: parameters, Examples: len(e.Method.Examples), HostRun: e.Method.HostRun,
		})
	}
	return list, err
}

func TestEachFormOfADefinitionIsRead(t *testing.T) {
	const schema = `{"type":"object","properties":{"path":{"type":"string"},"deep":{"type":"boolean"}},
		"required":["path"]}`
	plain := summary{Name: "files.read", Description: "Reads.", Parameters: "path string,deep boolean,", HostRun: true}
	whole := plain
	whole.Title, whole.Aliases, whole.Examples = "Read", []string{"cat"}, 1
	for _, tt := range []struct {
		name, document string
		want           []summary
	}{
		{"OpenAI", `[{"type":"function","function":{"name":"files.read","description":"Reads.","parameters":` + schema +
			`,"strict":true}}]`, []summary{plain}},
		{"OpenAI, Responses API", `[{"type":"function","name":"files.read","description":"Reads.","parameters":` +
			schema + `}]`, []summary{plain}},
		{"Anthropic", `[{"name":"files.read","description":"Reads.","input_schema":` + schema + `}]`, []summary{plain}},
		{
			"MCP", `[{"name":"files.read","description":"Reads.","inputSchema":` + schema + `,"annotations":{}}]`,
			[]summary{plain},
		},
		{
			"MCP, the list of a server",
			`{"tools":[{"name":"files.read","description":"Reads.","inputSchema":` + schema + `}]}`,
			[]summary{plain},
		},
		{
			"MCP, the response of a server",
			`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"files.read","description":"Reads.","inputSchema":` +
				schema + `}]}}`,
			[]summary{plain},
		},
		{
			"BFCL", `{"name":"files.read","description":"Reads.","parameters":{"type":"dict","properties":{
				"path":{"type":"String"},"deep":{"type":"bool"}}},"response":{}}`,
			[]summary{plain},
		},
		{
			"vcp tools --json",
			`[{"fullName":"files.read","title":"Read","aliases":["cat"],"description":"Reads.","risk":"read",
				"enabled":true,"parameters":` + schema +
				`,"examples":[{"path":"a"}]},{"fullName":"off","enabled":false},{"tool":"x","health":"down"}]`,
			[]summary{whole},
		},
		{
			"a definition without a list",
			` {"name":"files.read","description":"Reads.","parameters":` + schema + "}\n",
			[]summary{plain},
		},
		{"a list that is empty", `[]`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := register(tt.document, nil)
			require.NoError(t, err)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTypesOfBFCLBecomeTypesOfJSONSchema(t *testing.T) {
	registry := tool.NewRegistry()
	require.NoError(t, definition.Register(registry, []byte(`{"name":"a","parameters":{"type":"dict","properties":{
		"z":{"type":"float"},"list":{"type":"tuple","items":{"type":"long"}},"any":{"type":"any","description":"d"},
		"of":{"type":"HashMap","additionalProperties":{"type":"char"}},
		"type":{"type":"dict","properties":{"b":{"type":"int"}}}},
		"required":["z"]}}`), nil))
	got := registry.Entries()[0].Method.Parameters.JSON()
	require.JSONEq(t, `{"type":"object","properties":{
		"z":{"type":"number"},"list":{"type":"array","items":{"type":"integer"}},"any":{"description":"d"},
		"of":{"type":"object","additionalProperties":{"type":"string"}},
		"type":{"type":"object","properties":{"b":{"type":"integer"}}}},
		"required":["z"]}`, string(got))
}

func TestHandlerRunsTheMethods(t *testing.T) {
	done := errors.New("done")
	registry := tool.NewRegistry()
	handler := func(context.Context, *tool.Call) (tool.Output, error) { return tool.Output{}, done }
	require.NoError(t, definition.Register(registry, []byte(`[{"name":"a"}]`), handler))
	e := registry.Entries()[0]
	require.False(t, e.Method.HostRun)
	_, err := e.Method.Handler(t.Context(), &tool.Call{})
	require.ErrorIs(t, err, done)
}

func TestInvalidDocumentsAreRefused(t *testing.T) {
	for _, tt := range []struct {
		name, document string
		entry          int // the number of the wrong definition; 0 means the whole document
		registered     int // how many definitions before the wrong one are registered
		cause          any // a pointer to the type of the cause; nil if it has no type of its own
	}{
		{"an empty document", " \n", 0, 0, nil},
		{"a text that is not JSON", "nope", 0, 0, new(*json.SyntaxError)},
		{"more than one value", `{"name":"a"} {"name":"b"}`, 0, 0, new(*json.SyntaxError)},
		{"neither a list nor an object", `"name"`, 0, 0, nil},
		{"tools that are not a list", `{"tools":{"name":"a"}}`, 0, 0, nil},
		{"a definition that is not an object", `[{"name":"a"},1]`, 2, 1, nil},
		{"a definition that is null", `[null]`, 1, 0, nil},
		{"a name that is not a string", `[{"name":7}]`, 1, 0, nil},
		{"no name", `[{"name":"a"},{"description":"d"}]`, 2, 1, nil},
		{"no name in the form of OpenAI", `[{"type":"function","name":"a","function":{}}]`, 1, 0, nil},
		{"a name that cannot be called", `[{"name":"a b"}]`, 1, 0, new(*tool.DefinitionError)},
		{"a schema that is not an object's", `[{"name":"a","parameters":{"type":"string"}}]`, 1, 0, new(*tool.DefinitionError)},
		{
			"a schema that cannot be compiled", `[{"name":"a","inputSchema":{"type":7}}]`, 1, 0,
			new(*tool.DefinitionError),
		},
		{
			"an example that does not fit its schema",
			`[{"name":"a","examples":[{"x":1}],"parameters":{"type":"object","additionalProperties":false}}]`, 1, 0,
			new(*tool.DefinitionError),
		},
		{"a name twice", `[{"name":"a"},{"name":"a"}]`, 2, 1, new(*tool.ConflictError)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := register(tt.document, nil)
			var wrong *definition.Error
			require.ErrorAs(t, err, &wrong)
			require.Equal(t, tt.entry, wrong.Entry)
			require.Len(t, got, tt.registered)
			if tt.cause != nil {
				require.ErrorAs(t, err, tt.cause)
			}
		})
	}
}
