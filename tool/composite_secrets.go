package tool

import (
	"regexp"
	"slices"

	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/protocol"
)

// A Composite method takes code that calls other methods, with their secret arguments in it. No
// reader of the code can tell which of its texts become secret arguments. So if an argument may
// contain such a call, all declared arguments of the Composite method are secret.

// MayHaveSecrets reports whether calls of the method may have secret arguments: the method has
// secret parameters, or it is Composite and another registered method has them.
func (e *Entry) MayHaveSecrets() bool {
	return len(e.Method.SecretParameters) > 0 || len(e.secretMethods()) > 0
}

// secretMethods returns the registered methods with secret parameters that a call of e may call. It
// returns nil if e is not Composite.
func (e *Entry) secretMethods() (list []*Entry) {
	if !e.Method.Composite || e.registry == nil {
		return nil
	}
	for _, other := range e.registry.state.Load().entries {
		if other.Method != e.Method && len(other.Method.SecretParameters) > 0 {
			list = append(list, other)
		}
	}
	return list
}

// secretNamesIn returns the names of the secret arguments of a call. texts are the arguments of the
// call.
func (e *Entry) secretNamesIn(texts ...string) secrets.Names {
	names := e.secretNames()
	methods := e.secretMethods()
	if len(methods) == 0 || !slices.ContainsFunc(texts, func(s string) bool { return e.mayCall(methods, s) }) {
		return names
	}
	for _, p := range e.Method.Parameters.Properties() {
		names = append(names, secrets.NewNames([]string{p.Name})...)
	}
	return names
}

// secretNamesOf returns the names of the secret arguments of a request. It returns nil if e is nil.
func (e *Entry) secretNamesOf(arguments []protocol.Argument) secrets.Names {
	if e == nil {
		return nil
	}
	texts := make([]string, len(arguments))
	for i := range arguments {
		texts[i] = arguments[i].Value
	}
	return e.secretNamesIn(texts...)
}

var (
	notInIdentifiers = regexp.MustCompile(`[^\pL\pN_$]`)
	// computedName matches code that may call a method whose name it does not contain.
	computedName = regexp.MustCompile(`\bthis\b|globalThis|\\u\{`)
	// calling matches the identifier call, the function that calls a method by name. If its first
	// argument is only a string literal, that string is the first or second group.
	calling = regexp.MustCompile("\\bcall\\b(?:\\s*\\(\\s*(?:\"([^\"'`]*)\"|'([^\"'`]*)')\\s*[,)])?")
)

// mayCall reports whether a text may be code that calls one of the methods: it contains the name of
// one, in any spelling, or it calls a method by a name that is computed or unknown.
func (e *Entry) mayCall(methods []*Entry, code string) bool {
	var written []string
	for _, m := range methods {
		written = append(written, m.FullName, notInIdentifiers.ReplaceAllString(m.FullName, "_"))
	}
	plain := secrets.WithoutEscapes(code)
	if secrets.NewNames(written).MentionedIn(code) || computedName.MatchString(code) ||
		computedName.MatchString(plain) {
		return true
	}
	for _, m := range calling.FindAllStringSubmatch(plain, -1) {
		called, known := e.registry.Lookup(m[1] + m[2])
		if !known || slices.Contains(methods, called) {
			return true
		}
	}
	return false
}
