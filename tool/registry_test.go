package tool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

func echo(_ context.Context, call *tool.Call) (tool.Output, error) {
	return tool.Output{Text: string(call.Arguments)}, nil
}

// method returns a method without arguments.
func method(t testing.TB, name string, opts ...tool.Option) tool.Method {
	t.Helper()
	m, err := tool.Raw(name, "does "+name, nil, echo, opts...)
	require.NoError(t, err)
	return m
}

// names returns the full names of entries.
func names(entries []*tool.Entry) []string {
	list := make([]string, len(entries))
	for i, e := range entries {
		list[i] = e.FullName
	}
	return list
}

func TestEntriesAreSortedAndFoundByFullName(t *testing.T) {
	r := tool.NewRegistry()
	require.NoError(t, r.Register(
		tool.Tool{ID: "zoo", Methods: []tool.Method{method(t, "open"), method(t, "close")}},
		tool.Tool{
			ID: "github", Owner: "mcp",
			Methods: []tool.Method{method(t, "create_issue", tool.FullName("github/create_issue"))},
		},
		tool.Tool{ID: "directory-tree", Methods: []tool.Method{method(t, "listFiles", tool.AgentCallable())}},
	))
	assert.Equal(t, []string{"directory-tree_listFiles", "github/create_issue", "zoo_close", "zoo_open"},
		names(r.Entries()))

	e, ok := r.Lookup("github/create_issue")
	require.True(t, ok)
	assert.Equal(t, "mcp", e.Owner)
	assert.Equal(t, "github", e.Tool.ID)
	e, ok = r.Lookup("zoo_open")
	require.True(t, ok)
	assert.Equal(t, "application", e.Owner)
	assert.False(t, e.Method.AgentCallable, "a method is not callable by agents unless it says so")
	_, ok = r.Lookup("ZOO_open")
	assert.False(t, ok, "Lookup accepts the exact spelling only")
}

func TestRegisterRefusesInvalidTools(t *testing.T) {
	// valid is registered together with the invalid tool.
	valid := func(t *testing.T) tool.Tool { return tool.Tool{ID: "fine", Methods: []tool.Method{method(t, "one")}} }
	for _, test := range []struct {
		name string
		tool func(t *testing.T) tool.Tool
		want error
	}{
		{"a tool id that is taken", func(t *testing.T) tool.Tool {
			return tool.Tool{ID: "files", Owner: "plugin", Methods: []tool.Method{method(t, "other")}}
		}, &tool.ConflictError{Kind: "tool", Name: "files", Owner: "plugin", Holder: "application"}},
		{"a full name that is taken", func(t *testing.T) tool.Tool {
			m := method(t, "list", tool.FullName("files_list"))
			return tool.Tool{ID: "mine", Owner: "plugin", Methods: []tool.Method{m}}
		}, &tool.ConflictError{Kind: "method", Name: "files_list", Owner: "plugin", Holder: "application"}},
		{"the same method twice", func(t *testing.T) tool.Tool {
			return tool.Tool{ID: "twice", Methods: []tool.Method{method(t, "a"), method(t, "a")}}
		}, &tool.ConflictError{Kind: "method", Name: "twice_a", Owner: "application", Holder: "application"}},
		{"an alias that another method of the tool has", func(t *testing.T) tool.Tool {
			return tool.Tool{ID: "twice", Methods: []tool.Method{method(t, "a"), method(t, "b", tool.Alias("a"))}}
		}, &tool.ConflictError{Kind: "alias", Name: "a", Owner: "application", Holder: "application"}},
		{"an underscore in the name of a method without a full name", func(t *testing.T) tool.Tool {
			m := method(t, "a")
			m.Name = "list_all"
			return tool.Tool{ID: "files2", Methods: []tool.Method{m}}
		}, &tool.DefinitionError{
			Name:   "list_all",
			Reason: "name must not contain _, which separates the tool's id from the method's name; write it in camelCase or with -",
		}},
		{
			"a tool without methods", func(*testing.T) tool.Tool { return tool.Tool{ID: "empty"} },
			&tool.DefinitionError{Name: "empty", Reason: "methods are missing; a tool needs at least one"},
		},
		{
			"a tool without an id",
			func(t *testing.T) tool.Tool { return tool.Tool{Methods: []tool.Method{method(t, "a")}} },
			&tool.DefinitionError{Reason: "tool id: it must not be empty"},
		},
		{
			"an id with a blank",
			func(t *testing.T) tool.Tool { return tool.Tool{ID: "a b", Methods: []tool.Method{method(t, "a")}} },
			&tool.DefinitionError{Name: "a b", Reason: "tool id: letters, digits and _ - . / : @ are allowed (got ' ')"},
		},
		{"a negative concurrency", func(t *testing.T) tool.Tool {
			return tool.Tool{ID: "busy", Concurrency: -1, Methods: []tool.Method{method(t, "a")}}
		}, &tool.DefinitionError{Name: "busy", Reason: "concurrency must not be negative (got -1); 0 means no limit"}},
		{
			"a method that no constructor has created",
			func(*testing.T) tool.Tool { return tool.Tool{ID: "hand", Methods: []tool.Method{{Name: "a"}}} },
			&tool.DefinitionError{Name: "a", Reason: "parameters are missing; create methods with New, Raw or HostRun"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := tool.NewRegistry()
			require.NoError(t, r.Register(tool.Tool{ID: "files", Methods: []tool.Method{method(t, "list")}}))
			version := r.Version()

			require.Equal(t, test.want, r.Register(valid(t), test.tool(t)))
			assert.Equal(t, []string{"files_list"}, names(r.Entries()), "the valid tool is not registered either")
			assert.Equal(t, version, r.Version())
		})
	}
}

