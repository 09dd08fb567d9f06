// Package vcpplugin offers the plug-ins of a folder, as VCPToolBox keeps them, as tools.
//
// A plug-in is a directory with a plugin-manifest.json. Only synchronous and asynchronous plug-ins
// with the protocol stdio can run. Each entry of capabilities.invocationCommands is a method of a
// tool with the name of the plug-in. A call starts the plug-in's program in its directory, and
// writes the arguments as one JSON object to standard input. From standard output it reads one JSON
// object with status, and result or error. Other plug-ins are listed with the reason why they do
// not run.
//
// Manifests are read tolerantly. Running is strict: no shell reads the command line, the
// environment is a list of allowed variables, and time and output are limited. Every call needs
// approval unless a rule names the plug-in or the method.
package vcpplugin

import (
	"cmp"
	"context"
	"path/filepath"
	"time"

	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/internal/poll"
)

// Options set up a Source.
type Options struct {
	// Env names variables of this process that plug-ins get. They also get a fixed list of
	// variables without secrets, such as PATH, and the variables in their config.env.
	Env []string
}

// Source offers the plug-ins of a folder. Every two seconds it checks whether folders, manifests or
// files config.env have changed. If a manifest becomes invalid, its last valid version stays in use
// and the provider's health is degraded. NewSource returns a Source.
type Source struct {
	dir     string
	options Options
}

var _ tool.SourceWithFiles = (*Source)(nil)

// NewSource returns the source of the plug-ins in the folder dir. dir may also be the folder of one
// plug-in.
func NewSource(dir string, o Options) *Source { return &Source{dir, o} }

// interval is how often the folder is checked for changes.
const interval = 2 * time.Second

// Name returns "plugins" and the path of the folder.
func (s *Source) Name() string { return "plugins " + s.dir }

// Files implements tool.SourceWithFiles. It returns the folder.
func (s *Source) Files() []string { return []string{s.dir} }

// Run implements tool.Source. Each plug-in is a provider.
func (s *Source) Run(ctx context.Context, offers tool.Offers) error {
	dir, err := filepath.Abs(s.dir)
	if err != nil {
		return err
	}
	l := &loader{source: s, dir: dir, context: ctx, offers: offers, loaded: map[string]*loadedPlugin{}}
	var found scanResult
	poll.Watch(ctx, interval, func() string {
		found = scan(dir)
		return found.String()
	}, func() { l.update(found) })
	return ctx.Err()
}

// loadedPlugin is the plug-in in one folder, as the source offers it.
type loadedPlugin struct {
	stamp    folderStamp
	provider string // its name
	tool     string // the id of its tool; "" if it has none
	good     bool   // a version of the manifest could be read
}

// loader keeps the providers of a source up to date with the folders.
type loader struct {
	source     *Source
	dir        string // of the source, absolute
	context    context.Context
	offers     tool.Offers
	loaded     map[string]*loadedPlugin // by the path of the folder
	hadProblem bool                     // the last scan had a problem, which a provider of its own reports
}

// update reads the folders that are new or have changed, and removes those that are gone.
func (l *loader) update(now scanResult) {
	var gone []string
	exists := map[string]bool{}
	for _, f := range now.folders {
		exists[f.path] = true
	}
	for path, f := range l.loaded {
		if !exists[path] {
			gone = append(gone, f.provider)
			delete(l.loaded, path)
		}
	}
	var changed []tool.Provider
	for _, f := range now.folders {
		previous := l.loaded[f.path]
		if previous != nil && previous.stamp == f {
			continue
		}
		p, ok := loadPlugin(l.context, l.dir, f, l.toolTaken, l.source.options.Env)
		if previous != nil && previous.good && !ok {
			previous.stamp = f
			l.offers.SetHealth(previous.provider, tool.HealthDegraded, p.Reason+"; the last good version is in use")
			continue
		}
		p.Name = l.providerName(p.Name, f.path)
		if previous != nil && previous.provider != p.Name {
			gone = append(gone, previous.provider)
		}
		l.loaded[f.path] = &loadedPlugin{f, p.Name, offeredTool(&p), ok}
		changed = append(changed, p)
	}
	name := filepath.Base(cmp.Or(l.source.dir, "."))
	switch {
	case now.problem != "":
		changed = append(changed, tool.Provider{Name: name, Health: tool.HealthDown, Reason: now.problem})
		l.hadProblem = true
	case l.hadProblem:
		gone = append(gone, name)
		l.hadProblem = false
	}
	l.offers.Remove(gone...) // before Set, because a new provider may have the name of one that is gone
	l.offers.Set(changed...)
}

// providerName returns name, with one of folderNames added if another plug-in has the same name.
func (l *loader) providerName(name, path string) string {
	unused := name
	for _, folder := range folderNames(l.dir, path) {
		if !l.nameTaken(unused, path) {
			break
		}
		unused = name + " (" + folder + ")"
	}
	return unused
}

// nameTaken reports whether the provider of a folder other than path has that name.
func (l *loader) nameTaken(name, path string) bool {
	for other, f := range l.loaded {
		if f.provider == name && other != path {
			return true
		}
	}
	return false
}

// toolTaken reports whether a plug-in in a folder other than path has a tool with that id.
func (l *loader) toolTaken(id, path string) bool {
	for other, f := range l.loaded {
		if f.tool == id && other != path {
			return true
		}
	}
	return false
}

// offeredTool returns the id of a provider's tool, or "" if the provider has no tool.
func offeredTool(p *tool.Provider) string {
	if len(p.Tools) == 0 {
		return ""
	}
	return p.Tools[0].ID
}
