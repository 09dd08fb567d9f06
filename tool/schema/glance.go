package schema

import (
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Most schemas say of their arguments which types they have, how large they are, which words there are to choose from and which arguments
// are required, and no more. Arguments that have been read by their types can be seen to fit such a schema at a glance, which takes a small
// part of what the validator does. What cannot be seen to fit is for the validator.

// annotations are the fields of a compiled schema that no value is held against.
var annotations = []string{
	"DraftVersion", "Location", "ID", "Anchor", "DynamicAnchor", "Title", "Description", "Default", "Comment", "ReadOnly", "WriteOnly",
	"Examples", "Deprecated",
}

// saysOnly reports whether n holds a value against nothing but what stands in fields. A field that is not known here counts as more.
func saysOnly(n *jsonschema.Schema, fields ...string) bool {
	v := reflect.ValueOf(n).Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.IsExported() && !v.Field(i).IsZero() && !slices.Contains(annotations, f.Name) && !slices.Contains(fields, f.Name) {
			return false
		}
	}
	return true
}

// glance is all that a schema holds a value against.
type glance struct {
	types                kinds
	bounded              bool // least and most bound numbers
	least, most          int64
	minLength, maxLength int      // of a string, in characters
	words                []string // nil where there is no choice
	minItems, maxItems   int
	items                *glance // nil for any
}

// newGlance returns nil where a schema says more than a glance sees.
func newGlance(n *jsonschema.Schema) *glance {
	if !saysOnly(n, "Types", "Minimum", "Maximum", "MinLength", "MaxLength", "Enum", "MinItems", "MaxItems", "Items", "Items2020") {
		return nil
	}
	g := &glance{types: ownTypes(n), least: math.MinInt64, most: math.MaxInt64, maxLength: math.MaxInt, maxItems: math.MaxInt}
	for _, bound := range [...]struct {
		said *big.Rat
		to   *int64
	}{{n.Minimum, &g.least}, {n.Maximum, &g.most}} {
		if bound.said == nil {
			continue
		}
		if !bound.said.IsInt() || !bound.said.Num().IsInt64() {
			return nil
		}
		g.bounded, *bound.to = true, bound.said.Num().Int64()
	}
	for _, bound := range [...]struct{ said, to *int }{
		{n.MinLength, &g.minLength}, {n.MaxLength, &g.maxLength}, {n.MinItems, &g.minItems}, {n.MaxItems, &g.maxItems},
	} {
		if bound.said != nil {
			*bound.to = *bound.said
		}
	}
	if n.Enum != nil {
		g.words = make([]string, len(n.Enum.Values))
		for i, v := range n.Enum.Values {
			word, ok := v.(string)
			if !ok {
				return nil
			}
			g.words[i] = word
		}
	}
	items := n.Items2020
	if n.Items != nil {
		one, ok := n.Items.(*jsonschema.Schema)
		if !ok || items != nil {
			return nil
		}
		items = one
	}
	if items != nil {
		if g.items = newGlance(items); g.items == nil {
			return nil
		}
	}
	return g
}

// maxGlance bounds how many elements of lists are seen at a glance: of more the validator's bounds tell whether they may be checked at all.
const maxGlance = 4096

// fits reports whether a decoded value surely fits. left is how many elements may still be looked at.
func (g *glance) fits(v any, left *int) bool {
	if plainKindOf(v)&g.types == 0 {
		return false
	}
	switch v := v.(type) {
	case json.Number:
		return g.words == nil && (!g.bounded || g.within(string(v)))
	case string:
		return (g.words == nil || slices.Contains(g.words, v)) && g.longEnough(v)
	case []any:
		if *left -= len(v); *left < 0 || g.words != nil || len(v) < g.minItems || len(v) > g.maxItems {
			return false
		}
		for i := range v {
			if g.items != nil && !g.items.fits(v[i], left) {
				return false
			}
		}
		return true
	}
	return g.words == nil
}

// within reports whether a number is an integer in its plain spelling and within the bounds.
func (g *glance) within(number string) bool {
	if !isPlainInteger(number) {
		return false
	}
	n, err := strconv.ParseInt(number, 10, 64)
	return err == nil && g.least <= n && n <= g.most
}

// longEnough reports whether a string is, and not too long. Its characters are counted only where its bytes do not tell.
func (g *glance) longEnough(s string) bool {
	most := len(s)
	least := (most + utf8.UTFMax - 1) / utf8.UTFMax
	if g.minLength <= least && most <= g.maxLength {
		return true
	}
	n := utf8.RuneCountInString(s)
	return g.minLength <= n && n <= g.maxLength
}

// newGlances returns one glance for each declared argument; nil where the schema of all arguments says more of them than their own schemas,
// which are required, and whether there may be others, or one of their schemas more than a glance sees.
func (sh *shape) newGlances() []*glance {
	if !saysOnly(sh.root, "Types", "Properties", "Required", "AdditionalProperties") || ownTypes(sh.root)&kindObject == 0 {
		return nil
	}
	switch sh.root.AdditionalProperties.(type) {
	case nil, bool:
	default:
		return nil
	}
	if slices.ContainsFunc(sh.root.Required, func(name string) bool { return !slices.Contains(sh.names, name) }) {
		return nil
	}
	glances := make([]*glance, len(sh.declared))
	for i := range sh.declared {
		if glances[i] = newGlance(sh.declared[i].node); glances[i] == nil {
			return nil
		}
	}
	return glances
}

// fitAtAGlance reports whether the arguments, which hold no undeclared ones, surely fit.
func (b *builder) fitAtAGlance() bool {
	if b.shape.glances == nil || len(b.found)+len(b.others) > 0 {
		return false
	}
	left := maxGlance
	for i := range b.slots {
		switch {
		case b.slots[i].read:
			if !b.shape.glances[i].fits(b.slots[i].value, &left) {
				return false
			}
		case b.shape.declared[i].required:
			return false
		}
	}
	return true
}

// plainKindOf is the type of a decoded value. An integer in another spelling than the plain one is taken for a number.
func plainKindOf(v any) kinds {
	if n, ok := v.(json.Number); ok {
		if isPlainInteger(string(n)) {
			return kindInteger
		}
		return kindNumber
	}
	return kindOf(v)
}
