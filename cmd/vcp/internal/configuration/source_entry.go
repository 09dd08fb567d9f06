package configuration

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/mcp"
)

// sourceKind is one kind of source of tools, such as a directory of plug-ins. A configuration has
// an entry in its list "sources" for each source. The kind of a source is known by the field that
// its entry has, such as "plugins". A flag may name a source, too.
type sourceKind struct {
	field   string   // the name of that field; its value says where the tools are
	options []string // the names of other fields that the entry may have
	flag    string   // the flag that takes the value of the field as a text; "" if no flag does
	usage   string   // of the flag, with the placeholder in backquotes
	isPath  bool     // the value of the flag is a path
	// open makes the source of an entry, without starting it.
	open func(entry *sourceEntry) (tool.Source, error)
}

// sourceEntry is an entry of the list sources in a configuration, or the value of a flag.
type sourceEntry struct {
	place  string         // such as "sources[0]" or "--tools"
	dir    string         // where relative paths begin; "" is the current directory
	fields document.Value // a Mapping
	pins   mcp.Pins       // record the definitions of tools of MCP servers
}

// path returns the value of a field as a path.
func (e *sourceEntry) path(field string) (string, error) {
	v := e.fields.Field(field)
	if v.Kind != document.String || v.Text == "" {
		return "", &engine.ConfigError{
			Field: e.place + "." + field, Value: v.String(), Allowed: "a path", Line: v.Line,
		}
	}
	return e.inDir(v.Text), nil
}

// inDir joins a relative path to the directory of the entry. It returns an absolute path unchanged.
func (e *sourceEntry) inDir(path string) string {
	if filepath.IsAbs(path) || e.dir == "" {
		return path
	}
	return filepath.Join(e.dir, path)
}

// decode stores the fields of the entry in the struct that dst points to.
func (e *sourceEntry) decode(dst any) error {
	err := configError(e.place, e.fields.Decode(dst))
	// The error about a field whose name ends in timeout says which durations are allowed.
	if bad, ok := errors.AsType[*engine.ConfigError](err); ok && strings.HasSuffix(strings.ToLower(bad.Field), "timeout") {
		bad.Allowed = fieldNamed("timeout").Allowed
	}
	return err
}

// maxShownName limits the name of an unknown field in an error, in bytes.
const maxShownName = 60

// refuseOthers returns an error if the entry has a field that is not in known.
func (e *sourceEntry) refuseOthers(known []string) error {
	for _, f := range e.fields.Fields {
		if !slices.Contains(known, f.Name) {
			name := text.TruncateBytes(f.Name, maxShownName)
			return configError(e.place, &document.UnknownFieldError{Field: name, Line: f.Line, Name: name, Known: known})
		}
	}
	return nil
}
