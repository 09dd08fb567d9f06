package tool_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/schematest"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/vcp"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
	"github.com/vcpgo/vcp/tool/schema/export"
)

// definitions is the directory with the definitions of real servers.
const definitions = "../testdata/definitions"

// textProtocols are the protocols in which the real definitions are written.
var textProtocols = []interface {
	protocol.Protocol
	protocol.Reader
}{vcp.Protocol{}, hermes.Protocol{}}

// providers are the kinds of API to which the real definitions are exported.
var providers = []export.Provider{export.OpenAI, export.Anthropic, export.Google, export.MCP}

// sameJSON compares JSON by its meaning, because Hermes escapes angle brackets.
var sameJSON = cmp.Comparer(func(a, b json.RawMessage) bool {
	return len(a)+len(b) == 0 || len(a) > 0 && len(b) > 0 && schematest.SameJSON(a, b)
})

// nilIsEmpty makes a nil list of parameters equal to an empty one.
var nilIsEmpty = cmp.FilterValues(func(a, b []protocol.Parameter) bool { return len(a)+len(b) == 0 }, cmp.Ignore())

// rates counts the outcomes for real definitions and their calls.
type rates struct {
	// Prompted counts, for each text protocol, the definitions that were read back from a prompt.
	// Exported counts, for each kind of API, those that were found again in the exported form.
	Definitions, Registered, Prompted, Exported int
	// Exact counts the calls that were read back with the same arguments, apart from added
	// defaults. Other counts those with other arguments.
	Calls, Exact, Other int
	// The sizes of the definitions in VCP, and of their plainDefinition.
	VcpBytes, VcpTokens, PlainBytes, PlainTokens int
}

// TestUnracedRealDefinitionsReadBack registers each definition, writes it for models, and exports
// it. Arguments that its schema accepts are written as requests, read back and converted. Apart
// from added defaults, almost all must be equal to the original.
func TestUnracedRealDefinitionsReadBack(t *testing.T) {
	longtest.SkipIfRaced(t)
	var all rates
	for _, s := range schematest.Servers(t, definitions) {
		var r rates
		registry := tool.NewRegistry()
		for _, d := range s.Tools {
			r.Definitions++
			m, err := tool.HostRun("m", d.Description, d.InputSchema, tool.FullName(d.Name), tool.Title(d.Title))
			if err == nil {
				err = registry.Register(tool.Tool{ID: d.Name, Methods: []tool.Method{m}})
			}
			if err != nil {
				t.Errorf("%s is not registered: %v", d.Name, err)
				continue
			}
			r.Registered++
			e, _ := registry.Lookup(d.Name)
			r.prompt(t, e, d.InputSchema)
			r.export(t, e)
			r.call(t, e, d.InputSchema)
		}
		t.Logf("%-50s %s", s.Name, r)
		all.add(r)
	}
	t.Log(all)
	assert.GreaterOrEqual(t, all.Definitions, 300, "definitions in the files")
	assert.Equal(t, all.Definitions, all.Registered, "registered")
	assert.Equal(t, len(textProtocols)*all.Definitions, all.Prompted, "read back from the prompts")
	assert.Equal(t, len(providers)*all.Definitions, all.Exported, "exported")
	// In plain text, a string that is exactly the JSON of an object is read as an object if the
	// schema accepts both. So one call of 1000 may have other arguments.
	assert.LessOrEqual(t, 1000*all.Other, all.Calls, "calls with other arguments")
	assert.Equal(t, all.Calls, all.Exact+all.Other, "calls that came back")
	assert.GreaterOrEqual(t, all.Calls, 2*all.Definitions, "for most schemas, arguments are found")
	// In VCP, definitions may be 8% longer than in JSON.
	assert.LessOrEqual(t, float64(all.VcpBytes), 1.08*float64(all.PlainBytes), "bytes of the prompt")
	assert.LessOrEqual(t, float64(all.VcpTokens), 1.08*float64(all.PlainTokens), "tokens of the prompt")
}

func (r *rates) add(s rates) {
	sum, more := reflect.ValueOf(r).Elem(), reflect.ValueOf(s)
	for i := range sum.NumField() {
		sum.Field(i).SetInt(sum.Field(i).Int() + more.Field(i).Int())
	}
}

func (r rates) String() string {
	return fmt.Sprintf("%3d definitions: %d registered, %d of %d prompts and %d of %d exports read back, %d of %d calls exact; "+
		"VCP %.3f of plain JSON in bytes, %.3f in tokens",
		r.Definitions, r.Registered, r.Prompted, len(textProtocols)*r.Definitions,
		r.Exported, len(providers)*r.Definitions, r.Exact, r.Calls,
		float64(r.VcpBytes)/float64(r.PlainBytes), float64(r.VcpTokens)/float64(r.PlainTokens))
}

