// Package workspace opens the tools that the settings select, and makes an engine that runs them.
package workspace

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
	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"

	"github.com/vcpgo/vcp/cmd/vcp/internal/cli"
	"github.com/vcpgo/vcp/cmd/vcp/internal/configuration"
	"github.com/vcpgo/vcp/cmd/vcp/internal/terminal"
)

// Workspace contains the settings, and the tools that they select: the built-in tools, or those
// that a file defines, and the tools of the sources. The caller of Open closes it.
type Workspace struct {
	*configuration.Settings
	Registry *tool.Registry
	sources  *tool.Sources
	root     *os.Root
	records  []string // files of the command that tools must not change; see Protect
}

// Open reads the settings, registers the tools, and starts the sources.
func Open(ctx context.Context, flags *configuration.Flags, std cli.Streams) (*Workspace, error) {
	s, err := flags.Load()
	if err != nil {
		return nil, err
	}
	path := s.Own[configuration.SaveFiles]
	if info, err := os.Stat(path); path != "" && err == nil && !info.IsDir() {
		return nil, cli.Message("%s is %q, which is not a directory", s.NameOf(configuration.SaveFiles), path)
	}
	root, err := os.OpenRoot(s.Own[configuration.Root])
	if err != nil {
		return nil, cli.Message("%s cannot be opened: %v", s.NameOf(configuration.Root), err)
	}
	space := &Workspace{Settings: s, Registry: tool.NewRegistry(), root: root}
	space.Registry.Override(s.Overrides)
	space.sources = tool.NewSources(space.Registry)
	if err := space.fill(ctx, flags, std); err != nil {
		space.Close()
		return nil, err
	}
	return space, nil
}

// fill registers the built-in tools or those of definition files, and starts the sources.
func (s *Workspace) fill(ctx context.Context, flags *configuration.Flags, std cli.Streams) error {
	for _, file := range flags.Definitions {
		if err := addDefinitions(s.Registry, std.In, file); err != nil {
			return err
		}
	}
	if len(flags.Definitions) == 0 {
		if err := s.addBuiltinTools(); err != nil {
			return err
		}
	}
	if err := s.openSources(ctx, std.Err); err != nil {
		return err
	}
	s.warnOfOverrides(std.Err)
	return s.checkToggles(flags)
}

// maxFont limits a font, in bytes. A font with Chinese characters has about 20 MB.
const maxFont = 64 << 20

// addBuiltinTools registers the built-in tools and script_run.
func (s *Workspace) addBuiltinTools() error {
	o := builtin.Options{Root: s.root, Protected: s.protected}
	if path := s.Own[configuration.ChartFont]; path != "" {
		f, err := document.OpenFile(path, os.O_RDONLY, 0)
		if err != nil {
			return cli.Message("%s: %v", s.NameOf(configuration.ChartFont), err)
		}
		defer func() { _ = f.Close() }() // only read, so an error means nothing
		if o.Table.Font, err = document.ReadAll(f, maxFont); err != nil {
			return cli.Message("%s: %s: %v", s.NameOf(configuration.ChartFont), path, err)
		}
	}
	tools, err := builtin.All(o)
	if err != nil && o.Table.Font != nil {
		o.Table.Font = nil
		if _, other := builtin.All(o); other == nil {
			err = cli.Message("%s: %s is not a TrueType or OpenType font: %v",
				s.NameOf(configuration.ChartFont), s.Own[configuration.ChartFont], err)
		}
	}
	if err != nil {
		return err
	}
	scripts, err := NewScriptTool()
	if err != nil {
		return err
	}
	return s.Registry.Register(append(tools, scripts)...)
}

// Engine returns an engine over the tools. It replaces the Registry, Protocols, Config and Logger
// of o. If o.Config has a Protocol, the engine uses it instead of the Protocol of the settings.
func (s *Workspace) Engine(std cli.Streams, o engine.Options) (*engine.Engine, error) {
	id := cmp.Or(o.Config.Protocol, s.Protocol)
	if id == configuration.AutoProtocol { // no preset names a protocol
		id = configuration.Protocols[0].ID()
	}
	o.Registry, o.Protocols, o.Config = s.Registry, configuration.Protocols, s.Config
	o.Config.Protocol = id
	o.Logger = terminal.NewLogger(std.Err)
	e, err := engine.New(o)
	if err != nil {
		return nil, err
	}
	for i, r := range s.ApproveRules {
		if r.Decision != policy.Allow && !namesMethod(s.Registry, r) {
			note(std.Err, cli.Message("approveRules[%d] (%s) matches no method here, so it restricts nothing%v",
				i, terminal.Visible(r.String()), didYouMeanRule(s.Registry, r)))
		}
	}
	return e, nil
}

// namesMethod reports whether the registry has a method with the tool and the name in a rule.
func namesMethod(registry *tool.Registry, r policy.Rule) bool {
	return slices.ContainsFunc(registry.Entries(), func(e *tool.Entry) bool {
		return (r.Tool == "" || r.Tool == e.Tool.ID) && (r.Method == "" || r.Method == e.FullName)
	})
}

