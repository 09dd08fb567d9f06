package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"
)

// workspace is the built-in tools, or those that a file defines, and the tools of the sources, with
// their settings. The caller of open closes it.
type workspace struct {
	*settings
	registry *tool.Registry
	sources  *tool.Sources
	root     *os.Root
}

// open checks the flags, makes the built-in tools, and starts the sources.
func (c *configFlags) open(ctx context.Context, std streams) (*workspace, error) {
	s, err := c.load()
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(s.own[fieldRoot])
	if err != nil {
		return nil, fmt.Errorf("%s cannot be opened: %w", s.nameOf(fieldRoot), err)
	}
	space := &workspace{settings: s, registry: tool.NewRegistry(), root: root}
	space.registry.Override(s.overrides)
	space.sources = tool.NewSources(space.registry)
	if err := c.fill(ctx, space, std); err != nil {
		space.close()
		return nil, err
	}
	return space, nil
}

// fill registers the tools of a workspace.
func (c *configFlags) fill(ctx context.Context, space *workspace, std streams) error {
	if files := c.definitionFiles(); len(files) > 0 {
		for _, file := range files {
			if err := addDefinitions(space.registry, std.in, file); err != nil {
				return err
			}
		}
	} else {
		tools, err := space.builtinTools()
		if err != nil {
			return err
		}
		scripts, err := newScriptTool()
		if err != nil {
			return err
		}
		if err := space.registry.Register(append(tools, scripts)...); err != nil {
			return err
		}
	}
	if err := space.openSources(ctx, std.err); err != nil {
		return err
	}
	space.warnOfOverrides(std.err)
	return c.checkToggles(space.registry)
}

// maxFont limits a font, in bytes. Those with Chinese letters have about 20 MB.
const maxFont = 64 << 20

// builtinTools returns the tools of this command.
func (s *workspace) builtinTools() ([]tool.Tool, error) {
	o := builtin.Options{Root: s.root}
	if path := s.own[fieldChartFont]; path != "" {
		f, err := document.OpenFile(path, os.O_RDONLY, 0)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.nameOf(fieldChartFont), err)
		}
		defer func() { _ = f.Close() }() // it was only read
		if o.Table.Font, err = document.ReadAll(f, maxFont); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", s.nameOf(fieldChartFont), path, err)
		}
	}
	return builtin.All(o)
}

// engine returns an engine over the tools. The Registry, Protocols, Config and Logger of o are set
// here; of its Config only a Protocol counts, which wins over that of the settings.
func (s *workspace) engine(std streams, o engine.Options) (*engine.Engine, error) {
	id := cmp.Or(o.Config.Protocol, s.Protocol)
	if id == autoProtocol { // no preset names one
		id = protocols[0].ID()
	}
	o.Registry, o.Protocols, o.Config = s.registry, protocols, s.Config
	o.Config.Protocol = id
	o.Logger = newLogger(std.err)
	e, err := engine.New(o)
	if err != nil {
		return nil, err
	}
	for i, r := range s.ApproveRules {
		if r.Decision != policy.Allow && !namesMethod(s.registry, r) {
			fmt.Fprintf(std.err, "vcp: approveRules[%d] (%s) matches no method here, so it restricts nothing%s\n",
				i, visible(r.String()), nearestText(s.registry, r))
		}
	}
	return e, nil
}

// namesMethod reports whether there is a method of the tool and the name that a rule asks for.
func namesMethod(registry *tool.Registry, r policy.Rule) bool {
	return slices.ContainsFunc(registry.Entries(), func(e *tool.Entry) bool {
		return (r.Tool == "" || r.Tool == e.Tool.ID) && (r.Method == "" || r.Method == e.FullName)
	})
}

// nearestText asks whether a rule means the tool and the method whose names come closest to those
// that do not exist.
func nearestText(registry *tool.Registry, r policy.Rule) string {
	var tools, methods, meant []string
	for _, e := range registry.Entries() {
		tools, methods = append(tools, e.Tool.ID), append(methods, e.FullName)
	}
	for _, n := range []struct {
		kind, name string
		there      []string
	}{{"tool", r.Tool, tools}, {"method", r.Method, methods}} {
		if near := text.Nearest(n.name, n.there); len(near) > 0 && !slices.Contains(n.there, n.name) {
			meant = append(meant, n.kind+": "+near[0])
		}
	}
	if meant == nil {
		return ""
	}
	return "; did you mean " + strings.Join(meant, ", ") + "?"
}

// noMethods says why no method can be called.
func noMethods(c engine.Config) string {
	if !c.Enabled {
		return "tool calling is switched off (enabled is false)"
	}
	return "every method is switched off (toolToggles and defaultToolEnabled)"
}

// The engine's own tool, with which a model reads the rest of a truncated result. The engine
// registers it if results may be truncated.
const (
	resultsTool = "results"
	resultsRead = "results_read"
)

// checkToggles refuses a flag for what does not exist: with a misspelled name, the tool that was to
// be disabled would stay enabled. A file may name tools of other applications.
func (c *configFlags) checkToggles(registry *tool.Registry) error {
	known := []string{resultsTool, resultsRead, "tools", "tools_search"}
	for _, e := range registry.Entries() {
		known = append(known, e.Tool.ID, e.FullName)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	for _, name := range c.namesInToggles() {
		if !slices.Contains(known, name) {
			hint := ""
			if near := text.Nearest(name, known); len(near) > 0 {
				hint = "; did you mean " + near[0] + "?"
			}
			return usagef("--tool-toggles names %q, and there is no such tool or method%s (vcp tools lists them)", name, hint)
		}
	}
	return nil
}

func (s *workspace) close() {
	s.sources.Close()
	_ = s.root.Close() // it was only read from
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

// warnOfOverrides names the overrides that change nothing here.
func (s *workspace) warnOfOverrides(stderr io.Writer) {
	var known []string
	for _, e := range s.registry.Entries() {
		known = append(known, e.Tool.ID, e.FullName)
	}
	for _, name := range slices.Sorted(maps.Keys(s.overrides)) {
		if slices.Contains(known, name) {
			continue
		}
		hint := ""
		if near := text.Nearest(name, known); len(near) > 0 {
			hint = "; did you mean " + near[0] + "?"
		}
		fmt.Fprintf(stderr, "vcp: toolOverrides.%s names no tool and no method here%s\n", visible(name), hint)
	}
}
