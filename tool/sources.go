package tool

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// Sources runs sources and keeps their tools in a registry. NewSources makes one. It is safe for
// concurrent use.
type Sources struct {
	runningSources
	closed bool // guarded by mu
}

// NewSources returns a Sources without any source. Close it when the registry is no longer used.
func NewSources(r *Registry) *Sources {
	return &Sources{runningSources: runningSources{registry: r, changed: make(chan struct{})}}
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
	r := &runningSource{
		sources: &s.runningSources, source: source, name: name, cancel: cancel, ended: make(chan struct{}),
	}
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
