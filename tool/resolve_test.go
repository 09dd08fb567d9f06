package tool_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool"
)

// registry returns a registry with the tools of these tests.
func registry(t testing.TB) *tool.Registry {
	t.Helper()
	run, err := tool.Raw("run", "runs a command", json.RawMessage(`{"type":"object","properties":{"command":{"type":"string"}}}`), echo)
	require.NoError(t, err)
	r := tool.NewRegistry()
	require.NoError(t, r.Register(
		tool.Tool{ID: "directory-tree", Title: "Directory tree", Methods: []tool.Method{
			method(t, "listFiles", tool.Title("List files"), tool.Alias("ls")), method(t, "depth", tool.Title("Show")),
		}},
		tool.Tool{ID: "data_base", Methods: []tool.Method{method(t, "query", tool.Title("Show"))}},
		tool.Tool{ID: "database", Methods: []tool.Method{method(t, "query")}},
		tool.Tool{
			ID: "github", Owner: "mcp",
			Methods: []tool.Method{method(t, "create_issue", tool.FullName("github/create_issue"))},
		},
		tool.Tool{ID: "shell", Methods: []tool.Method{run}},
		tool.Tool{ID: "secret", Methods: []tool.Method{method(t, "read")}},
	))
	return r
}

func visible(e *tool.Entry) bool { return e.Tool.ID != "secret" }

func TestResolveTriesRulesInOrder(t *testing.T) {
	const list, issue = "directory-tree_listFiles", "github/create_issue"
	for _, test := range []struct {
		name, toolName, command string
		want                    string // the full name, then the flags that the resolution sets
	}{
		{"rule 1: the full name", list, "", list},
		{"rule 1: a full name that a source has chosen", issue, "", issue},
		{"rule 1: an id with an underscore", "data_base_query", "", "data_base_query"},
		{"rule 1: a name that differs from another one only by an underscore", "database_query", "", "database_query"},
		{"rule 1: a command is an argument", list, "other", list},
		{"rule 1: a command that repeats the method is dropped", list, "listFiles", list + " drop"},
		{"rule 1: a command that repeats the alias is dropped", list, "ls", list + " drop"},
		{"rule 1: a method's argument named command is never dropped", "shell_run", "run", "shell_run"},

		{"rule 2: tool and method", "directory-tree", "listFiles", list + " command"},
		{"rule 2: tool and alias", "directory-tree", "ls", list + " command"},
		{"rule 2: a foreign tool and its method", "github", "create_issue", issue + " command"},

		{"rule 3: case", "DIRECTORY-TREE_LISTFILES", "", list + " folded"},
		{"rule 3: hyphens and underscores", "directory_tree-list_files", "", list + " folded"},
		{"rule 3: blanks", " directory tree list files ", "", list + " folded"},
		{"rule 3: quotes", `"directory-tree_listFiles"`, "", list + " folded"},
		{"rule 3: backticks", "`github/create_issue`", "", issue + " folded"},
		{"rule 3: typographic quotes", "“GitHub/create issue”", "", issue + " folded"},
		{"rule 3: the title", "list FILES", "", list + " folded"},
		{"rule 3: a command that repeats the method", "directoryTree_listFiles", "list-files", list + " folded drop"},
		{"rule 3: a command that does not repeat the method", "directoryTree_listFiles", "x", list + " folded"},
		{"rule 3: tool and method", "Directory Tree", "list_files", list + " folded command"},
		{"rule 3: tool and alias", "`directory-tree`", "`LS`", list + " folded command"},
	} {
		t.Run(test.name, func(t *testing.T) {
			res, err := registry(t).Resolve(test.toolName, test.command, visible)
			require.NoError(t, err)
			found, ok := registry(t).Find(test.toolName, test.command, visible)
			require.True(t, ok)
			require.Equal(t, res.Entry.FullName, found.Entry.FullName)
			got := res.Entry.FullName
			for _, flag := range []struct {
				set  bool
				name string
			}{{res.Folded, " folded"}, {res.UsesCommand, " command"}, {res.DropCommand, " drop"}} {
				if flag.set {
					got += flag.name
				}
			}
			assert.Equal(t, test.want, got)
		})
	}
}

func TestAToolAloneMeansItsDefaultMethod(t *testing.T) {
	r := registry(t)
	weather := simple(t, "Weather", "today")
	weather.Aliases, weather.DefaultMethod = []string{"天气 预报", "shell"}, "today"
	require.NoError(t, r.Register(weather))
	notes := simple(t, "Notes", "add", "list")
	notes.Aliases = []string{"Diary"}
	require.NoError(t, r.Register(notes))
	for _, test := range []struct{ name, toolName, command, want string }{
		{"the tool alone", "Weather", "", "Weather_today"},
		{"a command that is an argument", "Weather", "in Paris", "Weather_today"},
		{"a command that is the method", "Weather", "today", "Weather_today command"},
		{"another spelling", "weather", "", "Weather_today folded"},
		{"an alias", "天气预报", "", "Weather_today folded"},
		{"an alias with a command", "diary", "add", "Notes_add folded command"},
		{"the id of another tool wins", "shell", "run", "shell_run command"},
		{"no default", "Notes", "", ""},
		{"no default, by alias", "Diary", "remove", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			res, err := r.Resolve(test.toolName, test.command, nil)
			if test.want == "" {
				require.ErrorAs(t, err, new(*tool.NotFoundError))
				return
			}
			require.NoError(t, err)
			got := res.Entry.FullName
			if res.Folded {
				got += " folded"
			}
			if res.UsesCommand {
				got += " command"
			}
			assert.Equal(t, test.want, got)
			assert.False(t, res.DropCommand)
		})
	}
}

