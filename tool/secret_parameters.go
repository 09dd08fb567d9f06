package tool

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool/schema"
)

// Masked replaces a value that nobody is to see.
const Masked = secrets.Mask

func (e *Entry) secretNames() secrets.Names { return secrets.NewNames(e.Method.SecretParameters) }

// Secret reports whether the values of the argument of that name are secret.
func (e *Entry) Secret(name string) bool { return e.secretNames().Has(name) }

// MaskArguments returns a copy of a call's arguments with the values of secret parameters Masked.
// These are arguments of those names, and members of those names at any depth, also in strings that
// contain JSON. Names that differ only in case, hyphens, underscores and white space are equal.
// Text that is not JSON is Masked as a whole.
//
// A string that is not JSON as a whole is unchanged, whatever it mentions. A person who approves a
// call has to see what it does.
func (e *Entry) MaskArguments(arguments json.RawMessage) json.RawMessage {
	if len(e.Method.SecretParameters) == 0 {
		return bytes.Clone(arguments)
	}
	if !json.Valid(arguments) {
		return orderedjson.String(Masked)
	}
	return secrets.Masker{Names: e.secretNames()}.Document(string(arguments))
}

// UnmaskArguments returns edited with its Masked values of secret parameters replaced by those at
// the same place of original. So a person who is shown the result of MaskArguments can change one
// argument and keep the secrets. A place is the names of members, compared as in MaskArguments, and
// the indexes of arrays, also in strings that contain JSON. Everything else is unchanged. Text that
// is not JSON is returned unchanged.
func (e *Entry) UnmaskArguments(edited, original json.RawMessage) json.RawMessage {
	if len(e.Method.SecretParameters) == 0 || !json.Valid(edited) || !bytes.Contains(edited, []byte(Masked)) {
		return bytes.Clone(edited)
	}
	return e.secretNames().Unmask(edited, original)
}

// MaskRequest returns the arguments that a model wrote as a JSON object, in the order written:
// plain text as a string, JSON as it is. Secret values are Masked as in MaskArguments. No schema
// has accepted these arguments, so more is Masked: those that the method does not declare, and text
// that is not JSON and mentions a secret's name. If no method is known (e is nil), every value is
// Masked.
func (e *Entry) MaskRequest(arguments []protocol.Argument) json.RawMessage {
	b := []byte{'{'}
	for i, a := range arguments {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, orderedjson.String(a.Name)...), ':')
		b = append(b, e.maskArgument(a)...)
	}
	return append(b, '}')
}

// MaskWritten returns a copy of the arguments that a model wrote, with the values Masked that
// MaskRequest masks, and reports whether there are any. The other arguments keep their exact text.
func (e *Entry) MaskWritten(arguments []protocol.Argument) (masked []protocol.Argument, any bool) {
	masked = slices.Clone(arguments)
	for i := range masked {
		a := &masked[i]
		value := e.maskArgument(*a)
		if bytes.Equal(value, unmaskedArgument(*a)) {
			continue
		}
		any = true
		if a.Form == protocol.FormJSON {
			a.Value = string(value)
		} else if json.Unmarshal(value, &a.Value) != nil {
			a.Value = Masked
		}
	}
	return masked, any
}

// unmaskedArgument returns what maskArgument returns for an argument without secrets.
func unmaskedArgument(a protocol.Argument) json.RawMessage {
	if a.Form == protocol.FormJSON && json.Valid([]byte(a.Value)) {
		return secrets.Masker{}.Document(a.Value)
	}
	return orderedjson.String(a.Value)
}

func (e *Entry) maskArgument(a protocol.Argument) json.RawMessage {
	if e == nil {
		return orderedjson.String(Masked)
	}
	m := secrets.Masker{Names: e.secretNames(), Unsure: true}
	switch {
	case len(m.Names) > 0 && (m.Names.Has(a.Name) || !e.Declares(a.Name)):
		return orderedjson.String(Masked)
	case a.Form == protocol.FormJSON && json.Valid([]byte(a.Value)):
		return m.Document(a.Value)
	}
	return orderedjson.String(m.Text(a.Value))
}

// MaskValue returns a text that a model wrote, without the secrets that MaskRequest would mask.
func (e *Entry) MaskValue(s string) string {
	return secrets.Masker{Names: e.secretNames(), Unsure: true}.Text(s)
}

