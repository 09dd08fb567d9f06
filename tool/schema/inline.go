package schema

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/vcpgo/vcp/internal/orderedjson"
)

// maxInlined limits the schemas that are written when references are replaced. A schema without
// references has the same limit.
const maxInlined = maxSchemas

// inliner replaces references by their targets.
type inliner struct {
	analysis
	doc  document
	open map[*jsonschema.Schema]bool // schemas that are being written
	left int                         // schemas that may still be written
}

// inline returns the JSON of n without references. A recursive reference becomes only the type and
// description of its target. Past the limit, every schema becomes only its type and description.
func (in *inliner) inline(n *jsonschema.Schema) any {
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
	if !c.Has("if") { // without if, the validator ignores them
		c.Delete("then", "else")
	}
	p, depth := in.of(n), len(pointer(n.Location))
	copiedKeywords := map[string]bool{} // keywords of c whose values are copies
	for _, sub := range slices.Concat(p.inPlace(), p.children()) {
		path := pointer(sub.Location)
		if sub == n.Ref || len(path) <= depth { // sub is not written within n
			continue
		}
		keyword, inner := path[depth], path[depth+1:]
		if len(inner) == 0 {
			c.Set(keyword, in.inline(sub))
			continue
		}
		if !copiedKeywords[keyword] {
			c.Set(keyword, copied(c.Values[keyword]))
			copiedKeywords[keyword] = true
		}
		replaceChild(c.Values[keyword], inner[0], in.inline(sub))
	}
	if n.Ref == nil {
		return c
	}
	target, ok := in.inline(n.Ref).(*orderedjson.Object)
	if !ok {
		return c
	}
	target = target.Clone()
	target.SetAll(c) // a keyword beside a reference takes precedence over the same keyword of the target
	return target
}
