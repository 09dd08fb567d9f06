package builtin_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"
	"github.com/vcpgo/vcp/tool/command"
)

// A model may write files below the directory, but not the file that names the programs of tools.
func ExampleWritableExcept() {
	dir, err := os.MkdirTemp("", "notes")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	root, err := os.OpenRoot(dir)
	if err != nil {
		panic(err)
	}
	defer root.Close()

	registry := tool.NewRegistry()
	sources := tool.NewSources(registry)
	defer sources.Close()
	if err := sources.Add(command.NewSource(filepath.Join(dir, "tools.yaml"))); err != nil {
		panic(err)
	}
	files, err := builtin.Files(root, builtin.WritableExcept(sources.Files))
	if err != nil {
		panic(err)
	}
	if err := registry.Register(files); err != nil {
		panic(err)
	}

	write, _ := registry.Lookup("files_write")
	for _, name := range []string{"todo.md", "tools.yaml"} {
		call := &tool.Call{Method: write, Arguments: fmt.Appendf(nil, `{"path":%q,"content":"- milk\n"}`, name)}
		out, err := write.Method.Handler(context.Background(), call)
		fmt.Println(out.Text, err)
	}
	// Output:
	// Made todo.md: it has 7 bytes now. <nil>
	//  "tools.yaml" decides what this program runs or records, and nothing is written there; ask the user to change it
}
