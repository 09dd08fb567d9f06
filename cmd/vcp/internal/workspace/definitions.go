package workspace

import (
	"io"
	"os"

	"github.com/vcpgo/vcp/internal/definition"
	"github.com/vcpgo/vcp/tool"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
)

// readDefinitions registers the tools that a file defines. Nothing runs them.
func readDefinitions(registry *tool.Registry, in io.Reader, name string) error {
	raw, err := io.ReadAll(io.LimitReader(in, configuration.MaxDefinitions+1))
	if err != nil {
		return cli.Message("cannot read %s: %v", name, err)
	}
	if len(raw) > configuration.MaxDefinitions {
		return cli.Message("%s is longer than %d MiB, the limit of a file of definitions",
			name, configuration.MaxDefinitions>>20)
	}
	if err := definition.Register(registry, raw, nil); err != nil {
		return cli.Message("%s: %v", name, err)
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
		return cli.Message("--tools cannot be opened: %v", err)
	}
	defer file.Close()
	return readDefinitions(registry, file, path)
}
