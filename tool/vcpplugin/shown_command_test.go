//go:build unix

package vcpplugin_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/process/processtest"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/vcpplugin"
)

// TestAPluginGetsTheCommandThatItsDescriptionShows uses descriptions with examples in which a
// command has another name than in the field commandIdentifier.
func TestAPluginGetsTheCommandThatItsDescriptionShows(t *testing.T) {
	processtest.Needs(t, "sh")
	const script = `read -r line; printf '{"status":"success","result":%s}' "$line"`
	type command struct{ id, description string }
	example := func(c string) string {
		return "tool_name:「始」A「末」,\ncommand:「始」" + c + "「末」,\nprompt:「始」a cat「末」"
	}
	for _, tt := range []struct {
		name           string
		commands       []command
		command, wants string // the name in the request, and what the plug-in gets; "" if the name is unknown
	}{
		{
			"the request names the shown command",
			[]command{{"AGenerate", example("generate")}, {"AEdit", example("edit")}},
			"edit", "edit",
		},
		{
			"the request names the identifier",
			[]command{{"AGenerate", example("generate")}, {"AEdit", example("edit")}},
			"AEdit", "edit",
		},
		{
			"the description shows the identifier",
			[]command{{"generate", example("generate")}, {"edit", example("edit")}},
			"edit", "edit",
		},
		{
			"the example is on one line",
			[]command{{"AGenerate", "Write tool_name:「始」A「末」,command:「始」generate「末」."}, {"AEdit", ""}},
			"generate", "generate",
		},
		{
			"two descriptions show the same command",
			[]command{{"AGenerate", example("run")}, {"AEdit", example("run")}},
			"run", "",
		},
		{
			"one description shows several commands",
			[]command{{"AGenerate", example("generate") + example("draw")}, {"AEdit", ""}},
			"generate", "",
		},
		{"the example has another field", []command{{"AGenerate", "subcommand:「始」generate「末」"}, {"AEdit", ""}}, "generate", ""},
		{
			"one description mentions another command",
			[]command{{"AGenerate", example("generate") + " or " + example("AEdit")}, {"AEdit", ""}},
			"AEdit", "AEdit",
		},
		{"the plug-in has one command", []command{{"AGenerate", example("generate")}}, "", "generate"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var commands []map[string]string
			for _, c := range tt.commands {
				commands = append(commands, map[string]string{"commandIdentifier": c.id, "description": c.description})
			}
			manifest, err := json.Marshal(map[string]any{
				"name": "A", "pluginType": "synchronous", "entryPoint": map[string]any{"command": "sh a.sh"},
				"communication": map[string]any{"protocol": "stdio"}, "capabilities": map[string]any{"invocationCommands": commands},
			})
			require.NoError(t, err)
			dir := filepath.Join(t.TempDir(), "Plugin")
			require.NoError(t, os.MkdirAll(filepath.Join(dir, "A"), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "A", "plugin-manifest.json"), manifest, 0o600))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "A", "a.sh"), []byte(script), 0o600))
			r, _ := startSource(t, dir, vcpplugin.Options{})
			if tt.wants == "" {
				_, err := r.Resolve("A", tt.command, nil)
				require.ErrorAs(t, err, new(*tool.NotFoundError))
				return
			}
			out, _, err := call(t.Context(), t, r, "A", tt.command, `{"prompt":"a cat"}`)
			require.NoError(t, err)
			assert.JSONEq(t, `{"command":"`+tt.wants+`","prompt":"a cat"}`, out.Text)
		})
	}
}
