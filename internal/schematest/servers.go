package schematest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Server is what a real MCP server answers to tools/list, and where it comes from.
type Server struct {
	ID                             string `json:"-"` // the name of the file without its extension
	Name, Version, License, Source string
	Tools                          []Definition
}

// Definition is the definition of one tool.
type Definition struct {
	Name, Title, Description string
	InputSchema              json.RawMessage
}

// Servers reads testdata/definitions, sorted by ID. directory is its path.
func Servers(tb testing.TB, directory string) (list []Server) {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(directory, "*.json"))
	if err != nil || len(files) == 0 {
		tb.Fatal("no definitions in "+directory, err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		s := Server{ID: strings.TrimSuffix(filepath.Base(file), ".json")}
		if err := json.Unmarshal(raw, &s); err != nil {
			tb.Fatal(file, err)
		}
		list = append(list, s)
	}
	return list
}
