//go:build unix

package command_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/command"
)

// TestAChangedFileIsReadAgain also checks that the last good version of the file stays in use when
// the file becomes invalid.
func TestAChangedFileIsReadAgain(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "tools.yaml")
	file := func(name string) string {
		return "tools: [{id: t, methods: [{name: " + name + ", description: d, run: [ls]}]}]\n"
	}
	synctest.Test(t, func(t *testing.T) {
		r := tool.NewRegistry()
		sources := tool.NewSources(r)
		defer sources.Close()
		require.NoError(t, sources.Add(command.NewSource(path)))
		state := func() (tool.Health, string, string) {
			time.Sleep(2 * time.Second) // on the clock of synctest
			synctest.Wait()
			p := sources.Providers()[0]
			require.Equal(t, "commands "+path, p.Source)
			full := ""
			for _, e := range r.Entries() {
				full += e.FullName
			}
			return p.Health, p.Reason, full
		}
		check := func(health tool.Health, reason, methods, why string) {
			t.Helper()
			gotHealth, gotReason, gotMethods := state()
			assert.Equal(t, []any{health, methods}, []any{gotHealth, gotMethods}, why)
			assert.Contains(t, gotReason, reason)
		}
		check(tool.HealthDown, "no such file", "", "there is no file")
		write(t, dir, "tools.yaml", file("one"))
		check(tool.HealthUp, "", "t_one", "the file is there")
		good, _ := r.Lookup("t_one")
		write(t, dir, "tools.yaml", file("two")+"x: 1\n")
		check(tool.HealthDegraded, "tools.yaml:2: x: ", "t_one", "an invalid file")
		kept, _ := r.Lookup("t_one")
		assert.Same(t, good, kept)
		require.NoError(t, os.Remove(path))
		check(tool.HealthDegraded, "no such file", "t_one", "no file")
		write(t, dir, "tools.yaml", file("three"))
		check(tool.HealthUp, "", "t_three", "a valid file")
	})
}
