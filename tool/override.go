package tool

import (
	"cmp"
	"slices"
)

// Override changes what the author of a tool or a method declared, for an application or its user.
// Fields with their zero value change nothing.
type Override struct {
	Title, Description string
	// Aliases are added before the aliases of the tool or method. Tags are added after its tags.
	Aliases, Tags []string
	// Risk is the risk of the method, or of all methods of the tool.
	Risk Risk
	// Examples replace the examples of a method. The method's schema must accept them.
	Examples []map[string]any
}

// overrideTool applies overrides to t, a copy of a tool whose Methods are copied, too.
func overrideTool(t *Tool, overrides map[string]Override) error {
	if len(overrides) == 0 {
		return nil
	}
	ofTool := overrides[t.ID]
	if ofTool.Examples != nil {
		return &DefinitionError{Name: t.ID, Reason: "override: examples belong to a method; name it by its full name"}
	}
	for i := range t.Methods {
		m := &t.Methods[i]
		m.Risk = cmp.Or(ofTool.Risk, m.Risk)
		if o, ok := overrides[fullName(t, m)]; ok {
			if err := o.apply(m); err != nil {
				return err
			}
		}
	}
	t.Title, t.Description = cmp.Or(ofTool.Title, t.Title), cmp.Or(ofTool.Description, t.Description)
	t.Aliases, t.Tags = slices.Concat(ofTool.Aliases, t.Aliases), slices.Concat(t.Tags, ofTool.Tags)
	return nil
}

// apply applies the override of a method to m.
func (o *Override) apply(m *Method) error {
	m.Title, m.Description = cmp.Or(o.Title, m.Title), cmp.Or(o.Description, m.Description)
	m.Risk = cmp.Or(o.Risk, m.Risk)
	m.Aliases, m.Tags = slices.Concat(o.Aliases, m.Aliases), slices.Concat(m.Tags, o.Tags)
	if o.Examples == nil {
		return nil
	}
	m.Examples = o.Examples
	if m.Parameters == nil {
		return nil // Method.check will refuse the method
	}
	return m.checkExamples("override: ")
}