func TestConflictErrorNamesBothOwners(t *testing.T) {
	r := tool.NewRegistry()
	require.NoError(t, r.Register(tool.Tool{ID: "a_b", Owner: "first", Methods: []tool.Method{method(t, "c")}}))
	m := method(t, "x", tool.FullName("a_b_c"))
	err := r.Register(tool.Tool{ID: "other", Owner: "second", Methods: []tool.Method{m}})
	var conflict *tool.ConflictError
	require.ErrorAs(t, err, &conflict)
	assert.Equal(t, tool.ConflictError{Kind: "method", Name: "a_b_c", Owner: "second", Holder: "first"}, *conflict)
}

func TestRegistryKeepsCopies(t *testing.T) {
	r := tool.NewRegistry()
	methods := []tool.Method{method(t, "a")}
	require.NoError(t, r.Register(tool.Tool{ID: "x", Methods: methods}))
	methods[0].AgentCallable = true
	methods[0].Name = "changed"
	r.Entries()[0] = nil

	e, ok := r.Lookup("x_a")
	require.True(t, ok)
	assert.Equal(t, "a", e.Method.Name)
	assert.False(t, e.Method.AgentCallable)
	assert.NotNil(t, r.Entries()[0])
}

func TestSecretsOfAllToolsAreListed(t *testing.T) {
	r := tool.NewRegistry()
	require.NoError(t, r.Register(
		tool.Tool{ID: "x", Secrets: []string{"second", "first"}, Methods: []tool.Method{method(t, "a")}},
		tool.Tool{ID: "y", Secrets: []string{"second"}, Methods: []tool.Method{method(t, "a")}},
	))
	assert.Equal(t, []string{"first", "second"}, r.Secrets())
}

func TestSecretsOfFormerToolsAreListed(t *testing.T) {
	r := tool.NewRegistry()
	register := func(secrets ...string) {
		require.NoError(t, r.Register(tool.Tool{ID: "x", Secrets: secrets, Methods: []tool.Method{method(t, "a")}}))
	}
	register("first-key", "second-key", "short")
	r.Unregister("x")
	assert.Equal(t, []string{"first-key", "second-key"}, r.Secrets())
	register("third-key", "first-key")
	assert.Equal(t, []string{"first-key", "second-key", "third-key"}, r.Secrets())
	for i := range 2000 {
		r.Unregister("x")
		register(fmt.Sprintf("key-%04d", i))
	}
	list := r.Secrets()
	require.Len(t, list, 1001, "those of the tool, and a limited number of former ones")
	assert.Equal(t, "key-0999", list[0], "the oldest are dropped")
}