// Declares reports whether the method has an argument of that name. Names that differ only in case,
// hyphens, underscores and white space are equal.
func (e *Entry) Declares(name string) bool {
	return slices.ContainsFunc(e.Method.Parameters.Properties(), func(p schema.Property) bool {
		return text.FoldName(p.Name) == text.FoldName(name)
	})
}

// MaskRepaired returns repairs with paths truncated after a secret's name. It returns repaired
// itself if the method has no secrets, and a copy otherwise.
func (e *Entry) MaskRepaired(repaired []schema.Repaired) []schema.Repaired {
	names := e.secretNames()
	if len(names) == 0 {
		return repaired
	}
	repaired = slices.Clone(repaired)
	for i := range repaired {
		repaired[i].Path, _ = names.TruncatePath(repaired[i].Path)
	}
	return repaired
}

// CallSecrets are the secrets in the arguments of one call. It masks them in what other code says
// about the call. It is not safe for concurrent use.
type CallSecrets struct {
	entry     *Entry
	names     secrets.Names
	arguments string // JSON
	unsure    bool   // no schema has accepted the arguments
	values    []string
	collected bool
}

// CallSecrets returns the secrets of arguments that the method's schema has accepted.
func (e *Entry) CallSecrets(arguments json.RawMessage) *CallSecrets {
	return &CallSecrets{entry: e, names: e.secretNames(), arguments: string(arguments)}
}

// RequestSecrets returns the secrets of the arguments that a model wrote. More counts as a secret
// as long as no schema has accepted them, as MaskRequest says.
func (e *Entry) RequestSecrets(arguments []protocol.Argument) *CallSecrets {
	s := &CallSecrets{entry: e, names: e.secretNames(), unsure: true}
	if len(s.names) == 0 {
		return s
	}
	b := []byte{'['}
	for i, a := range arguments {
		name, value := a.Name, orderedjson.String(a.Value)
		if a.Form == protocol.FormJSON && json.Valid([]byte(a.Value)) {
			value = json.RawMessage(a.Value)
		}
		if !e.Declares(name) {
			name = e.Method.SecretParameters[0] // it may be a secret's name with a typing error
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, '{'), orderedjson.String(name)...), ':')
		b = append(append(b, value...), '}')
	}
	s.arguments = string(append(b, ']'))
	return s
}

// MaskText returns a text with the secrets Masked: values, and names of members that the method's
// schema does not declare. It finds each secret, and every piece of 8 bytes or more. The text may
// have escapes of JSON, Go, HTML and URLs, also within each other. Other spellings, and secrets of
// fewer than 4 bytes, are not found.
func (s *CallSecrets) MaskText(message string) string {
	secrets.Cover(s.Values(), &message)
	return message
}

// MaskProblems returns a copy of problems without secrets: paths end at a secret's name, and the
// value there is Masked.
func (s *CallSecrets) MaskProblems(problems []schema.Problem) []schema.Problem {
	problems = slices.Clone(problems)
	if len(s.names) == 0 {
		return problems
	}
	texts := make([]*string, 0, 2*len(problems))
	for i := range problems {
		p := &problems[i]
		path, secret := s.names.TruncatePath(p.Path)
		if path != p.Path { // Nearest could reveal the hidden name
			p.Path, p.Nearest = path, ""
		}
		// Received may be truncated, or contain JSON in a string.
		if secret && p.Code != schema.CodeRequired || s.names.MentionedIn(p.Received) {
			p.Received = Masked
		}
		texts = append(texts, &p.Expected, &p.Received)
	}
	secrets.Cover(s.Values(), texts...)
	return slices.Compact(problems) // two may differ only in what is hidden
}

// Values returns the secrets that MaskText masks, and those that are too short for it. The caller
// must not change them.
func (s *CallSecrets) Values() []string {
	if len(s.names) > 0 && !s.collected {
		s.collected = true
		s.collect()
	}
	return s.values
}

func (s *CallSecrets) collect() {
	if !json.Valid([]byte(s.arguments)) {
		return
	}
	values, members := s.names.Collect(s.arguments, s.unsure)
	s.values = values
	if len(members) == 0 {
		return
	}
	declared := map[string]bool{}
	for _, name := range s.entry.Method.declaredNames().names {
		declared[name] = true
	}
	for _, name := range members {
		if !declared[name] {
			s.values = append(s.values, name)
		}
	}
}
