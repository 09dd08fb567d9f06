package schema

import "slices"

// ordered is a JSON object that keeps the order of its members: a model reads a schema from front to back.
type ordered struct {
	names  []string
	values map[string]any
}

// newOrdered makes an object of names and values in turn.
func newOrdered(members ...any) *ordered {
	o := &ordered{values: map[string]any{}}
	for i := 0; i < len(members); i += 2 {
		o.set(members[i].(string), members[i+1])
	}
	return o
}

// readOrdered reads JSON as it should be, its objects as *ordered.
func readOrdered(src string) (any, error) {
	r := jsonReader{src: src, ordered: true}
	return r.whole()
}

func (o *ordered) set(name string, v any) {
	if _, ok := o.values[name]; !ok {
		o.names = append(o.names, name)
	}
	o.values[name] = v
}

func (o *ordered) has(name string) bool {
	_, ok := o.values[name]
	return ok
}

func (o *ordered) delete(names ...string) {
	for _, name := range names {
		delete(o.values, name)
	}
	o.names = slices.DeleteFunc(o.names, func(n string) bool { return !o.has(n) })
}

func (o *ordered) clone() *ordered {
	c := newOrdered()
	for _, name := range o.names {
		c.set(name, o.values[name])
	}
	return c
}

// text is a member that is a string; "" where it is none.
func (o *ordered) text(name string) string {
	s, _ := o.values[name].(string)
	return s
}

// list is a member that is an array; nil where it is none.
func (o *ordered) list(name string) []any {
	l, _ := o.values[name].([]any)
	return l
}

// members lists the names of a member that is an object; nil where it is none.
func (o *ordered) members(name string) []string {
	if m, ok := o.values[name].(*ordered); ok {
		return m.names
	}
	return nil
}
