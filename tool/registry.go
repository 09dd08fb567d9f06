package tool

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// DefaultOwner is the owner of a tool that names none.
const DefaultOwner = "application"

// Registry holds the tools of an application. It is safe for concurrent use: readers see the state before or after a change, never
// one in between. NewRegistry makes one.
type Registry struct {
	state atomic.Pointer[snapshot] // never changed, only replaced

	mu        sync.Mutex // held by writers while they make the next state
	listeners map[int]func()
	nextID    int
}

// snapshot is one state of a registry.
type snapshot struct {
	version uint64
	tools   map[string]*Tool
	entries []*Entry // sorted by full name
	byName  map[string]*Entry
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry {
	r := &Registry{listeners: map[int]func(){}}
	r.state.Store(&snapshot{tools: map[string]*Tool{}, byName: map[string]*Entry{}})
	return r
}

// ConflictError is a name that two tools claim.
type ConflictError struct {
	// Kind is "tool", "method" or "alias": what the name is a name of.
	Kind string
	// Name is the tool's id, the method's full name or the alias.
	Name string
	// Owner claims the name; Holder had it first.
	Owner, Holder string
}

func (e *ConflictError) Error() string {
	what := map[string]string{"tool": "tool id", "method": "full name", "alias": "command name"}[e.Kind]
	if e.Owner == e.Holder {
		return fmt.Sprintf("tool: %s brings the %s %q twice; rename one of them", e.Owner, what, e.Name)
	}
	return fmt.Sprintf("tool: %s brings the %s %q, which %s has already; rename one of them or leave one out", e.Owner, what, e.Name, e.Holder)
}

// Register adds tools, all of them or, where it returns an error, none. The error is a *DefinitionError for a tool that is not
// fit to be called, or a *ConflictError for a name that is taken. The registry keeps copies.
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

// Unregister removes a tool and reports whether it was there. Entries that were handed out stay usable.
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
	delete(next.tools, toolID)
	next.entries = slices.DeleteFunc(next.entries, func(e *Entry) bool { return e.Tool == gone })
	for name, e := range state.byName {
		if e.Tool == gone {
			delete(next.byName, name)
		}
	}
	r.state.Store(next)
	return true
}

// Entries returns all methods, sorted by full name, callable by agents or not. The slice is the caller's.
func (r *Registry) Entries() []*Entry { return slices.Clone(r.state.Load().entries) }

// Lookup returns the method of exactly that full name.
func (r *Registry) Lookup(fullName string) (*Entry, bool) {
	e, ok := r.state.Load().byName[fullName]
	return e, ok
}

// Version grows with every change.
func (r *Registry) Version() uint64 { return r.state.Load().version }

// OnChange calls fn after every change, from the goroutine that made it, until cancel is called. The change is visible by then and
// no lock is held, so fn may use the registry. Changes at the same time may call fn at the same time.
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
	ids := make([]int, 0, len(r.listeners))
	for id := range r.listeners {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	fns := make([]func(), len(ids))
	for i, id := range ids {
		fns[i] = r.listeners[id]
	}
	r.mu.Unlock()
	for _, fn := range fns {
		fn()
	}
}

// clone copies the state as a start for the next one.
func (s *snapshot) clone() *snapshot {
	next := &snapshot{
		version: s.version + 1,
		tools:   make(map[string]*Tool, len(s.tools)+1),
		entries: slices.Clone(s.entries),
		byName:  make(map[string]*Entry, len(s.byName)+4),
	}
	for id, t := range s.tools {
		next.tools[id] = t
	}
	for name, e := range s.byName {
		next.byName[name] = e
	}
	return next
}

func (s *snapshot) sort() {
	slices.SortFunc(s.entries, func(a, b *Entry) int { return cmp.Compare(a.FullName, b.FullName) })
}

// add checks a tool and takes a copy of it in.
func (s *snapshot) add(given *Tool) error {
	t := *given
	t.Methods = slices.Clone(given.Methods)
	if strings.TrimSpace(t.Owner) == "" {
		t.Owner = DefaultOwner
	}
	if why := badName(t.ID); why != "" {
		return &DefinitionError{Name: t.ID, Reason: "is no id for a tool: " + why}
	}
	if len(t.Methods) == 0 {
		return &DefinitionError{Name: t.ID, Reason: "has no methods"}
	}
	if t.Concurrency < 0 {
		return &DefinitionError{Name: t.ID, Reason: fmt.Sprintf("has the concurrency %d, which is not negative; 0 is any number", t.Concurrency)}
	}
	if holder := s.tools[t.ID]; holder != nil {
		return &ConflictError{Kind: "tool", Name: t.ID, Owner: t.Owner, Holder: holder.Owner}
	}
	commands := map[string]bool{}
	for i := range t.Methods {
		m := &t.Methods[i]
		if err := m.check(); err != nil {
			return err
		}
		e := &Entry{Tool: &t, Method: m, FullName: fullName(&t, m), Owner: t.Owner}
		if why := badName(e.FullName); why != "" {
			return &DefinitionError{Name: e.FullName, Reason: "is no full name: " + why}
		}
		if holder := s.byName[e.FullName]; holder != nil {
			return &ConflictError{Kind: "method", Name: e.FullName, Owner: t.Owner, Holder: holder.Owner}
		}
		for _, command := range commandNames(m) {
			if commands[command] {
				return &ConflictError{Kind: "alias", Name: command, Owner: t.Owner, Holder: t.Owner}
			}
			commands[command] = true
		}
		s.byName[e.FullName] = e
		s.entries = append(s.entries, e)
	}
	s.tools[t.ID] = &t
	return nil
}

// commandNames are the names by which a request's command may mean m, each once.
func commandNames(m *Method) []string {
	if m.Alias == "" || m.Alias == m.Name {
		return []string{m.Name}
	}
	return []string{m.Name, m.Alias}
}
