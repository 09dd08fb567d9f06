package workspace

import (
	"fmt"
	"io"
	"os"

	"github.com/vcpgo/vcp/internal/definition"
	"github.com/vcpgo/vcp/tool"

	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
)

// readDefinitions registers the tools that a file defines. Nothing runs them.
func readDefinitions(registry *tool.Registry, in io.Reader, name string) error {
	raw, err := io.ReadAll(io.LimitReader(in, configuration.MaxDefinitions+1))
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", name, err)
	}
	if len(raw) > configuration.MaxDefinitions {
		return fmt.Errorf("%s is longer than %d MiB, the most that is read of definitions", name, configuration.MaxDefinitions>>20)
	}
	if err := definition.Register(registry, raw, nil); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// addDefinitions registers the tools that the file at path defines.
func addDefinitions(registry *tool.Registry, stdin io.Reader, path string) error {
	if path == configuration.StandardInput {
		return readDefinitions(registry, stdin, "standard input")
	}
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("--tools cannot be opened: %w", err)
	}
	defer file.Close()
	return readDefinitions(registry, file, path)
}
