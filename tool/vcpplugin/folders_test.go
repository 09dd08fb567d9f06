//go:build unix

package vcpplugin_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/vcpplugin"
)

func TestFoldersAreReadAsPeopleArrangeThem(t *testing.T) {
	manifest := func(fields, commands string) string {
		return `{"pluginType":"synchronous","entryPoint":{"command":"sh x"},"communication":{"protocol":"stdio"},` + fields +
			`"capabilities":{"invocationCommands":[` + commands + `]}}`
	}
	const one = `{"commandIdentifier":"one","description":"d"}`
	a, b, c := manifest(`"name":"A",`, one), manifest(`"name":"B",`, one), manifest(`"name":"C",`, one)
	with := func(old, replacement string) map[string]string { // the manifest a with another text
		return map[string]string{"a": strings.Replace(a, old, replacement, 1)}
	}
	long := strings.Repeat("长", 1<<20/3)
	for _, tt := range []struct {
		name  string
		files map[string]string // manifests, by folder
		want  string            // the providers, then the methods
	}{
		{"a plug-in", map[string]string{"a": a}, "A up; A_one"},
		{
			"several plug-ins with one name",
			map[string]string{"a": a, "b": a, "甲 乙": a},
			"A up; A (b) up; A (甲 乙) up; A-b_one A-甲-乙_one A_one",
		},
		{
			"several plug-ins with one name, in folders with one name",
			map[string]string{"a": a, "x/b": a, "y/b": a},
			"A up; A (b) up; A (y/b) up; A-b_one A-y-b_one A_one",
		},
		{
			"names with characters that no name of a tool can have",
			map[string]string{"a": manifest(`"name":"A!",`, one), "b": manifest(`"name":"A?",`, one)},
			"A! up; A? up; A--b_one A-_one",
		},
		{"folders in folders", map[string]string{"x/a": a, "x/y/b": b, "a/node_modules/c": c}, "A up; B up; A_one B_one"},
		{"a plug-in in the folder of a plug-in is not offered", map[string]string{"a": a, "a/b": b}, "A up; A_one"},
		{"folders that are nested too deep", map[string]string{"x/y/z/a": a}, "Plugin down;"},
		{"no name", map[string]string{"天气": manifest("", one)}, "天气 up; 天气_one"},
		{"a Chinese name", map[string]string{"a": manifest(`"name":"天气 预报",`, `{"command":"查询 天气"}`)}, "天气 预报 up; 天气-预报_查询-天气"},
		{
			"an identifier twice",
			map[string]string{"a": manifest(`"name":"A",`, one+`,{"command":"one","description":"again"}`)},
			"A up; A_one",
		},
		{"no pluginType", with(`"pluginType":"synchronous",`, ""), "A up; A_one"},
		{"another spelling of the pluginType", with("synchronous", " Synchronous "), "A up; A_one"},
		{"a short pluginType", with("synchronous", "ASYNC"), "A up; A_one"},
		{"no commands", map[string]string{"a": manifest(`"name":"A",`, "")}, "A off;"},
		{"a service", with("synchronous", "hybridservice"), "A off;"},
		{"another protocol", with(`"stdio"`, `"direct"`), "A off;"},
		{"a program that is missing", with("sh x", "Search.exe"), "A down; A_one"},
		{"a command line for a shell", with("sh x", "cd y && sh x"), "A down; A_one"},
		{
			"a long description",
			map[string]string{"a": manifest(`"name":"A",`, `{"command":"one","description":"`+long+`"}`)},
			"A degraded; A_one",
		},
		{
			"a long description of the plug-in",
			map[string]string{"a": manifest(`"name":"A","description":"`+long+`",`, one)},
			"A up; A_one",
		},
		{
			"more commands than are offered",
			map[string]string{"a": manifest(`"name":"A",`, strings.Repeat(one+",", 1000)+`{"command":"two"}`)},
			"A degraded; A_one",
		},
		{"a manifest that is not JSON", map[string]string{"a": "name: A", "b": "", "c": c}, "C up; a down; b down; C_one"},
		{
			"deeply nested JSON",
			map[string]string{"a": strings.Repeat("[", 1<<20), "b": strings.Repeat(`{"a":`, 1<<18)},
			"a down; b down;",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "Plugin")
			for folder, text := range tt.files {
				require.NoError(t, os.MkdirAll(filepath.Join(dir, folder), 0o700))
				require.NoError(t, os.WriteFile(filepath.Join(dir, folder, "plugin-manifest.json"), []byte(text), 0o600))
			}
			r, sources := startSource(t, dir, vcpplugin.Options{})
			assert.Equal(t, tt.want, summary(r, sources))
		})
	}
}

// summary returns the providers with their health, and the methods.
func summary(r *tool.Registry, sources *tool.Sources) string {
	var b strings.Builder
	for _, p := range sources.Providers() {
		b.WriteString(p.Name + " " + string(p.Health) + "; ")
	}
	for _, e := range r.Entries() {
		b.WriteString(e.FullName + " ")
	}
	return strings.TrimSpace(b.String())
}

// TestEachChangeOfAFolderIsNoticed also checks that the last good version of a manifest stays in
// use when the manifest becomes invalid.
func TestEachChangeOfAFolderIsNoticed(t *testing.T) {
	dir := t.TempDir()
	write := func(plugin, file, text string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Join(dir, plugin), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, plugin, file), []byte(text), 0o600))
	}
	manifest := func(name, command string) string {
		return `{"name":"` + name + `","pluginType":"synchronous","entryPoint":{"command":"sh x"},"communication":{"protocol":"stdio"},` +
			`"capabilities":{"invocationCommands":[{"commandIdentifier":"` + command + `"}]}}`
	}
	synctest.Test(t, func(t *testing.T) {
		r := tool.NewRegistry()
		sources := tool.NewSources(r)
		defer sources.Close()
		require.NoError(t, sources.Add(vcpplugin.NewSource(dir, vcpplugin.Options{})))
		state := func() string {
			time.Sleep(3 * time.Second) // longer than the source's interval, on the clock of synctest
			synctest.Wait()
			return summary(r, sources)
		}
		root := filepath.Base(dir)
		assert.Equal(t, root+" down;", state())
		write("a", "plugin-manifest.json", manifest("A", "one"))
		assert.Equal(t, "A up; A_one", state())
		held, _ := r.Lookup("A_one")
		write("b", "plugin-manifest.json", manifest("A", "two"))
		assert.Equal(t, "A up; A (b) up; A-b_two A_one", state(), "the first plug-in of a name keeps it")
		now, _ := r.Lookup("A_one")
		assert.Same(t, held, now, "plug-ins that did not change are not loaded again")
		write("b", "plugin-manifest.json", manifest("B", "two"))
		assert.Equal(t, "A up; B up; A_one B_two", state())
		write("b", "plugin-manifest.json", `{"name":"B",`)
		assert.Equal(t, "A up; B degraded; A_one B_two", state())
		write("b", "plugin-manifest.json", manifest("B", "three"))
		assert.Equal(t, "A up; B up; A_one B_three", state())
		enabled := filepath.Join(dir, "a", "plugin-manifest.json")
		require.NoError(t, os.Rename(enabled, enabled+".block"))
		assert.Equal(t, "A off; B up; B_three", state())
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "a")))
		write("b", "config.env", "K=v\n")
		assert.Equal(t, "B up; B_three", state())
		require.NoError(t, os.RemoveAll(dir))
		assert.Equal(t, root+" down;", state())
	})
}