func TestAnExactIDWinsOverAnAliasOfSeveralTools(t *testing.T) {
	r := tool.NewRegistry()
	for _, id := range []string{"a", "b", "diary-tool"} {
		named := simple(t, id, "read")
		named.Aliases, named.DefaultMethod = []string{"diary-tool"}, "read"
		require.NoError(t, r.Register(named))
	}
	res, err := r.Resolve("diary-tool", "", nil)
	require.NoError(t, err)
	assert.Equal(t, "diary-tool_read", res.Entry.FullName)
}

func TestTheDefaultMethodIsAMethodOfTheTool(t *testing.T) {
	bad := simple(t, "bad", "a")
	bad.DefaultMethod = "b"
	require.ErrorAs(t, tool.NewRegistry().Register(bad), new(*tool.DefinitionError))
}

func TestNotFoundErrorNamesSimilarMethods(t *testing.T) {
	const all = "data_base_query, database_query, directory-tree_depth, directory-tree_listFiles, github/create_issue, shell_run"
	for _, test := range []struct {
		name, toolName, command string
		kind, nearest, all      string
	}{
		{"an unknown tool", "weather_today", "", tool.ToolNotFound, "", all},
		{"an unknown tool with a command", "weather", "today", tool.ToolNotFound, "", all},
		{
			"a misspelled method", "directory-tree_listFlies", "", tool.MethodNotFound, "directory-tree_listFiles",
			"directory-tree_depth, directory-tree_listFiles",
		},
		{"a misspelled tool", "directry-tree_listFiles", "", tool.ToolNotFound, "directory-tree_listFiles", all},
		{"a misspelled tool with a command", "directry-tree", "listFiles", tool.ToolNotFound, "directory-tree_listFiles", all},
		{"a misspelled tool alone", "githb", "", tool.ToolNotFound, "github/create_issue", all},
		{"a misspelled tool with an unknown method", "githb", "close", tool.ToolNotFound, "github/create_issue", all},
		{"an unknown method of a known tool", "github_close", "", tool.MethodNotFound, "", "github/create_issue"},
		{"an unknown command of a known tool", "shell", "rnu", tool.MethodNotFound, "shell_run", "shell_run"},
		{"a tool without a command", "shell", "", tool.MethodNotFound, "", "shell_run"},
		{"the words of a method in another order", "query_database", "", tool.ToolNotFound, "database_query", all},
		{"a word of a tool and another verb", "open_shell", "", tool.ToolNotFound, "shell_run", all},
		{
			"words of two methods", "tree_of_directory", "", tool.ToolNotFound,
			"directory-tree_depth, directory-tree_listFiles", all,
		},
		{"the method with the most words in common", "listAllFilesOfDirectoryTree", "", tool.ToolNotFound, "directory-tree_listFiles", all},
		{"a known method of an unknown tool", "files_depth", "", tool.ToolNotFound, "directory-tree_depth", all},
		{
			"a name that folds to two full names", "Data-Base_Query", "", tool.MethodNotFound,
			"data_base_query, database_query", "data_base_query, database_query",
		},
		{"a title of two methods", "show", "", tool.ToolNotFound, "", all},
		{"a method that is not visible", "secret_read", "", tool.ToolNotFound, "", all},
		{"a method that is not visible, by command", "secret", "read", tool.ToolNotFound, "", all},
		{"an empty name", "", "", tool.ToolNotFound, "", all},
		{"only a method", "depth", "", tool.ToolNotFound, "directory-tree_depth", all},
		{"only a command", "", "run", tool.ToolNotFound, "shell_run", all},
		{"quotes around an empty name", "``", "", tool.ToolNotFound, "", all},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := registry(t).Resolve(test.toolName, test.command, visible)
			_, ok := registry(t).Find(test.toolName, test.command, visible)
			require.False(t, ok)
			var missing *tool.NotFoundError
			require.ErrorAs(t, err, &missing)
			assert.Equal(t, test.kind, missing.Kind)
			assert.Equal(t, test.nearest, strings.Join(missing.Nearest, ", "))
			assert.Equal(t, test.all, strings.Join(missing.All, ", "))
		})
	}
}

func TestNotFoundErrorIsShort(t *testing.T) {
	r := registry(t)
	_, err := r.Resolve("shell", "rnu", nil)
	var missing *tool.NotFoundError
	require.ErrorAs(t, err, &missing)
	assert.Equal(t, `"shell rnu" names no method of that tool; nearest: shell_run`, err.Error())
	assert.Equal(t, []string{"shell_run"}, missing.All)

	for i := range 20 {
		require.NoError(t, r.Register(tool.Tool{ID: fmt.Sprint("t", i), Methods: []tool.Method{method(t, "m")}}))
	}
	_, err = r.Resolve("shel_run", "", nil)
	require.ErrorAs(t, err, &missing)
	assert.Nil(t, missing.All, "many names are not listed")
	assert.Equal(t, []string{"shell_run"}, missing.Nearest)

	_, err = r.Resolve(strings.Repeat("长", 1_000_000), strings.Repeat("x", 1_000_000), nil)
	require.ErrorAs(t, err, &missing)
	assert.Less(t, len(err.Error()), 300)
	assert.Empty(t, missing.Nearest)
}
