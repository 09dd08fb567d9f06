package configuration

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/message"
)

// The mistake of each file is in its third line.
func TestErrorsInAFileNameTheLine(t *testing.T) {
	for _, tt := range []struct{ name, text, field string }{
		{"a field that only vcp has", "root: .\n\nmodel: 3\n", "model"},
		{
			"the kind of a source",
			"sources:\n  - mcp: {name: a, command: [x]}\n  - commands: 3\n", "sources[1].commands",
		},
		{"an MCP server without a command", "sources:\n  - commands: a.yaml\n  - mcp: docs\n", "sources[1].mcp"},
		{"a field of a source", "sources:\n  - mcp:\n      timeout: 30\n", "sources[0].mcp.timeout"},
		{"the protocol", "model: x\n\nprotocol: xml\n", "protocol"},
		{"an override", "toolOverrides:\n  files:\n    risk: odd\n", "toolOverrides.files.risk"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "vcp.yaml")
			require.NoError(t, os.WriteFile(path, []byte(tt.text), 0o600))
			var bad *engine.ConfigError
			err := DefaultSettings().readFile(path, false)
			require.ErrorAs(t, err, &bad)
			require.NotContains(t, message.In(err, "zh"), "allowed is", "the error is not translated")
			require.Equal(t, engine.ConfigError{Field: tt.field, Line: 3, Value: bad.Value, Allowed: bad.Allowed}, *bad)
		})
	}
}

func TestAKeyInAFileNamesTheEnvironmentVariable(t *testing.T) {
	for _, name := range []string{"apiKey", "api_key"} {
		path := filepath.Join(t.TempDir(), "vcp.yaml")
		require.NoError(t, os.WriteFile(path, []byte(name+": hunter2hunter2\n"), 0o600))
		err := DefaultSettings().readFile(path, false)
		require.ErrorAs(t, err, new(*engine.UnknownFieldError))
		require.ErrorContains(t, err, EnvKey)
		require.NotContains(t, err.Error(), "hunter2")
	}
}
