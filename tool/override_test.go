package tool_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool"
)

// notes returns a tool with the methods notes_add and notes_list.
func notes(t *testing.T) tool.Tool {
	t.Helper()
	add, err := tool.Raw("add", "by its author", []byte(`{"properties":{"line":{"type":"string"}},"required":["line"]}`), echo,
		tool.Alias("append"), tool.Tags("a"), tool.Example(map[string]any{"line": "y"}))
	require.NoError(t, err)
	return tool.Tool{
		ID: "notes", Title: "Notes", Description: "kept", Tags: []string{"t"},
		Methods: []tool.Method{add, method(t, "list")},
	}
}

func TestOverridesReplaceWhatTheAuthorDeclared(t *testing.T) {
	r := tool.NewRegistry()
	r.Override(map[string]tool.Override{
		"notes": {Title: "Diary", Aliases: []string{"日记"}, Tags: []string{"own"}, Risk: tool.RiskRead},
		"notes_add": {
			Title: "New", Description: "Adds.", Aliases: []string{"plus"},
			Tags: []string{"w"}, Risk: tool.RiskDangerous,
			Examples: []map[string]any{{"line": "x"}},
		},
	})
	given := notes(t)
	require.NoError(t, r.Register(given))
	e, _ := r.Lookup("notes_add")
	assert.Equal(t, []any{
		"Diary", "kept", []string{"日记"}, []string{"t", "own"},
	}, []any{e.Tool.Title, e.Tool.Description, e.Tool.Aliases, e.Tool.Tags})
	m := e.Method
	assert.Equal(t, []any{
		"New", "Adds.",
		[]string{"plus", "append"},
		[]string{"a", "w"},
		tool.RiskDangerous,
		[]map[string]any{{"line": "x"}},
	}, []any{m.Title, m.Description, m.Aliases, m.Tags, e.Risk(), m.Examples})
	list, _ := r.Lookup("notes_list")
	assert.Equal(t, tool.RiskRead, list.Risk(), "the overridden risk of a tool is that of its methods")
	assert.Equal(t, []any{"by its author", "Notes"}, []any{given.Methods[0].Description, given.Title},
		"the given tool is not changed")
	res, err := r.Resolve("日记", "plus", nil)
	require.NoError(t, err)
	assert.Equal(t, "notes_add", res.Entry.FullName)
}

func TestInvalidOverridesAreRefused(t *testing.T) {
	for name, o := range map[string]map[string]tool.Override{
		"a risk that does not exist":   {"notes": {Risk: "high"}},
		"an alias with a blank":        {"notes_add": {Aliases: []string{"a b"}}},
		"an example that does not fit": {"notes_add": {Examples: []map[string]any{{"line": 5}}}},
		"examples of a tool":           {"notes": {Examples: []map[string]any{{}}}},
	} {
		t.Run(name, func(t *testing.T) {
			r := tool.NewRegistry()
			r.Override(o)
			require.ErrorAs(t, r.Register(notes(t)), new(*tool.DefinitionError))
			assert.Empty(t, r.Entries())
		})
	}
}
