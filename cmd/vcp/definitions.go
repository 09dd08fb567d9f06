package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/tool"
)

// maxDefinitions limits a file of definitions, in bytes.
const maxDefinitions = 16 << 20

// foreignDefinition is a definition of a tool in any of the forms that --tools reads: those of
// OpenAI, Anthropic and MCP, and that of vcp tools --json.
type foreignDefinition struct {
	Type     string             `json:"type"`
	Function *foreignDefinition `json:"function"` // OpenAI

	Name        string   `json:"name"`
	FullName    string   `json:"fullName"` // vcp tools --json
	Title       string   `json:"title"`
	Aliases     []string `json:"aliases"`
	Description string   `json:"description"`
	Enabled     *bool    `json:"enabled"`
	Health      string   `json:"health"` // of a part of a source, which is no method

	Parameters    json.RawMessage `json:"parameters"`   // OpenAI, vcp tools --json
	InputSchema   json.RawMessage `json:"inputSchema"`  // MCP
	AnthropicForm json.RawMessage `json:"input_schema"` // Anthropic

	Examples []map[string]any `json:"examples"` // arguments of calls
}

// readDefinitions registers the tools that a file defines. Nothing runs them. A file is a list of
// definitions, one definition, or an object that has them as its tools, as a server of MCP answers
// with.
func readDefinitions(registry *tool.Registry, in io.Reader, name string) error {
	raw, err := io.ReadAll(io.LimitReader(in, maxDefinitions+1))
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", name, err)
	}
	if len(raw) > maxDefinitions {
		return fmt.Errorf("%s is longer than %d MiB, the most that is read of definitions", name, maxDefinitions>>20)
	}
	list, err := definitionsIn(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for i, d := range list {
		if d.Health != "" || d.Enabled != nil && !*d.Enabled { // of vcp tools --json, and no model sees it
			continue
		}
		if err := register(registry, d); err != nil {
			return fmt.Errorf("%s: definition %d: %w", name, i+1, err)
		}
	}
	return nil
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
	name := cmp.Or(d.FullName, d.Name)
	if name == "" {
		return errors.New(`it has no name; allowed are definitions in the form of OpenAI, Anthropic or MCP, and the output of "vcp tools --json"`)
	}
	parameters := d.Parameters
	for _, other := range []json.RawMessage{d.InputSchema, d.AnthropicForm} {
		if parameters == nil {
			parameters = other
		}
	}
	options := []tool.Option{tool.FullName(name), tool.Title(d.Title), tool.Alias(d.Aliases...), tool.AgentCallable()}
	for _, example := range d.Examples {
		options = append(options, tool.Example(example))
	}
	m, err := tool.HostRun(name, d.Description, parameters, options...)
	if err != nil {
		return err
	}
	return registry.Register(tool.Tool{ID: name, Methods: []tool.Method{m}})
}

// standardInput is the name of standard input in flags.
const standardInput = "-"

// addDefinitions registers the tools that the file at path defines.
func addDefinitions(registry *tool.Registry, stdin io.Reader, path string) error {
	if path == standardInput {
		return readDefinitions(registry, stdin, "standard input")
	}
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("--tools cannot be opened: %w", err)
	}
	defer file.Close()
	return readDefinitions(registry, file, path)
}

// isDefinitions reports whether the file at path holds definitions, and not command tools. These
// have methods, and are usually YAML.
func isDefinitions(path string) bool {
	if path == standardInput {
		return true
	}
	raw, err := document.ReadFile(path, maxDefinitions)
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

// definitionFiles returns the files of definitions that --tools names.
func (c *configFlags) definitionFiles() (files []string) {
	for _, f := range c.sources {
		if f.definitions {
			files = slices.DeleteFunc(slices.Clone(f.values), func(path string) bool { return !isDefinitions(path) })
		}
	}
	return files
}
