package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/vcpgo/vcp/engine"
	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/builtin"
)

// workspaceFlags say which tools there are and how they may be used.
type workspaceFlags struct {
	config configFlags
	root   string
}

// add adds the flags that have an effect in a command.
func (w *workspaceFlags) add(f *pflag.FlagSet, use uses) {
	f.StringVar(&w.root, "root", ".", "the `DIRECTORY` that the files tools read; nothing outside of it can be reached")
	w.config.add(f, use)
}

// workspace is the built-in tools and how they may be used. Whoever opens it closes it.
type workspace struct {
	config   engine.Config
	registry *tool.Registry
	root     *os.Root
}

// open checks the flags and makes the tools.
func (w *workspaceFlags) open() (*workspace, error) {
	config, err := w.config.load()
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(w.root)
	if err != nil {
		return nil, fmt.Errorf("--root cannot be opened: %w", err)
	}
	space := &workspace{config: config, registry: tool.NewRegistry(), root: root}
	tools, err := builtin.Tools(root)
	if err == nil {
		err = space.registry.Register(tools...)
	}
	if err == nil {
		err = w.checkToggles(space.registry)
	}
	if err != nil {
		space.close()
		return nil, err
	}
	return space, nil
}

// engine returns an engine over the tools. The Registry, Protocols, Config and Logger of o are set
// here.
func (s *workspace) engine(std streams, o engine.Options) (*engine.Engine, error) {
	o.Registry, o.Protocols, o.Config = s.registry, protocols, s.config
	if o.Config.Protocol == autoProtocol { // no preset names one
		o.Config.Protocol = protocols[0].ID()
	}
	o.Logger = newLogger(std.err)
	e, err := engine.New(o)
	if err != nil {
		return nil, err
	}
	for i, r := range s.config.ApproveRules {
		if r.Decision != policy.Allow && !namesMethod(s.registry, r) {
			fmt.Fprintf(std.err, "vcp: approveRules[%d] (%s) matches no method here, so it restricts nothing%s\n",
				i, visible(ruleText(r)), nearestText(s.registry, r))
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

func ruleText(r policy.Rule) string {
	var parts []string
	for _, p := range [][2]string{{"tool", r.Tool}, {"method", r.Method}, {"risk", string(r.Risk)}, {"decision", string(r.Decision)}} {
		if p[1] != "" {
			parts = append(parts, p[0]+": "+p[1])
		}
	}
	return strings.Join(parts, ", ")
}

// newLogger logs warnings and errors for people.
func newLogger(stderr io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// The engine's own tool, with which a model reads on in a truncated result. The
// engine registers it if results are truncated.
const (
	resultsTool = "results"
	resultsRead = "results_read"
)

// checkToggles refuses a flag for what does not exist: with a misspelled name, the tool that was to
// be disabled would stay enabled. A file may name tools of other applications.
func (w *workspaceFlags) checkToggles(registry *tool.Registry) error {
	known := []string{resultsTool, resultsRead}
	for _, e := range registry.Entries() {
		known = append(known, e.Tool.ID, e.FullName)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	for _, name := range w.config.namesInToggles() {
		if !slices.Contains(known, name) {
			return usagef("--tool-toggles names %q, and there is no such tool or method; there are %s", name, inWords(known))
		}
	}
	return nil
}

func (s *workspace) close() {
	_ = s.root.Close() // it was only read from
}
