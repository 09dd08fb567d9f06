package tool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Sources runs sources and keeps their tools in a registry. NewSources makes one. It is safe for
// concurrent use.
type Sources struct {
	registry *Registry

	mu      sync.Mutex       // guards what follows, and the state of each runningSource
	running []*runningSource // in the order in which they were added
	changed chan struct{}    // closed and replaced when a source or a provider may have changed
	closed  bool
}

// NewSources returns a Sources without any source. Close it when the registry is no longer used.
func NewSources(r *Registry) *Sources {
	return &Sources{registry: r, changed: make(chan struct{})}
}

// ErrClosed is the error of Add after Close.
var ErrClosed = errors.New("tool: these sources are closed")

// Add starts a source. The error is ErrClosed, a *DefinitionError for a blank name, or a
// *ConflictError for a name that another source has.
func (s *Sources) Add(source Source) error {
	name := source.Name()
	if strings.TrimSpace(name) == "" {
		return &DefinitionError{Name: name, Reason: "the name of a source must not be blank"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	if slices.ContainsFunc(s.running, func(r *runningSource) bool { return r.name == name }) {
		return &ConflictError{Kind: "source", Name: name, Owner: name, Holder: name}
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &runningSource{sources: s, source: source, name: name, cancel: cancel, ended: make(chan struct{})}
	s.running = append(s.running, r)
	go r.run(ctx)
	return nil
}

// Remove stops the source with the given name, waits until it has stopped, removes its tools, and
// reports whether there was such a source. A handler of the source's tools must not call it.
func (s *Sources) Remove(name string) bool {
	s.mu.Lock()
	i := slices.IndexFunc(s.running, func(r *runningSource) bool { return r.name == name })
	if i < 0 {
		s.mu.Unlock()
		return false
	}
	r := s.running[i]
	s.running = slices.Delete(s.running, i, i+1)
	s.mu.Unlock()
	r.stop()
	return true
}

// Close stops all sources, waits until they have stopped, and removes their tools. It may be called
// again.
func (s *Sources) Close() {
	s.mu.Lock()
	all := s.running
	s.running, s.closed = nil, true
	s.mu.Unlock()
	for _, r := range all {
		r.cancel() // all at once, since some take time to stop
	}
	for _, r := range all {
		r.stop()
	}
}

// Wait waits until each source has called Offers.Set or ended, and no provider is starting. If ctx
// ends first, Wait returns the error of ctx; the sources continue to run.
func (s *Sources) Wait(ctx context.Context) error {
	for {
		s.mu.Lock()
		changed, waiting := s.changed, slices.ContainsFunc(s.running, (*runningSource).starting)
		s.mu.Unlock()
		if !waiting {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Providers returns the state of each provider, in the order in which the sources were added, then
// by name. A source that has not called Offers.Set yet is listed as one provider with its name.
func (s *Sources) Providers() []ProviderState {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []ProviderState
	for _, r := range s.running {
		if !r.settled {
			list = append(list, ProviderState{
				Source: r.name, Name: r.name, Health: HealthStarting, Reason: "the source has not answered yet",
			})
		}
		for _, p := range r.providers {
			list = append(list, p.state(r.name))
		}
	}
	return list
}

// Files returns the files and directories on which the sources depend (SourceWithFiles).
func (s *Sources) Files() []string {
	s.mu.Lock()
	running := slices.Clone(s.running)
	s.mu.Unlock()
	var list []string
	for _, r := range running {
		if f, ok := r.source.(SourceWithFiles); ok {
			list = append(list, f.Files()...)
		}
	}
	return list
}

// runningSource is a source that was added, and the providers that it offers.
type runningSource struct {
	sources *Sources
	source  Source
	name    string
	cancel  context.CancelFunc
	ended   chan struct{} // closed when Run has returned and its effects are visible

	// The state, guarded by sources.mu.
	returned  bool               // Run has returned
	settled   bool               // Set was called, or Run has returned
	providers []*offeredProvider // sorted by name
}

// run runs the source until it ends, and then records the end.
func (r *runningSource) run(ctx context.Context) {
	defer close(r.ended)
	err := runSource(ctx, r.source, r)
	r.sources.mu.Lock()
	r.returned, r.settled = true, true
	var gone []*offeredProvider
	if err != nil && ctx.Err() == nil {
		gone = r.providers
		r.providers = []*offeredProvider{{Provider: Provider{Name: r.name, Health: HealthDown, Reason: err.Error()}}}
	}
	r.sources.apply(gone)
}

// runSource turns a panic of a source into an error, so that a bad source does not end the process.
func runSource(ctx context.Context, source Source, offers Offers) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the source panicked: %v", p)
		}
	}()
	return source.Run(ctx, offers)
}

// stop ends the source and removes its tools.
func (r *runningSource) stop() {
	r.cancel()
	<-r.ended
	r.sources.mu.Lock()
	gone := r.providers
	r.providers = nil
	r.sources.apply(gone)
}

// starting reports whether some tools of the source are not known yet. The caller holds the lock.
func (r *runningSource) starting() bool {
	isStarting := func(p *offeredProvider) bool { return p.Health == HealthStarting }
	return !r.settled || slices.ContainsFunc(r.providers, isStarting)
}

// Set implements Offers.
func (r *runningSource) Set(providers ...Provider) {
	r.sources.mu.Lock()
	if r.returned {
		r.sources.mu.Unlock()
		return
	}
	r.settled = true
	var gone []*offeredProvider
	for i := range providers {
		p := &offeredProvider{Provider: providers[i]}
		for _, t := range p.Tools {
			t.Owner = r.name
			p.tools = append(p.tools, offeredTool{tool: t})
		}
		gone = append(gone, r.remove(p.Name)...)
		at, _ := slices.BinarySearchFunc(r.providers, p.Name, func(p *offeredProvider, name string) int {
			return cmp.Compare(p.Name, name)
		})
		r.providers = slices.Insert(r.providers, at, p)
	}
	r.sources.apply(gone)
}

// SetHealth implements Offers.
func (r *runningSource) SetHealth(name string, health Health, reason string) {
	r.sources.mu.Lock()
	if i := r.find(name); i >= 0 && !r.returned {
		r.providers[i].Health, r.providers[i].Reason = health, reason
	}
	r.sources.apply(nil)
}

// Remove implements Offers.
func (r *runningSource) Remove(names ...string) {
	r.sources.mu.Lock()
	var gone []*offeredProvider
	for _, name := range names {
		if !r.returned {
			gone = append(gone, r.remove(name)...)
		}
	}
	r.sources.apply(gone)
}

// find returns the index of the provider with the given name, or -1.
func (r *runningSource) find(name string) int {
	return slices.IndexFunc(r.providers, func(p *offeredProvider) bool { return p.Name == name })
}

// remove removes the provider with the given name from the list, and returns it; nil if no provider
// has the name. The caller holds the lock.
func (r *runningSource) remove(name string) []*offeredProvider {
	i := r.find(name)
	if i < 0 {
		return nil
	}
	gone := r.providers[i]
	r.providers = slices.Delete(r.providers, i, i+1)
	return []*offeredProvider{gone}
}

// apply updates the registry in one change. It removes the tools of gone, then adds all offered
// tools that are not registered, in the order of the sources. So a tool that was refused is tried
// again with each change; its name may be free now. The caller holds the lock, and apply releases
// it.
func (s *Sources) apply(gone []*offeredProvider) {
	changed := s.registry.change(func(next *snapshot) bool {
		var remove []*Tool
		for _, p := range gone {
			for i := range p.tools {
				remove = append(remove, p.tools[i].registered)
			}
		}
		changed := next.remove(remove...)
		for _, r := range s.running {
			for _, p := range r.providers {
				changed = p.register(next) || changed
			}
		}
		return changed
	})
	close(s.changed)
	s.changed = make(chan struct{})
	s.mu.Unlock()
	if changed {
		s.registry.notify()
	}
}
