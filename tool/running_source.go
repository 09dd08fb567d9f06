package tool

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
)

// runningSources are the sources whose tools are in a registry.
type runningSources struct {
	registry *Registry

	mu      sync.Mutex       // guards what follows, and the state of each runningSource
	running []*runningSource // in the order in which they were added
	changed chan struct{}    // closed and replaced when a source or a provider may have changed
}

// runningSource is a source that was added, and the providers that it offers.
type runningSource struct {
	sources *runningSources
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
func (s *runningSources) apply(gone []*offeredProvider) {
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