// didYouMeanRule returns a question, like didYouMean, about the names that are nearest to the
// unknown tool or method of a rule.
func didYouMeanRule(registry *tool.Registry, r policy.Rule) *message.Text {
	var tools, methods, meant []string
	for _, e := range registry.Entries() {
		tools, methods = append(tools, e.Tool.ID), append(methods, e.FullName)
	}
	for _, n := range []struct {
		kind, name string
		known      []string
	}{{"tool", r.Tool, tools}, {"method", r.Method, methods}} {
		if near := text.Nearest(n.name, n.known); len(near) > 0 && !slices.Contains(n.known, n.name) {
			meant = append(meant, n.kind+": "+near[0])
		}
	}
	if meant == nil {
		return cli.Message("")
	}
	return cli.Message("; did you mean %s?", strings.Join(meant, ", "))
}

// didYouMean returns a question about the name that is nearest to an unknown one, as the end of a
// sentence. It is empty if no name is near.
func didYouMean(unknown string, known []string) *message.Text {
	if near := text.Nearest(unknown, known); len(near) > 0 {
		return cli.Message("; did you mean %s?", near[0])
	}
	return cli.Message("")
}

// note writes a note for people, in the language of the locale.
func note(stderr io.Writer, m *message.Text) { fmt.Fprintf(stderr, "vcp: %s\n", m.In(cli.Language())) }

// NoMethods returns an error that says why the model can call no method.
func NoMethods(c engine.Config) error {
	if !c.Enabled {
		return cli.Message("tool calling is switched off (enabled is false)")
	}
	return cli.Message("every method is switched off (toolToggles and defaultToolEnabled)")
}

// The tool of the engine with which a model reads the rest of a long result, and its method. The
// engine registers the tool if results may be shortened to excerpts.
const (
	ResultsTool = "results"
	ResultsRead = "results_read"
)

// checkToggles returns an error if --tool-toggles names an unknown tool or method. If the name is
// misspelled, the tool that the user wants to disable would stay enabled. In a configuration file,
// unknown names are allowed, because other applications may have those tools.
func (s *Workspace) checkToggles(flags *configuration.Flags) error {
	// The engine registers two tools of its own after this check.
	known := append(s.names(), ResultsTool, ResultsRead, "tools", "tools_search")
	for _, name := range flags.NamesInToggles() {
		if !slices.Contains(known, name) {
			return cli.Usagef("--tool-toggles names %q, and there is no such tool or method%v (vcp tools lists them)",
				name, didYouMean(name, known))
		}
	}
	return nil
}

// names returns the ids of the tools and the full names of their methods. An id may occur twice.
func (s *Workspace) names() (names []string) {
	for _, e := range s.Registry.Entries() {
		names = append(names, e.Tool.ID, e.FullName)
	}
	return names
}

// Close stops the sources and closes the directory of the tools.
func (s *Workspace) Close() {
	s.sources.Close()
	_ = s.root.Close() // no data is lost: tools have closed their files
}

// startTime is how long a command waits for its sources. A source that takes longer adds its tools
// later.
const startTime = 15 * time.Second

// openSources starts the sources of the settings, and waits until they have offered their tools, or
// until startTime has passed.
func (s *Workspace) openSources(ctx context.Context, stderr io.Writer) error {
	for _, source := range s.Settings.Sources {
		if err := s.sources.Add(source); err != nil {
			if errors.As(err, new(*tool.ConflictError)) {
				return cli.Usagef("%s is named twice; name each source once", source.Name())
			}
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	if err := s.sources.Wait(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return cli.ErrInterrupted
	}
	s.reportSources(stderr)
	return nil
}

// maxReported is how many providers of a source are reported one by one. A provider is a plug-in, a
// server or a file of the source.
const maxReported = 5

// reportSources says which providers do not work as they should. It omits those that are switched
// off.
func (s *Workspace) reportSources(stderr io.Writer) {
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
			note(stderr, cli.Message("%s: %d tool providers do not work as they should; vcp tools says why",
				terminal.Visible(source), n))
		} else {
			for _, p := range providers[:n] {
				note(stderr, cli.Message("%s: %s is %s: %s",
					terminal.Visible(source), terminal.Visible(p.Name), p.Health, terminal.Visible(p.Reason)))
			}
		}
		providers = providers[n:]
	}
}

// warnOfOverrides names the overrides that change nothing here.
func (s *Workspace) warnOfOverrides(stderr io.Writer) {
	known := s.names()
	for _, name := range slices.Sorted(maps.Keys(s.Overrides)) {
		if slices.Contains(known, name) {
			continue
		}
		note(stderr, cli.Message("toolOverrides.%s names no tool and no method here%v",
			terminal.Visible(name), didYouMean(name, known)))
	}
}
