package configuration

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/vcpgo/vcp/internal/document"
)

// MaxDefinitions limits a file of definitions, in bytes.
const MaxDefinitions = 16 << 20

// StandardInput is the name of standard input in flags.
const StandardInput = "-"

// isDefinitions reports whether the file at path contains definitions, and not command tools. A
// file of command tools is YAML, or JSON whose tools have methods. Standard input counts as
// definitions.
func isDefinitions(path string) bool {
	if path == StandardInput {
		return true
	}
	raw, err := document.ReadFile(path, MaxDefinitions)
	raw = bytes.TrimSpace(raw)
	if err != nil || len(raw) == 0 || raw[0] != '{' && raw[0] != '[' {
		return false
	}
	type tools struct {
		Methods json.RawMessage `json:"methods"`
	}
	var commands struct {
		Tools []tools `json:"tools"`
	}
	if json.Unmarshal(raw, &commands) != nil {
		return json.Valid(raw)
	}
	return !slices.ContainsFunc(commands.Tools, func(t tools) bool { return t.Methods != nil })
}
