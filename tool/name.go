package tool

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/tool/schema"
)

// DefinitionError is a method or a tool that cannot be registered as it is.
type DefinitionError struct {
	Name   string // the method's or the tool's
	Reason string // what is wrong with it, as the rest of a sentence that begins with the name
	Err    error  // the cause, where there is one
}

func (e *DefinitionError) Error() string {
	text := fmt.Sprintf("tool: %q %s", e.Name, e.Reason)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *DefinitionError) Unwrap() error { return e.Err }

// check reports whether a registry could hold the method under its own name.
func (m *Method) check() error {
	fail := func(reason string) error { return &DefinitionError{Name: m.Name, Reason: reason} }
	if why := badName(m.Name); why != "" {
		return fail("is no name for a method: " + why)
	}
	switch {
	case m.FullName == "" && strings.Contains(m.Name, "_"):
		return fail("is no name for a method: the last _ of a full name parts the tool's id from the method, so a method's own name holds none; write it in camelCase or with -")
	case m.FullName != "" && badName(m.FullName) != "":
		return fail(fmt.Sprintf("has the full name %q: %s", m.FullName, badName(m.FullName)))
	case m.Alias != "" && badName(m.Alias) != "":
		return fail(fmt.Sprintf("has the alias %q: %s", m.Alias, badName(m.Alias)))
	case m.Parameters == nil:
		return fail("has no parameter schema: make methods with New or Raw")
	case m.Handler == nil && !m.HostRun:
		return fail("has no handler: make methods with New or Raw, or with HostRun where the application runs them")
	case m.Handler != nil && m.HostRun:
		return fail("is run by the application and has a handler: it can have one of the two")
	case m.Timeout < 0:
		return fail(fmt.Sprintf("has the timeout %v, and a timeout is not negative; 0 leaves it to the executor", m.Timeout))
	case !m.Risk.valid():
		return fail(fmt.Sprintf("has the risk %q; allowed is %s, %s or %s", m.Risk, RiskRead, RiskWrite, RiskDangerous))
	case m.CacheFor < 0:
		return fail(fmt.Sprintf("may have its results kept for %v, and a time is not negative; 0 keeps none", m.CacheFor))
	case m.Concurrency < 0:
		return fail(fmt.Sprintf("has the concurrency %d, which is not negative; 0 is any number", m.Concurrency))
	}
	for _, r := range m.Resources {
		if why := m.badResource(r); why != "" {
			return fail(why)
		}
	}
	for _, name := range m.SecretParameters {
		if why := m.badSecret(name); why != "" {
			return fail(why)
		}
	}
	return nil
}

// declares reports whether the parameters name an argument.
func (m *Method) declares(name string) bool {
	return slices.ContainsFunc(m.Parameters.Properties(), func(p schema.Property) bool { return p.Name == name })
}

// maxNameBytes bounds a name: the lists of APIs that offer tools to models end at 64 or 128.
const maxNameBytes = 128

// badName says why a text is no name that a model could write back exactly; "" where it is one.
func badName(name string) string {
	switch {
	case name == "":
		return "it is empty"
	case len(name) > maxNameBytes:
		return fmt.Sprintf("it has %d bytes, and %d are allowed", len(name), maxNameBytes)
	case !utf8.ValidString(name):
		return "it is not UTF-8"
	}
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || strings.ContainsRune("_-./:@", r) {
			continue
		}
		return fmt.Sprintf("it holds %q, and a name is made of letters, digits and _ - . / : @", r)
	}
	return ""
}
