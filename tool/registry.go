package tool

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// defaultOwner is the owner of a tool that names none.
const defaultOwner = "application"

// Registry holds the tools of an application. NewRegistry makes one. It is safe for concurrent use:
// readers see the state before or after a change, never one in between.
type Registry struct {
	state atomic.Pointer[snapshot] // replaced, never changed

	mu        sync.Mutex // writers hold it while they make the next state
	listeners map[int]func()
	nextID    int
}

// snapshot is one state of a registry.
type snapshot struct {
	version uint64
	tools   map[string]*Tool
	entries []*Entry // sorted by full name
	byName  map[string]*Entry

	overrides map[string]Override // for the tools that are added
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry {
	r := &Registry{listeners: map[int]func(){}}
	r.state.Store(&snapshot{tools: map[string]*Tool{}, byName: map[string]*Entry{}})
	return r
}

// ConflictError is a name that two tools claim.
type ConflictError struct {
	// Kind says what has the name: "tool", "method", "alias" or "source".
	Kind string
	// Name is the tool's id, the method's full name, the alias, or the name of the source.
	Name string
	// Owner claims the name, Holder has it.
	Owner, Holder string
}

func (e *ConflictError) Error() string {
	what := map[string]string{"tool": "tool id", "method": "full name", "alias": "command name", "source": "source name"}[e.Kind]
	if e.Owner == e.Holder {
		return fmt.Sprintf("tool: %s registers the %s %q twice; rename one of them", e.Owner, what, e.Name)
	}
	return fmt.Sprintf("tool: %s registers the %s %q, which %s has already; rename one of them or remove one", e.Owner, what, e.Name, e.Holder)
}

// Register adds copies of tools: all of them or, if it returns an error, none. The error is a
// *DefinitionError for a tool that cannot be called, or a *ConflictError for a name that is taken.
func (r *Registry) Register(tools ...Tool) error {
	if len(tools) == 0 {
		return nil
	}
	if err := r.register(tools); err != nil {
		return err
	}
	r.notify()
	return nil
}

func (r *Registry) register(tools []Tool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := r.state.Load().clone()
	for i := range tools {
		if err := next.add(&tools[i]); err != nil {
			return err
		}
	}
	next.sort()
	r.state.Store(next)
	return nil
}

// Unregister removes a tool and reports whether it was there. Its entries remain valid.
func (r *Registry) Unregister(toolID string) bool {
	if !r.unregister(toolID) {
		return false
	}
	r.notify()
	return true
}

func (r *Registry) unregister(toolID string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	state := r.state.Load()
	gone := state.tools[toolID]
	if gone == nil {
		return false
	}
	next := state.clone()
	next.remove(gone)
	r.state.Store(next)
	return true
}

// registryChange removes tools and then adds others.
type registryChange struct {
	remove []*Tool // registered copies; nil and others are ignored
	add    []addition
}

// addition is a tool to register, and where to store the registered copy or the error.
type addition struct {
	tool  *Tool
	there **Tool
	err   *error
}

// apply makes a change in one step, without what cannot be added, and reports whether it changed
// anything. It calls no listener.
func (r *Registry) apply(c registryChange) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	state := r.state.Load()
	next := state.clone()
	changed := next.remove(c.remove...)
	for _, a := range c.add {
		if *a.err = next.add(a.tool); *a.err == nil {
			*a.there, changed = next.tools[a.tool.ID], true
		}
	}
	if changed {
		next.sort()
		r.state.Store(next)
	}
	return changed
}

// Entries returns all methods, sorted by full name, including those that agents may not call. The
// caller owns the slice.
func (r *Registry) Entries() []*Entry { return slices.Clone(r.state.Load().entries) }

