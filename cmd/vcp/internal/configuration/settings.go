// Package configuration reads the settings of vcp from a file, the environment and flags, and opens
// the sources that they name.
package configuration

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/mcp"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
)

// Settings are the resulting configuration: the defaults, changed by the file, the environment and
// the flags, in this order.
type Settings struct {
	engine.Config
	Own  map[string]string // the values of the fields that only vcp has, if they are texts
	From map[string]string // by field: what set it, if it is not the default
	File string            // the file that was read, or "" if no file was read

	Sources   []tool.Source // of the file, then of the flags; not started
	pins      mcp.Pins      // the recorded definitions of tools of MCP servers
	Overrides map[string]tool.Override
}

// DefaultSettings returns the settings without a file, environment variables and flags.
func DefaultSettings() *Settings {
	s := &Settings{Config: engine.DefaultConfig(), Own: map[string]string{}, From: map[string]string{}}
	for i := range Fields {
		if f := &Fields[i]; f.own && f.isText() {
			s.Own[f.Name] = f.Default
		}
	}
	s.Approve = defaultApprove
	return s
}

// Clone returns a copy whose fields can be set without changing s.
func (s *Settings) Clone() *Settings {
	c := *s
	c.Own, c.From, c.Sources = maps.Clone(s.Own), maps.Clone(s.From), slices.Clone(s.Sources)
	return &c
}

// defaultFile returns the path of this user's configuration file, which need not exist, or "" if
// the system does not say.
func defaultFile() string {
	dir, err := cli.UserDir("XDG_CONFIG_HOME")
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "config.yaml")
}

// readFile sets the fields that a file names. If the file is optional, it need not exist.
func (s *Settings) readFile(path string, optional bool) error {
	var own []string
	for i := range Fields {
		if Fields[i].own {
			own = append(own, Fields[i].Name)
		}
	}
	read, err := engine.LoadConfig(path, own...)
	if optional && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var bad interface { // an error whose text exists in each language
		error
		In(language string) string
	}
	unknown, ok := errors.AsType[*engine.UnknownFieldError](err)
	switch {
	case ok && text.FoldName(unknown.Field) == "apikey":
		return cli.Message("%s: %v; a file holds no key: put it in the environment variable %s", path, unknown, EnvKey)
	case errors.As(err, &bad):
		return cli.Message("%s: %v", path, bad)
	}
	if err != nil {
		return err
	}
	s.Config, s.File = read.Config, path
	if !slices.Contains(read.Named, fieldApprove) {
		s.Approve = defaultApprove
	}
	for _, name := range read.Named {
		s.From[name] = path
	}
	whole, err := document.Load(path) // read has neither the values of own fields nor the lines that errors name
	if err != nil {
		return cli.Message("%s: %v", path, err)
	}
	for _, f := range whole.Fields {
		if f.Name == "protocol" {
			if _, err := ProtocolNamed(read.Config.Protocol); err != nil {
				bad := &engine.ConfigError{
					Field: f.Name, Value: f.Value.String(), Allowed: fieldNamed(f.Name).Allowed, Line: f.Value.Line,
				}
				return cli.Message("%s: %v", path, bad)
			}
		}
		if !slices.Contains(own, f.Name) {
			continue
		}
		if err := s.readOwn(f.Name, f.Value); err != nil {
			return cli.Message("%s: %v", path, err)
		}
	}
	return nil
}

// readOwn sets a field that only vcp has to the value in the file.
func (s *Settings) readOwn(name string, value document.Value) (err error) {
	switch name {
	case fieldSources:
		s.Sources, err = readSources(value, filepath.Dir(s.File), s.pins)
		return err
	case fieldOverrides:
		s.Overrides, err = readOverrides(value)
		return err
	}
	if value.Kind != document.String {
		return &engine.ConfigError{Field: name, Value: value.String(), Allowed: "a text", Line: value.Line}
	}
	content := value.Text
	isPath := name == Root || content != "" && (name == SaveFiles || name == ChartFont)
	if isPath && !filepath.IsAbs(content) {
		content = filepath.Join(filepath.Dir(s.File), content)
	}
	s.Own[name] = content
	return nil
}

// set sets one field. from is the name of the flag or of the environment variable with the value.
func (s *Settings) set(f *field, value, from string) error {
	if f.own {
		s.Own[f.Name] = value
	} else if err := s.Set(f.Name, value); err != nil {
		return err
	}
	s.From[f.Name] = from
	// Setting approve has cleared requireConfirmation.
	if _, set := s.From["requireConfirmation"]; set && f.Name == "approve" {
		s.From["requireConfirmation"] = from
	}
	return nil
}

// NameOf returns how errors name the field: by the flag or the environment variable that set it, by
// the file and the field, or by its flag if nothing set it.
func (s *Settings) NameOf(name string) string {
	switch from := s.From[name]; from {
	case "":
		return "--" + fieldNamed(name).FlagName()
	case s.File:
		return from + ": " + name
	default:
		return from
	}
}

// Value returns the value of a field of the engine's configuration, as in a file.
func (s *Settings) Value(name string) string { return orderedjson.NonNullText(s.values()[name]) }

// values returns the fields of the engine's configuration by name, as in a file.
func (s *Settings) values() map[string]json.RawMessage {
	data, _ := json.Marshal(s.Config) // a Config is plain data
	var values map[string]json.RawMessage
	_ = json.Unmarshal(data, &values)
	return values
}
