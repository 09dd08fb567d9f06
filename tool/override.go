package tool

import "slices"

// Override is how an application or its user describes a tool or a method in place of its author.
// Fields that are empty change nothing.
type Override struct {
	Title, Description string
	// Aliases come before those of the tool or method, Tags after them.
	Aliases, Tags []string
	// Risk is that of the method, or of all methods of the tool.
	Risk Risk
	// Examples replace those of a method. The method's schema must accept them.
	Examples []map[string]any
}

// overrideTool applies overrides to t, a copy of a tool whose Methods are copied, too.
func overrideTool(t *Tool, overrides map[string]Override) error {
	if len(overrides) == 0 {
		return nil
	}
	whole := overrides[t.ID]
	if whole.Examples != nil {
		return &DefinitionError{Name: t.ID, Reason: "override: examples belong to a method; name it by its full name"}
	}
	for i := range t.Methods {
		m := &t.Methods[i]
		replace(&m.Risk, whole.Risk)
		if o, ok := overrides[fullName(t, m)]; ok {
			if err := o.apply(m); err != nil {
				return err
			}
		}
	}
	replace(&t.Title, whole.Title)
	replace(&t.Description, whole.Description)
	t.Aliases, t.Tags = slices.Concat(whole.Aliases, t.Aliases), slices.Concat(t.Tags, whole.Tags)
	return nil
}

func (o *Override) apply(m *Method) error {
	replace(&m.Title, o.Title)
	replace(&m.Description, o.Description)
	replace(&m.Risk, o.Risk)
	m.Aliases, m.Tags = slices.Concat(o.Aliases, m.Aliases), slices.Concat(m.Tags, o.Tags)
	if o.Examples == nil {
		return nil
	}
	m.Examples = o.Examples
	if m.Parameters == nil {
		return nil // check refuses the method
	}
	return m.checkExamples("override: ")
}

// replace sets *s to by, unless by is empty.
func replace[T ~string](s *T, by T) {
	if by != "" {
		*s = by
	}
}
