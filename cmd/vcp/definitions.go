package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/vcpgo/vcp/internal/definition"
	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/tool"
)

// maxDefinitions limits a file of definitions, in bytes.
const maxDefinitions = 16 << 20

// readDefinitions registers the tools that a file defines. Nothing runs them.
func readDefinitions(registry *tool.Registry, in io.Reader, name string) error {
	raw, err := io.ReadAll(io.LimitReader(in, maxDefinitions+1))
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", name, err)
	}
	if len(raw) > maxDefinitions {
		return fmt.Errorf("%s is longer than %d MiB, the most that is read of definitions", name, maxDefinitions>>20)
	}
	if err := definition.Register(registry, raw, nil); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
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

// isDefinitions reports whether the file at path contains definitions, and not command tools. These
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