func TestUnregisterFreesNames(t *testing.T) {
	r := tool.NewRegistry()
	require.NoError(t, r.Register(
		tool.Tool{ID: "x", Methods: []tool.Method{method(t, "a"), method(t, "b", tool.FullName("foreign"))}},
		tool.Tool{ID: "y", Methods: []tool.Method{method(t, "a")}},
	))
	former, _ := r.Lookup("x_a")
	assert.True(t, r.Unregister("x"))
	assert.False(t, r.Unregister("x"))
	assert.Equal(t, []string{"y_a"}, names(r.Entries()))
	_, ok := r.Lookup("foreign")
	assert.False(t, ok)
	assert.Equal(t, "x", former.Tool.ID, "an entry outlives its registration")
	require.NoError(t, r.Register(tool.Tool{ID: "x", Methods: []tool.Method{method(t, "a")}}), "the name is free again")
}

func TestOnChangeReportsEachChange(t *testing.T) {
	r := tool.NewRegistry()
	var versions []uint64
	cancel := r.OnChange(func() { versions = append(versions, r.Version()) })
	require.NoError(t, r.Register(tool.Tool{ID: "x", Methods: []tool.Method{method(t, "a")}}))
	require.Error(t, r.Register(tool.Tool{ID: "x", Methods: []tool.Method{method(t, "a")}}))
	require.NoError(t, r.Register())
	r.Unregister("none")
	r.Unregister("x")
	cancel()
	cancel()
	require.NoError(t, r.Register(tool.Tool{ID: "x", Methods: []tool.Method{method(t, "a")}}))
	assert.Equal(t, []uint64{1, 2}, versions)
	assert.Equal(t, uint64(3), r.Version())
}

func TestReadersSeeWholeChanges(t *testing.T) {
	r := tool.NewRegistry()
	var noticed atomic.Int64
	defer r.OnChange(func() { noticed.Add(1); r.Entries() })()
	pair := []tool.Method{method(t, "a"), method(t, "b")}
	var group sync.WaitGroup
	for writer := range 4 {
		group.Go(func() {
			id := fmt.Sprint("tool", writer)
			for range 50 {
				if err := r.Register(tool.Tool{ID: id, Methods: pair}); err != nil {
					t.Error(err)
				}
				r.Unregister(id)
			}
		})
		group.Go(func() {
			for range 200 {
				if n := len(r.Entries()); n%2 != 0 {
					t.Errorf("%d entries: a tool was seen half registered", n)
				}
				_, _ = r.Resolve("Tool1_A", "", nil)
			}
		})
	}
	group.Wait()
	assert.Empty(t, r.Entries())
	const changes = 4 * 50 * 2 // each Register and each Unregister
	assert.Equal(t, int64(changes), noticed.Load())
	assert.Equal(t, uint64(changes), r.Version())
}

func TestDefinitionDescribesTheMethod(t *testing.T) {
	m, err := tool.Raw("create", "Creates an issue.", json.RawMessage(`{"type":"object","properties":{
		"title":{"type":"string","description":"what it is about"},
		"labels":{"type":"array","items":{"type":"string"}},
		"priority":{"type":"integer","enum":[1,2],"default":2}},"required":["title"]}`),
		echo, tool.Title("New issue"), tool.Alias("open"),
		tool.Example(map[string]any{"priority": 1, "labels": []string{"<a>"}, "title": "It's broken"}))
	require.NoError(t, err)
	r := tool.NewRegistry()
	require.NoError(t, r.Register(tool.Tool{ID: "issues", Methods: []tool.Method{m}}))
	e, _ := r.Lookup("issues_create")
	want := protocol.ToolDefinition{
		ToolName: "issues_create", Description: "Creates an issue.",
		Parameters: []protocol.Parameter{
			{Name: "title", Type: "string", Required: true, Description: "what it is about"},
			{Name: "labels", Type: "array", Schema: json.RawMessage(`{"items":{"type":"string"}}`)},
			{
				Name: "priority", Type: "integer", Default: json.RawMessage("2"),
				Enum: []json.RawMessage{json.RawMessage("1"), json.RawMessage("2")},
			},
		},
		Examples: []protocol.ToolRequest{{ToolName: "issues_create", Arguments: []protocol.Argument{
			{Name: "title", Value: "It's broken"},
			{Name: "labels", Value: `["<a>"]`, Form: protocol.FormJSON},
			{Name: "priority", Value: "1", Form: protocol.FormJSON},
		}}},
	}
	assert.Empty(t, cmp.Diff(want, e.Definition("en")))
}
