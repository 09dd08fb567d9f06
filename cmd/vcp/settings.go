package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/mcp"
)

// settings are the resulting configuration: the defaults, changed by the file, the environment and
// the flags, in this order.
type settings struct {
	engine.Config
	own  map[string]string // the values of the command's own fields
	from map[string]string // by field: what set it, if it is not the default
	file string            // the file that was read, or "" if there is none

	sources   []tool.Source // of the file, then of the flags; not started
	pins      mcp.Pins      // of the sources that are MCP servers
	overrides map[string]tool.Override
}

func defaultSettings() *settings {
	s := &settings{Config: engine.DefaultConfig(), own: map[string]string{}, from: map[string]string{}}
	for i := range fields {
		if f := &fields[i]; f.own && f.text() {
			s.own[f.Name] = f.Default
		}
	}
	s.Approve = defaultApprove
	return s
}

// clone returns a copy whose fields can be set without changing s.
func (s *settings) clone() *settings {
	c := *s
	c.own, c.from, c.sources = maps.Clone(s.own), maps.Clone(s.from), slices.Clone(s.sources)
	return &c
}

// defaultFile returns the path of this user's configuration file, which need not exist, or "" if
// the system does not say.
func defaultFile() string {
	dir, err := userDir("XDG_CONFIG_HOME", ".config")
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "config.yaml")
}

// readFile sets the fields that a file names. If the file is optional, it need not exist.
func (s *settings) readFile(path string, optional bool) error {
	var own []string
	for i := range fields {
		if fields[i].own {
			own = append(own, fields[i].Name)
		}
	}
	read, err := engine.LoadConfig(path, own...)
	if optional && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err = protocolNamed(read.Config.Protocol); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	s.Config, s.file = read.Config, path
	if !slices.Contains(read.Named, fieldApprove) {
		s.Approve = defaultApprove
	}
	for _, name := range read.Named {
		s.from[name] = path
	}
	whole, err := document.Load(path) // again, for the lines of errors
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, f := range whole.Fields {
		if !slices.Contains(own, f.Name) {
			continue
		}
		if err := s.readOwn(f.Name, f.Value); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// readOwn sets a field of this command to the value that the file gives it.
func (s *settings) readOwn(name string, value document.Value) (err error) {
	switch name {
	case fieldSources:
		s.sources, err = readSources(value, filepath.Dir(s.file), s.pins)
		return err
	case fieldOverrides:
		s.overrides, err = readOverrides(value)
		return err
	}
	if value.Kind != document.String {
		return &engine.ConfigError{Field: name, Value: value.String(), Allowed: "a text", Line: value.Line}
	}
	text := value.Text
	isPath := name == fieldRoot || text != "" && (name == fieldSaveFiles || name == fieldChartFont)
	if isPath && !filepath.IsAbs(text) {
		text = filepath.Join(filepath.Dir(s.file), text)
	}
	s.own[name] = text
	return nil
}

// set sets one field. from names the flag, variable or file.
func (s *settings) set(f *field, value, from string) error {
	if f.own {
		s.own[f.Name] = value
	} else if err := s.Set(f.Name, value); err != nil {
		return err
	}
	s.from[f.Name] = from
	if _, set := s.from["requireConfirmation"]; set && f.Name == "approve" { // Set ends it
		s.from["requireConfirmation"] = from
	}
	return nil
}

// nameOf returns the name of the field in errors: the flag or the variable that set it, or the
// field of the file.
func (s *settings) nameOf(name string) string {
	switch from := s.from[name]; from {
	case "":
		i := slices.IndexFunc(fields, func(f field) bool { return f.Name == name })
		return "--" + fields[i].flagName()
	case s.file:
		return from + ": " + name
	default:
		return from
	}
}

// fromFlag reports whether a flag set the field.
func (s *settings) fromFlag(name string) bool { return strings.HasPrefix(s.from[name], "--") }

// said describes a field of the engine's configuration: what set it, and its value.
func (s *settings) said(name string) string {
	return s.nameOf(name) + " is " + unquoted(s.values()[name])
}

// values are the fields of the engine's configuration, as in a file.
func (s *settings) values() map[string]json.RawMessage {
	data, err := json.Marshal(s.Config)
	values := map[string]json.RawMessage{}
	if err == nil {
		err = json.Unmarshal(data, &values)
	}
	if err != nil { // it is plain data
		return nil
	}
	return values
}

// unquoted returns a text of JSON as it is meant, "" for null, and any other value as it is
// written.
func unquoted(value json.RawMessage) string {
	text := ""
	if json.Unmarshal(value, &text) != nil {
		return string(value)
	}
	return text
}