// prompt writes the definition for models, reads it again, and adds up its sizes. The schema of a
// parameter must not repeat what another field says.
func (r *rates) prompt(t *testing.T, e *tool.Entry, raw json.RawMessage) {
	d := e.Definition("en")
	for _, p := range textProtocols {
		text := p.GenerateToolDefinitions([]protocol.ToolDefinition{d}, protocol.PromptOptions{})
		read, err := p.ParseToolDefinitions(text)
		require.NoError(t, err, e.FullName)
		if diff := cmp.Diff([]protocol.ToolDefinition{d}, read, nilIsEmpty, sameJSON); diff != "" {
			t.Errorf("%s in %s (-written +read):\n%s", e.FullName, p.ID(), diff)
			continue
		}
		r.Prompted++
		if p.ID() == "vcp" {
			_, text, _ = strings.Cut(text, "\n<<<[TOOL_DEFINITION]>>>")
			text = "<<<[TOOL_DEFINITION]>>>" + text
			r.VcpBytes += len(text)
			r.VcpTokens += protocol.EstimateTokens(text)
		}
	}
	for _, p := range d.Parameters {
		var members map[string]json.RawMessage
		if json.Unmarshal(p.Schema, &members) != nil {
			continue
		}
		for name, set := range map[string]bool{
			"type": p.Type != "", "description": p.Description != "", "default": p.Default != nil,
			"enum": p.Enum != nil,
		} {
			if _, again := members[name]; again && set {
				t.Errorf("%s: the schema of %s repeats its %s: %s", e.FullName, p.Name, name, p.Schema)
			}
		}
	}
	plain := plainDefinition(t, e, raw)
	r.PlainBytes += len(plain)
	r.PlainTokens += protocol.EstimateTokens(plain)
}

// plainDefinition returns the definition in JSON as its server writes it, but without $defs to
// which nothing refers, because no prompt contains these.
func plainDefinition(t *testing.T, e *tool.Entry, raw json.RawMessage) string {
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(raw, &members))
	for _, keyword := range []string{"$defs", "definitions"} {
		var declared map[string]json.RawMessage
		if json.Unmarshal(members[keyword], &declared) != nil {
			continue
		}
		delete(members, keyword)
		used := map[string]json.RawMessage{}
		for usedBefore := -1; usedBefore != len(used); { // until a pass adds no definition
			usedBefore = len(used)
			text := string(encoded(t, members)) + string(encoded(t, used))
			for name, sub := range declared {
				if strings.Contains(text, `"#/`+keyword+"/"+name+`"`) {
					used[name] = sub
				}
			}
		}
		if len(used) > 0 {
			members[keyword] = encoded(t, used)
		}
	}
	return string(encoded(t, struct {
		Name        string          `json:"name"`
		Title       string          `json:"title,omitempty"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"inputSchema"`
	}{e.FullName, e.Method.Title, e.Method.Description, encoded(t, members)}))
}

func encoded(t *testing.T, v any) json.RawMessage {
	t.Helper()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	require.NoError(t, encoder.Encode(v))
	return bytes.TrimSpace(b.Bytes())
}

// export writes the definition for each kind of API, translates its name in that API back, and
// compares the names of its arguments.
func (r *rates) export(t *testing.T, e *tool.Entry) {
	for _, p := range providers {
		tools, err := export.NewTools(p, []export.Definition{e.NativeDefinition("en")})
		require.NoError(t, err)
		require.True(t, json.Valid(tools.JSON()))
		name, _, err := tools.Call(tools.Name(e.FullName), "{}")
		if assert.NoError(t, err) && assert.Equal(t, e.FullName, name) &&
			assert.Equal(t, argumentsOf(t, e.Method.Parameters), exportedArguments(t, p, tools), e.FullName) {
			r.Exported++
		}
	}
}

// exportedArguments lists the names of the arguments of the only definition in tools. Its schema
// must compile, unless p is export.Google.
func exportedArguments(t *testing.T, p export.Provider, tools *export.Tools) []string {
	t.Helper()
	var list []struct {
		Function    struct{ Parameters json.RawMessage }
		InputSchema json.RawMessage
		Anthropic   json.RawMessage `json:"input_schema"`
	}
	if p == export.Google { // its schemas are not JSON Schema
		var groups []struct {
			FunctionDeclarations []struct {
				Parameters struct{ Properties map[string]any }
			}
		}
		require.NoError(t, json.Unmarshal(tools.JSON(), &groups))
		return slices.Sorted(maps.Keys(groups[0].FunctionDeclarations[0].Parameters.Properties))
	}
	require.NoError(t, json.Unmarshal(tools.JSON(), &list))
	raw := map[export.Provider]json.RawMessage{
		export.OpenAI:    list[0].Function.Parameters,
		export.Anthropic: list[0].Anthropic, export.MCP: list[0].InputSchema,
	}[p]
	s, err := schema.Compile(raw)
	require.NoError(t, err)
	return argumentsOf(t, s)
}

func argumentsOf(t *testing.T, s *schema.Schema) []string {
	t.Helper()
	var names []string
	for _, p := range s.Properties() {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return names
}

// TestTheNoticeNamesEachServerOfRealDefinitions checks that the file NOTICE names each server whose
// definitions are in testdata, and a license that allows copying them.
func TestTheNoticeNamesEachServerOfRealDefinitions(t *testing.T) {
	notice, err := os.ReadFile("../testdata/definitions/NOTICE")
	require.NoError(t, err)
	for _, s := range schematest.Servers(t, definitions) {
		assert.Contains(t, []string{"MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC"}, s.License, s.Name)
		assert.Contains(t, string(notice),
			fmt.Sprintf("%s %s (%d definitions)\n  %s. ", s.Name, s.Version, len(s.Tools), s.License))
		assert.Contains(t, string(notice), "\n  "+s.Source+"\n")
	}
}
