package schematest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Server contains the response of a real MCP server to tools/list, and the origin of the server.
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

// Servers reads the JSON files of testdata/definitions, in the order of their names. directory is
// the path of that directory.
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
