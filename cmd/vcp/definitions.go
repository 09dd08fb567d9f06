package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/vcpgo/vcp/tool"
)

// maxDefinitions limits a file of definitions, in bytes.
const maxDefinitions = 16 << 20

// foreignDefinition is the definition of a tool as OpenAI, Anthropic, an MCP server or vcp tools
// --json writes it.
type foreignDefinition struct {
	Function     *foreignDefinition `json:"function"` // of OpenAI
	Name         string             `json:"name"`
	ToolName     string             `json:"toolName"` // ours
	Title        string             `json:"title"`
	Alias        string             `json:"alias"`
	Description  string             `json:"description"`
	Parameters   json.RawMessage    `json:"parameters"`   // of OpenAI, and ours
	InputSchema  json.RawMessage    `json:"inputSchema"`  // of MCP
	InputSchema2 json.RawMessage    `json:"input_schema"` // of Anthropic
	Examples     []map[string]any   `json:"examples"`     // ours: the arguments of requests
}

// readDefinitions returns a registry of the tools that a file or standard input defines. Nothing
// runs them here.
func readDefinitions(stdin io.Reader, path string) (*tool.Registry, error) {
	in, name, err := open(stdin, []string{path})
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxDefinitions+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, err)
	}
	if len(data) > maxDefinitions {
		return nil, fmt.Errorf("%s is longer than %d MiB, the most that is read of definitions", name, maxDefinitions>>20)
	}
	registry, err := parseDefinitions(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return registry, nil
}

func parseDefinitions(data []byte) (*tool.Registry, error) {
	var list []foreignDefinition
	var listing struct {
		Tools *[]foreignDefinition `json:"tools"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		if json.Unmarshal(data, &listing) != nil || listing.Tools == nil {
			return nil, fmt.Errorf(`not a JSON list of definitions, nor an object with such a list in "tools": %w`, err)
		}
		list = *listing.Tools
	}
	t := tool.Tool{ID: "definitions", Owner: "the definitions"}
	for i, d := range list {
		if d.Function != nil {
			d = *d.Function
		}
		name := cmp.Or(d.Name, d.ToolName)
		if name == "" {
			return nil, fmt.Errorf("definition %d has no name; allowed are the forms of OpenAI, Anthropic, MCP and vcp tools --json", i+1)
		}
		var schema json.RawMessage
		for _, s := range []json.RawMessage{d.Parameters, d.InputSchema, d.InputSchema2} {
			if len(s) > 0 && string(s) != "null" {
				schema = s
			}
		}
		options := []tool.Option{tool.FullName(name), tool.Title(d.Title), tool.Alias(d.Alias), tool.AgentCallable()}
		for _, example := range d.Examples {
			options = append(options, tool.Example(example))
		}
		m, err := tool.HostRun(name, d.Description, schema, options...)
		if err != nil {
			return nil, err
		}
		t.Methods = append(t.Methods, m)
	}
	if len(t.Methods) == 0 {
		return nil, errors.New("there is no definition in it")
	}
	registry := tool.NewRegistry()
	return registry, registry.Register(t)
}
