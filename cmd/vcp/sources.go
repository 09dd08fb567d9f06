package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/command"
	"github.com/vcpgo/vcp/tool/mcp"
	"github.com/vcpgo/vcp/tool/vcpplugin"
)

// sourceKind is one kind of source: a field of an entry of sources, and a flag.
type sourceKind struct {
	field   string   // its value says where the tools are
	options []string // the fields that an entry may have next to it
	flag    string   // takes the value as a text; "" is none
	usage   string   // of the flag, with the placeholder in backquotes
	isPath  bool     // the value of the flag is a path
	// open makes the sources of an entry, without starting them.
	open func(entry *sourceEntry) ([]tool.Source, error)
}

// sourceEntry is an entry of sources, or a flag.
type sourceEntry struct {
	place  string         // such as "sources[0]" or "--tools"
	dir    string         // where relative paths begin; "" is the current directory
	fields document.Value // a Mapping
	pins   mcp.Pins
}

// sourceKinds are the kinds in the order of the help texts.
var sourceKinds = append([]*sourceKind{
	{
		field: "commands", flag: "tools", isPath: true, usage: "add the tools of a `FILE`, in which each method runs a program; may be repeated",
		open: func(e *sourceEntry) ([]tool.Source, error) {
			path, err := e.path("commands")
			return []tool.Source{command.NewSource(path)}, err
		},
	},
	{
		field: "plugins", options: []string{"env"}, flag: "plugins", isPath: true,
		usage: "add the plug-ins in the folders of a `DIRECTORY`, as VCPToolBox keeps them; may be repeated",
		open: func(e *sourceEntry) ([]tool.Source, error) {
			path, err := e.path("plugins")
			if err != nil {
				return nil, err
			}
			var fields struct {
				Plugins string   `yaml:"plugins"`
				Env     []string `yaml:"env"`
			}
			err = e.decode(&fields)
			return []tool.Source{vcpplugin.NewSource(path, vcpplugin.Options{Env: fields.Env})}, err
		},
	},
}, mcpKinds...)

// path returns the value of a field as a path.
func (e *sourceEntry) path(field string) (string, error) {
	v := e.fields.Field(field)
	if v.Kind != document.String || v.Text == "" {
		return "", &engine.ConfigError{Field: e.place + "." + field, Value: v.String(), Allowed: "a path", Line: v.Line}
	}
	return e.absolute(v.Text), nil
}

// absolute returns a path that is relative to the entry's directory as one that is not.
func (e *sourceEntry) absolute(path string) string {
	if filepath.IsAbs(path) || e.dir == "" {
		return path
	}
	return filepath.Join(e.dir, path)
}

// decode stores the fields of the entry in the struct that dst points to.
func (e *sourceEntry) decode(dst any) error {
	var (
		unknown *document.UnknownFieldError
		value   *document.ValueError
	)
	switch err := e.fields.Decode(dst); {
	case errors.As(err, &unknown):
		return unknownSourceField(e.place, unknown.Field, unknown.Line, unknown.Known)
	case errors.As(err, &value):
		return &engine.ConfigError{Field: e.place + "." + value.Field, Value: value.Value, Allowed: allowedFieldValue(value), Line: value.Line}
	default:
		return err
	}
}

// allowedFieldValue says what a field of a source takes. Those that are not of a plain type are
// durations, as the field timeout of a configuration.
func allowedFieldValue(bad *document.ValueError) string {
	if !strings.HasSuffix(strings.ToLower(bad.Field), "timeout") {
		return bad.Want
	}
	return fields[slices.IndexFunc(fields, func(f field) bool { return f.Name == "timeout" })].Allowed
}

func unknownSourceField(place, name string, line int, known []string) error {
	err := &engine.UnknownFieldError{Field: place + "." + text.TruncateBytes(name, 60), Known: known, Line: line}
	if near := text.Nearest(name, known); len(near) > 0 {
		err.Nearest = near[0]
	}
	return err
}

