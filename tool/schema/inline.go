package schema

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// location names a schema in its own errors. Its scheme is invented: a relative reference must not become a file name.
const location = "parameters:///schema"

// maxInlined limits the schemas that are written when references are replaced: as many as a schema without them may have.
const maxInlined = maxParts

// document is the JSON of a schema with its members in order.
type document struct{ top any }

// at returns the JSON of a subschema; nil if there is none.
func (d document) at(n *jsonschema.Schema) any {
	v := d.top
	for _, token := range pointer(n.Location) {
		v = child(v, token)
	}
	return v
}

// child returns a member or an element; nil if there is none.
func child(v any, token string) any {
	switch v := v.(type) {
	case *orderedjson.Object:
		return v.Values[token]
	case []any:
		if i, err := strconv.Atoi(token); err == nil && 0 <= i && i < len(v) {
			return v[i]
		}
	}
	return nil
}

// pointer returns the path to a subschema, from the location that the validator gives it.
func pointer(location string) []string {
	_, fragment, _ := strings.Cut(location, "#")
	tokens := strings.Split(fragment, "/")[1:]
	for i, token := range tokens {
		if plain, err := url.PathUnescape(token); err == nil {
			token = plain
		}
		tokens[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
	}
	return tokens
}

// set replaces a member or an element that exists.
func set(v any, token string, with any) {
	switch v := v.(type) {
	case *orderedjson.Object:
		v.Set(token, with)
	case []any:
		if i, err := strconv.Atoi(token); err == nil && 0 <= i && i < len(v) {
			v[i] = with
		}
	}
}

// copied returns a copy of an object or an array, whose members are those of v.
func copied(v any) any {
	switch v := v.(type) {
	case *orderedjson.Object:
		return v.Clone()
	case []any:
		return slices.Clone(v)
	}
	return v
}

// inliner replaces references by their targets.
type inliner struct {
	*parameters
	open map[*jsonschema.Schema]bool // those that are being written
	left int                         // schemas that may still be written
}

// schema returns the JSON of n without references. One that leads back to where it is becomes its type and description.
func (in *inliner) schema(n *jsonschema.Schema) any {
	o, ok := in.doc.at(n).(*orderedjson.Object)
	if !ok {
		return in.doc.at(n)
	}
	if in.left--; in.left < 0 || in.open[n] {
		short := orderedjson.New()
		if t := in.of(n).types.single(); t != "" {
			short.Set("type", t)
		}
		if description := o.Text("description"); description != "" {
			short.Set("description", description)
		}
		return short
	}
	in.open[n] = true
	defer delete(in.open, n)

	c := o.Clone()
	c.Delete("$defs", "definitions", "$ref", "$id", "$anchor")
	if !c.Has("if") { // the validator does not read them
		c.Delete("then", "else")
	}
	p, depth := in.of(n), len(pointer(n.Location))
	own := map[string]bool{} // containers of c that are copies
	for _, sub := range slices.Concat(p.same(), p.below()) {
		path := pointer(sub.Location)
		if sub == n.Ref || len(path) <= depth {
			continue
		}
		keyword, inner := path[depth], path[depth+1:]
		if len(inner) == 0 {
			c.Set(keyword, in.schema(sub))
			continue
		}
		if !own[keyword] {
			c.Set(keyword, copied(c.Values[keyword]))
			own[keyword] = true
		}
		set(c.Values[keyword], inner[0], in.schema(sub))
	}
	if n.Ref == nil {
		return c
	}
	target, ok := in.schema(n.Ref).(*orderedjson.Object)
	if !ok {
		return c
	}
	target = target.Clone()
	for _, name := range c.Names {
		target.Set(name, c.Values[name]) // what is beside a reference comes first
	}
	return target
}