// Secrets returns the Secrets of all tools, sorted. The caller owns the slice.
func (r *Registry) Secrets() []string {
	var list []string
	for _, t := range r.state.Load().tools {
		list = append(list, t.Secrets...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Lookup returns the method with exactly that full name.
func (r *Registry) Lookup(fullName string) (*Entry, bool) {
	e, ok := r.state.Load().byName[fullName]
	return e, ok
}

// Version grows with every change.
func (r *Registry) Version() uint64 { return r.state.Load().version }

// Override sets how tools and methods are described that are registered from now on. A key is the
// id of a tool or the full name of a method; that of the method wins. A tool for which an override
// cannot be used, such as one with a risk that does not exist, is refused when it is registered.
// The map must not be changed afterwards.
func (r *Registry) Override(overrides map[string]Override) {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := *r.state.Load()
	next.overrides = overrides
	r.state.Store(&next)
}

// OnChange calls fn after every change, on the goroutine that made it, until cancel is called. By
// then the change is visible, and no lock is held, so fn may use the registry. Concurrent changes
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

// clone returns a copy from which to make the next state.
func (s *snapshot) clone() *snapshot {
	return &snapshot{
		version: s.version + 1,
		tools:   maps.Clone(s.tools),
		entries: slices.Clone(s.entries),
		byName:  maps.Clone(s.byName),

		overrides: s.overrides,
	}
}

func (s *snapshot) sort() {
	slices.SortFunc(s.entries, func(a, b *Entry) int { return cmp.Compare(a.FullName, b.FullName) })
}

// remove removes registered tools, and reports whether one of them was there.
func (s *snapshot) remove(tools ...*Tool) bool {
	gone := map[*Tool]bool{}
	for _, t := range tools {
		if t != nil && s.tools[t.ID] == t {
			delete(s.tools, t.ID)
			gone[t] = true
		}
	}
	if len(gone) == 0 {
		return false
	}
	s.entries = slices.DeleteFunc(s.entries, func(e *Entry) bool { return gone[e.Tool] })
	maps.DeleteFunc(s.byName, func(_ string, e *Entry) bool { return gone[e.Tool] })
	return true
}

// add checks a tool and adds a copy of it. It changes nothing if it returns an error.
func (s *snapshot) add(given *Tool) error {
	t := *given
	t.Methods, t.Secrets = slices.Clone(given.Methods), slices.Clone(given.Secrets)
	if strings.TrimSpace(t.Owner) == "" {
		t.Owner = defaultOwner
	}
	if why := badName(t.ID); why != "" {
		return &DefinitionError{Name: t.ID, Reason: "tool id: " + why}
	}
	if err := overrideTool(&t, s.overrides); err != nil {
		return err
	}
	if len(t.Methods) == 0 {
		return &DefinitionError{Name: t.ID, Reason: "methods are missing; a tool needs at least one"}
	}
	if t.Concurrency < 0 {
		return &DefinitionError{Name: t.ID, Reason: negativeConcurrency(t.Concurrency)}
	}
	if t.DefaultMethod != "" && !slices.ContainsFunc(t.Methods, func(m Method) bool { return m.Name == t.DefaultMethod }) {
		return &DefinitionError{Name: t.ID, Reason: fmt.Sprintf("default method %q: the tool has no method of that name", t.DefaultMethod)}
	}
	if holder := s.tools[t.ID]; holder != nil {
		return &ConflictError{Kind: "tool", Name: t.ID, Owner: t.Owner, Holder: holder.Owner}
	}
	entries, commands := map[string]*Entry{}, map[string]bool{}
	for i := range t.Methods {
		m := &t.Methods[i]
		if err := m.check(); err != nil {
			return err
		}
		e := &Entry{Tool: &t, Method: m, FullName: fullName(&t, m), Owner: t.Owner}
		if why := badName(e.FullName); why != "" {
			return &DefinitionError{Name: e.FullName, Reason: "full name: " + why}
		}
		if holder := cmp.Or(s.byName[e.FullName], entries[e.FullName]); holder != nil {
			return &ConflictError{Kind: "method", Name: e.FullName, Owner: t.Owner, Holder: holder.Owner}
		}
		for _, command := range m.CommandNames() {
			if commands[command] {
				return &ConflictError{Kind: "alias", Name: command, Owner: t.Owner, Holder: t.Owner}
			}
			commands[command] = true
		}
		entries[e.FullName] = e
	}
	s.tools[t.ID] = &t
	for name, e := range entries {
		s.byName[name] = e
		s.entries = append(s.entries, e)
	}
	return nil
}

// CommandNames returns the commands that mean the method within its tool, each once: its name and
// its aliases.
func (m *Method) CommandNames() []string {
	names := []string{m.Name}
	for _, alias := range m.Aliases {
		if !slices.Contains(names, alias) {
			names = append(names, alias)
		}
	}
	return names
}