// readSources makes the sources of the field sources of a configuration in dir.
func readSources(list document.Value, dir string, pins mcp.Pins) (all []tool.Source, err error) {
	if list.Kind != document.List && list.Kind != document.Null {
		return nil, &engine.ConfigError{Field: fieldSources, Value: list.String(), Allowed: "a list of sources", Line: list.Line}
	}
	for i, item := range list.Items {
		entry := &sourceEntry{place: fmt.Sprintf("%s[%d]", fieldSources, i), dir: dir, fields: item, pins: pins}
		sources, err := entry.open()
		if err != nil {
			return nil, err
		}
		all = append(all, sources...)
	}
	return all, nil
}

// open makes the sources of an entry of a configuration.
func (e *sourceEntry) open() ([]tool.Source, error) {
	var all []string
	var kind *sourceKind
	for _, k := range sourceKinds {
		all = append(all, k.field)
		if e.fields.Field(k.field).Kind == document.Null {
			continue
		}
		if kind != nil {
			return nil, &engine.ConfigError{
				Field: e.place, Value: "both " + kind.field + " and " + k.field, Allowed: "one of them; write another entry for the other",
				Line: e.fields.Line,
			}
		}
		kind = k
	}
	if kind == nil {
		for _, f := range e.fields.Fields {
			if !slices.Contains(all, f.Name) {
				return nil, unknownSourceField(e.place, f.Name, f.Line, all)
			}
		}
		return nil, &engine.ConfigError{Field: e.place, Value: e.fields.String(), Allowed: "a mapping with " + strings.Join(all, " or "), Line: e.fields.Line}
	}
	known := append([]string{kind.field}, kind.options...)
	for _, f := range e.fields.Fields {
		if !slices.Contains(known, f.Name) {
			return nil, unknownSourceField(e.place, f.Name, f.Line, known)
		}
	}
	return kind.open(e)
}

// loadSources adds the sources of the flags to those of the file.
func (c *configFlags) loadSources(s *settings) error {
	var flags []string
	for _, f := range c.sources {
		for _, path := range f.values {
			if f.kind.isPath && path != standardInput {
				if _, err := os.Stat(path); err != nil {
					return fmt.Errorf("--%s cannot be opened: %w", f.kind.flag, err)
				}
			}
		}
		s.sources = append(s.sources, f.sources...)
		if len(f.sources) > 0 {
			flags = append(flags, "--"+f.kind.flag)
		}
	}
	if len(flags) > 0 {
		s.from[fieldSources] = strings.Join(append(slices.DeleteFunc([]string{s.from[fieldSources]}, func(n string) bool { return n == "" }), flags...), ", ")
	}
	return nil
}

// startTime is how long a command waits for its sources. A source that takes longer adds its tools
// later.
const startTime = 15 * time.Second

// openSources starts the sources of the settings, and waits until they have offered their tools.
func (s *workspace) openSources(ctx context.Context, stderr io.Writer) error {
	for _, source := range s.settings.sources {
		if err := s.sources.Add(source); err != nil {
			if errors.As(err, new(*tool.ConflictError)) {
				return usagef("%s is named twice; name each source once", source.Name())
			}
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	if err := s.sources.Wait(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return errInterrupted
	}
	s.reportSources(stderr)
	return nil
}

// maxReported is how many providers of a source are reported one by one.
const maxReported = 5

// reportSources says which providers do not work as they should.
func (s *workspace) reportSources(stderr io.Writer) {
	providers := slices.DeleteFunc(s.sources.Providers(), func(p tool.ProviderState) bool {
		return p.Health == tool.HealthUp || p.Health == tool.HealthOff
	})
	for len(providers) > 0 {
		source := providers[0].Source
		n := slices.IndexFunc(providers, func(p tool.ProviderState) bool { return p.Source != source })
		if n < 0 {
			n = len(providers)
		}
		if n > maxReported {
			fmt.Fprintf(stderr, "vcp: %s: %d do not work as they should; vcp tools says why\n", visible(source), n)
		} else {
			for _, p := range providers[:n] {
				fmt.Fprintf(stderr, "vcp: %s: %s is %s: %s\n", visible(source), visible(p.Name), p.Health, visible(p.Reason))
			}
		}
		providers = providers[n:]
	}
}
