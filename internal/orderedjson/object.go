// Package orderedjson reads and writes JSON with the members of objects in their order, and without
// the escapes that only web pages need.
package orderedjson

import (
	"maps"
	"slices"
)

// Object is a JSON object that keeps the order of its members. Change it with Set, SetAll and
// Delete only.
type Object struct {
	Names  []string
	Values map[string]any
}

// New returns an object with the given members: a name, its value, the next name, and so on. It
// panics if a name is not a string or has no value.
func New(members ...any) *Object {
	o := &Object{Values: map[string]any{}}
	for i := 0; i < len(members); i += 2 {
		o.Set(members[i].(string), members[i+1])
	}
	return o
}

// Set replaces the value of a member, or adds a new member at the end.
func (o *Object) Set(name string, v any) {
	if _, ok := o.Values[name]; !ok {
		o.Names = append(o.Names, name)
	}
	o.Values[name] = v
}

// SetAll sets each member of other in o.
func (o *Object) SetAll(other *Object) {
	for _, name := range other.Names {
		o.Set(name, other.Values[name])
	}
}

// Has reports whether there is a member with that name.
func (o *Object) Has(name string) bool {
	_, ok := o.Values[name]
	return ok
}

// Delete removes members.
func (o *Object) Delete(names ...string) {
	for _, name := range names {
		delete(o.Values, name)
	}
	o.Names = slices.DeleteFunc(o.Names, func(n string) bool { return !o.Has(n) })
}

// Clone returns a shallow copy of o.
func (o *Object) Clone() *Object {
	return &Object{slices.Clone(o.Names), maps.Clone(o.Values)}
}

// Text returns the value of a member if it is a string, and otherwise "".
func (o *Object) Text(name string) string {
	s, _ := o.Values[name].(string)
	return s
}

// List returns the value of a member if it is an array, and otherwise nil.
func (o *Object) List(name string) []any {
	l, _ := o.Values[name].([]any)
	return l
}

// Object returns the value of a member if it is an *Object, and otherwise nil.
func (o *Object) Object(name string) *Object {
	inner, _ := o.Values[name].(*Object)
	return inner
}
