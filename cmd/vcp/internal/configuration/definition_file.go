package configuration

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/vcpgo/vcp/internal/document"
)

// MaxDefinitions limits a file of tool definitions, such as those for OpenAI's API, in bytes.
const MaxDefinitions = 16 << 20

// StandardInput is the name of standard input in flags.
const StandardInput = "-"

// isDefinitions reports whether the file at path contains tool definitions, and not tools that run
// programs (package tool/command). A file of such tools is YAML, or JSON whose tools have methods.
// Standard input counts as definitions; a file that cannot be read does not.
func isDefinitions(path string) bool {
	if path == StandardInput {
		return true
	}
	raw, err := document.ReadFile(path, MaxDefinitions)
	raw = bytes.TrimSpace(raw)
	if err != nil || len(raw) == 0 || raw[0] != '{' && raw[0] != '[' {
		return false
	}
	type commandTool struct {
		Methods json.RawMessage `json:"methods"`
	}
	var commands struct {
		Tools []commandTool `json:"tools"`
	}
	if json.Unmarshal(raw, &commands) != nil { // for example if raw is a list of definitions
		return json.Valid(raw)
	}
	return !slices.ContainsFunc(commands.Tools, func(t commandTool) bool { return t.Methods != nil })
}
