package tool

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/secrets"
)

// snapshot is one state of a registry.
type snapshot struct {
	registry *Registry
	version  uint64
	tools    map[string]*Tool
	entries  []*Entry // sorted by full name
	byName   map[string]*Entry

	former  []string // Secrets of tools that were removed, the last ones at the end
	secrets []string // former and the Secrets of tools, sorted

	overrides map[string]Override // applied to each tool that is added
}

// clone returns a copy with the next version. The caller may change the copy.
func (s *snapshot) clone() *snapshot {
	return &snapshot{
		registry: s.registry,
		version:  s.version + 1,
		tools:    maps.Clone(s.tools),
		entries:  slices.Clone(s.entries),
		byName:   maps.Clone(s.byName),
		former:   s.former,

		overrides: s.overrides,
	}
}

func (s *snapshot) sort() {
	slices.SortFunc(s.entries, func(a, b *Entry) int { return cmp.Compare(a.FullName, b.FullName) })
}

// remove removes tools, given as their registered copies, and reports whether at least one of them
// was registered. It ignores nil.
func (s *snapshot) remove(tools ...*Tool) bool {
	gone := map[*Tool]bool{}
	var goneSecrets []string
	for _, t := range tools {
		if t != nil && s.tools[t.ID] == t {
			delete(s.tools, t.ID)
			gone[t], goneSecrets = true, append(goneSecrets, t.Secrets...)
		}
	}
	if len(gone) == 0 {
		return false
	}
	s.former = secrets.Remember(s.former, goneSecrets)
	s.entries = slices.DeleteFunc(s.entries, func(e *Entry) bool { return gone[e.Tool] })
	maps.DeleteFunc(s.byName, func(_ string, e *Entry) bool { return gone[e.Tool] })
	return true
}

// listSecrets makes the list of secrets after a change.
func (s *snapshot) listSecrets() {
	list := slices.Clone(s.former)
	for _, t := range s.tools {
		list = append(list, t.Secrets...)
	}
	slices.Sort(list)
	s.secrets = slices.Compact(list)
}

// defaultOwner is the owner of a tool without an Owner.
const defaultOwner = "application"

// add checks a tool and adds a copy of it. If it returns an error, s is unchanged.
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
	isDefault := func(m Method) bool { return m.Name == t.DefaultMethod }
	if t.DefaultMethod != "" && !slices.ContainsFunc(t.Methods, isDefault) {
		reason := fmt.Sprintf("default method %q: the tool has no method of that name", t.DefaultMethod)
		return &DefinitionError{Name: t.ID, Reason: reason}
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
		e := &Entry{Tool: &t, Method: m, FullName: fullName(&t, m), Owner: t.Owner, registry: s.registry}
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
