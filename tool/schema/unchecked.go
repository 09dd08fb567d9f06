package schema

import (
	"fmt"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// dropUncompiled removes the patterns of root that cannot be compiled, so that more values fit. It
// also removes keywords such as "not", which would refuse more values as a consequence, and gives
// the format regex the check checkRegexFormat. It returns a sentence for people about each removed
// pattern.
func dropUncompiled(root *jsonschema.Schema) (warnings []string) {
	parents := map[*jsonschema.Schema][]*jsonschema.Schema{}
	var nodes []*jsonschema.Schema // root and its subschemas
	var loose []*jsonschema.Schema // those whose patterns were removed, and then the schemas that contain them
	var visit func(n *jsonschema.Schema)
	visit = func(n *jsonschema.Schema) {
		nodes = append(nodes, n)
		k := keywordsOf(n)
		for _, sub := range slices.Concat(k.inPlace(), k.children()) {
			if parents[sub] == nil && sub != root {
				parents[sub] = []*jsonschema.Schema{n}
				visit(sub)
				continue
			}
			parents[sub] = append(parents[sub], n)
		}
	}
	visit(root)
	for _, n := range nodes {
		if n.Format != nil && n.Format.Name == "regex" {
			n.Format = &jsonschema.Format{Name: "regex", Validate: checkRegexFormat}
		}
		if found := dropPatterns(n); found != nil {
			warnings, loose = append(warnings, found...), append(loose, n)
		}
	}
	takesMore := map[*jsonschema.Schema]bool{} // schemas that accept more values because a pattern in them was removed
	for i := 0; i < len(loose); i++ {
		if !takesMore[loose[i]] {
			takesMore[loose[i]] = true
			loose = append(loose, parents[loose[i]]...)
		}
	}
	for n := range takesMore {
		loosen(n, takesMore)
	}
	slices.Sort(warnings)
	return warnings
}

// dropPatterns removes the patterns of one schema that cannot be compiled.
func dropPatterns(n *jsonschema.Schema) (warnings []string) {
	uncompiled := func(re jsonschema.Regexp, keyword string) bool {
		p, ok := re.(*pattern)
		if !ok || p.re != nil {
			return false
		}
		warnings = append(warnings, fmt.Sprintf("%s at %s is not checked: %s cannot be compiled (%v)",
			keyword, shorten(locationIn(n)), english.describe(p.written), shorten(p.err.Error())))
		return true
	}
	if uncompiled(n.Pattern, "pattern") {
		n.Pattern = nil
	}
	for re := range n.PatternProperties {
		if uncompiled(re, "patternProperties") {
			delete(n.PatternProperties, re)
			// It is unknown which members the pattern describes, so any member is allowed.
			n.AdditionalProperties, n.UnevaluatedProperties = true, nil
		}
	}
	return warnings
}

// loosen removes the keywords of n that refuse more values because their subschema is in takesMore,
// such as "not". It replaces oneOf by anyOf, or removes oneOf if n has anyOf already.
func loosen(n *jsonschema.Schema, takesMore map[*jsonschema.Schema]bool) {
	if takesMore[n.Not] {
		n.Not = nil
	}
	if takesMore[n.If] {
		n.If, n.Then, n.Else = nil, nil, nil
	}
	if takesMore[n.Contains] {
		n.MaxContains = nil
	}
	if !slices.ContainsFunc(n.OneOf, func(sub *jsonschema.Schema) bool { return takesMore[sub] }) {
		return
	}
	if n.AnyOf == nil {
		n.AnyOf = n.OneOf
	}
	n.OneOf = nil
}
