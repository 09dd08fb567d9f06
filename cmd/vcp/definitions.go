package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/vcpgo/vcp/tool"
)

// maxDefinitions limits a file of definitions, in bytes.
const maxDefinitions = 16 << 20

// foreignDefinition is a definition of a tool in any of the forms that --tools reads: those of
// OpenAI, Anthropic and MCP, and that of vcp tools --json.
type foreignDefinition struct {
	Type     string             `json:"type"`
	Function *foreignDefinition `json:"function"` // OpenAI

	Name        string `json:"name"`
	ToolName    string `json:"toolName"` // vcp tools --json
	Title       string `json:"title"`
	Alias       string `json:"alias"`
	Description string `json:"description"`

	Parameters    json.RawMessage `json:"parameters"`   // OpenAI, vcp tools --json
	InputSchema   json.RawMessage `json:"inputSchema"`  // MCP
	AnthropicForm json.RawMessage `json:"input_schema"` // Anthropic

	Examples []map[string]any `json:"examples"` // arguments of calls
}

// readDefinitions registers the tools that a file defines. Nothing runs them. A file is a list of
// definitions, one definition, or an object that has them as its tools, as a server of MCP answers
// with.
func readDefinitions(in io.Reader, name string) (*tool.Registry, error) {
	raw, err := io.ReadAll(io.LimitReader(in, maxDefinitions+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, err)
	}
	if len(raw) > maxDefinitions {
		return nil, fmt.Errorf("%s is longer than %d MiB, the most that is read of definitions", name, maxDefinitions>>20)
	}
	list, err := definitionsIn(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	registry := tool.NewRegistry()
	for i, d := range list {
		if err := register(registry, d); err != nil {
			return nil, fmt.Errorf("%s: definition %d: %w", name, i+1, err)
		}
	}
	return registry, nil
}

// definitionsIn finds the definitions in a document.
func definitionsIn(raw []byte) ([]foreignDefinition, error) {
	var list []foreignDefinition
	if raw = bytes.TrimSpace(raw); len(raw) > 0 && raw[0] == '[' {
		err := json.Unmarshal(raw, &list)
		return list, err
	}
	var whole struct {
		foreignDefinition
		Tools  *[]foreignDefinition
		Result struct{ Tools *[]foreignDefinition }
	}
	if err := json.Unmarshal(raw, &whole); err != nil {
		return nil, err
	}
	if tools := cmp.Or(whole.Tools, whole.Result.Tools); tools != nil {
		return *tools, nil
	}
	return []foreignDefinition{whole.foreignDefinition}, nil
}

func register(registry *tool.Registry, d foreignDefinition) error {
	if d.Function != nil {
		d = *d.Function
	}
	name := cmp.Or(d.ToolName, d.Name)
	if name == "" {
		return errors.New(`it has no name; allowed are definitions in the form of OpenAI, Anthropic or MCP, and the output of "vcp tools --json"`)
	}
	parameters := d.Parameters
	for _, other := range []json.RawMessage{d.InputSchema, d.AnthropicForm} {
		if parameters == nil {
			parameters = other
		}
	}
	options := []tool.Option{tool.FullName(name), tool.Title(d.Title), tool.Alias(d.Alias), tool.AgentCallable()}
	for _, example := range d.Examples {
		options = append(options, tool.Example(example))
	}
	m, err := tool.HostRun(name, d.Description, parameters, options...)
	if err != nil {
		return err
	}
	return registry.Register(tool.Tool{ID: name, Methods: []tool.Method{m}})
}

// openDefinitions reads the definitions of a file; "-" is standard input.
func openDefinitions(stdin io.Reader, path string) (*tool.Registry, error) {
	if path == "-" {
		return readDefinitions(stdin, "standard input")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--tools cannot be opened: %w", err)
	}
	defer file.Close()
	return readDefinitions(file, path)
}
