package tool

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// Registry contains the tools of an application. Use NewRegistry to create one. It is safe for
// concurrent use: readers see the state before or after a change, never a part of the change.
type Registry struct {
	state atomic.Pointer[snapshot] // replaced, never changed

	mu        sync.Mutex // held while the next state is made; guards listeners and nextID
	listeners map[int]func()
	nextID    int
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry {
	r := &Registry{listeners: map[int]func(){}}
	r.state.Store(&snapshot{registry: r, tools: map[string]*Tool{}, byName: map[string]*Entry{}})
	return r
}

// Register adds copies of tools: all of them or, if it returns an error, none. The error is a
// *DefinitionError for an invalid tool, or a *ConflictError for a name that is taken.
func (r *Registry) Register(tools ...Tool) (err error) {
	changed := r.change(func(next *snapshot) bool {
		for i := range tools {
			if err = next.add(&tools[i]); err != nil {
				return false
			}
		}
		return len(tools) > 0
	})
	if changed {
		r.notify()
	}
	return err
}

// Unregister removes a tool and reports whether it was registered. Its entries remain valid.
func (r *Registry) Unregister(toolID string) bool {
	removed := r.change(func(next *snapshot) bool { return next.remove(next.tools[toolID]) })
	if removed {
		r.notify()
	}
	return removed
}

// change calls edit with a copy of the state. If edit returns true, the copy becomes the state.
// change returns the result of edit. It calls no listener.
func (r *Registry) change(edit func(next *snapshot) bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := r.state.Load().clone()
	if !edit(next) {
		return false
	}
	next.sort()
	next.listSecrets()
	r.state.Store(next)
	return true
}

// Entries returns all methods, sorted by full name, including those that agents may not call. The
// caller owns the slice.
func (r *Registry) Entries() []*Entry { return slices.Clone(r.state.Load().entries) }

// Secrets returns the Secrets of all tools, sorted, each once. It includes those of unregistered
// tools, because texts may still contain them. Of these, it keeps only values of at least 8 bytes:
// the last 1000, up to 32 KiB. The caller owns the slice.
func (r *Registry) Secrets() []string { return slices.Clone(r.state.Load().secrets) }

// Lookup returns the method with exactly that full name.
func (r *Registry) Lookup(fullName string) (*Entry, bool) {
	e, ok := r.state.Load().byName[fullName]
	return e, ok
}

// Version returns a number that grows with every change of the tools.
func (r *Registry) Version() uint64 { return r.state.Load().version }

// Override sets the overrides for tools that are registered from now on. A key is the id of a tool
// or the full name of a method; the override of the method takes precedence. If an override cannot
// be used, for example because its risk does not exist, registering the tool fails. The map must
// not be changed afterwards.
func (r *Registry) Override(overrides map[string]Override) {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := *r.state.Load()
	next.overrides = overrides
	r.state.Store(&next)
}

// OnChange calls fn after every change of the tools, until cancel is called. fn runs on the
// goroutine that made the change. It sees the change and may use the registry. Concurrent changes
// call fn concurrently.
func (r *Registry) OnChange(fn func()) (cancel func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	id := r.nextID
	r.nextID++
	r.listeners[id] = fn
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.listeners, id)
	}
}

// notify calls the listeners. The caller must not hold the lock.
func (r *Registry) notify() {
	r.mu.Lock()
	var fns []func()
	for _, id := range slices.Sorted(maps.Keys(r.listeners)) {
		fns = append(fns, r.listeners[id])
	}
	r.mu.Unlock()
	for _, fn := range fns {
		fn()
	}
}
