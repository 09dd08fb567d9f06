package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool/schema"
)

// Masked is the text that replaces a secret value.
const Masked = secrets.Mask

// secretNames returns the secret parameters of the method.
func (e *Entry) secretNames() secrets.Names { return secrets.NewNames(e.Method.SecretParameters) }

// Secret reports whether the argument with the given name is a secret parameter.
func (e *Entry) Secret(name string) bool { return e.secretNames().Has(name) }

// MaskArguments returns a copy of a call's arguments in which Masked replaces the values of secret
// parameters: of arguments with such a name, and of members with such a name at any depth, even in
// strings that contain JSON. Names that differ only in case, hyphens, underscores and white space
// are equal. If the method has secret parameters and arguments is not JSON, the result is only
// Masked.
//
// A string that is not JSON as a whole is unchanged, even if it mentions a secret parameter: a
// person who approves a call has to see what the call does. The exception is a call of a Composite
// method: if an argument may be code that calls a method with secret parameters, all declared
// arguments are Masked.
func (e *Entry) MaskArguments(arguments json.RawMessage) json.RawMessage {
	names := e.secretNamesIn(string(arguments))
	if len(names) == 0 {
		return bytes.Clone(arguments)
	}
	if !json.Valid(arguments) {
		return orderedjson.String(Masked)
	}
	return secrets.Masker{Names: names}.Document(string(arguments))
}

// UnmaskArguments is the reverse of MaskArguments, for a person who has seen masked arguments and
// edited them. It returns edited, and replaces each Masked value of a secret parameter by the value
// at the same path in original. A path consists of names of members, compared as in MaskArguments,
// and of indexes of arrays, even within strings that contain JSON. Everything else is unchanged. If
// edited is not JSON, it is returned unchanged.
func (e *Entry) UnmaskArguments(edited, original json.RawMessage) json.RawMessage {
	names := e.secretNamesIn(string(original))
	if len(names) == 0 || !json.Valid(edited) || !bytes.Contains(edited, []byte(Masked)) {
		return bytes.Clone(edited)
	}
	return names.Unmask(edited, original)
}

// MaskRequest returns the arguments that a model wrote as a JSON object, in the order written:
// plain text as a string, JSON as it is. Secret values are masked as in MaskArguments. No schema
// has accepted these arguments, so MaskRequest masks more if the method has secret parameters:
// arguments that the method does not declare, and text that is not JSON and mentions a secret
// parameter. If no method is known (e is nil), it masks every value.
func (e *Entry) MaskRequest(arguments []protocol.Argument) json.RawMessage {
	names := e.secretNamesOf(arguments)
	b := []byte{'{'}
	for i, a := range arguments {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, "%s:%s", orderedjson.String(a.Name), e.maskArgument(a, names))
	}
	return append(b, '}')
}

// MaskWritten returns a copy of the arguments that a model wrote, and masks the values that
// MaskRequest masks. hasSecrets reports whether there are such values. Other arguments keep their
// exact text.
func (e *Entry) MaskWritten(arguments []protocol.Argument) (masked []protocol.Argument, hasSecrets bool) {
	names := e.secretNamesOf(arguments)
	masked = slices.Clone(arguments)
	for i := range masked {
		a := &masked[i]
		value := e.maskArgument(*a, names)
		if bytes.Equal(value, maskedValue(*a, secrets.Masker{})) {
			continue
		}
		hasSecrets = true
		if a.Form == protocol.FormJSON {
			a.Value = string(value)
		} else if json.Unmarshal(value, &a.Value) != nil {
			a.Value = Masked
		}
	}
	return masked, hasSecrets
}

// maskArgument returns the masked value of an argument as JSON; see MaskRequest.
func (e *Entry) maskArgument(a protocol.Argument, names secrets.Names) json.RawMessage {
	if e == nil || len(names) > 0 && (names.Has(a.Name) || !e.Declares(a.Name)) {
		return orderedjson.String(Masked)
	}
	return maskedValue(a, secrets.Masker{Names: names, Unsure: true})
}

// maskedValue returns the value of an argument as JSON, masked by m.
func maskedValue(a protocol.Argument, m secrets.Masker) json.RawMessage {
	if a.Form == protocol.FormJSON && json.Valid([]byte(a.Value)) {
		return m.Document(a.Value)
	}
	return orderedjson.String(m.Text(a.Value))
}

// MaskValue masks the secrets in a text that a model wrote. It treats the text as MaskRequest
// treats the plain text of a declared argument.
func (e *Entry) MaskValue(s string) string {
	return secrets.Masker{Names: e.secretNamesIn(s), Unsure: true}.Text(s)
}

// Declares reports whether the method has an argument with the given name. Names that differ only
// in case, hyphens, underscores and white space are equal.
func (e *Entry) Declares(name string) bool {
	return slices.ContainsFunc(e.Method.Parameters.Properties(), func(p schema.Property) bool {
		return text.FoldName(p.Name) == text.FoldName(name)
	})
}

// MaskRepaired returns repairs whose paths are truncated after the name of a secret parameter. It
// returns repaired itself if the method has no secret parameters, and otherwise a copy.
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

// CallSecrets contains the secrets in the arguments of one call, and masks them in texts about the
// call, such as errors. It is not safe for concurrent use.
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
	return &CallSecrets{entry: e, names: e.secretNamesIn(string(arguments)), arguments: string(arguments)}
}

// RequestSecrets returns the secrets of arguments that a model wrote and that no schema has
// accepted yet. As in MaskRequest, more values count as secrets.
func (e *Entry) RequestSecrets(arguments []protocol.Argument) *CallSecrets {
	s := &CallSecrets{entry: e, names: e.secretNamesOf(arguments), unsure: true}
	if len(s.names) == 0 {
		return s
	}
	b := []byte{'['} // a list of objects with one member, because names may repeat
	for i, a := range arguments {
		name, value := a.Name, orderedjson.String(a.Value)
		if a.Form == protocol.FormJSON && json.Valid([]byte(a.Value)) {
			value = json.RawMessage(a.Value)
		}
		if !e.Declares(name) {
			name = s.names[0] // name may be a misspelled secret parameter
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, "{%s:%s}", orderedjson.String(name), value)
	}
	s.arguments = string(append(b, ']'))
	return s
}

// MaskText masks the secrets in a text: values, and names of members that the method's schema does
// not declare. It finds whole secrets of 4 bytes or more, and substrings of 8 bytes or more of a
// secret. It finds them in escapes of JSON, Go, HTML and URLs, even if these are nested, but not in
// other encodings.
func (s *CallSecrets) MaskText(message string) string {
	secrets.Cover(s.Values(), &message)
	return message
}

// MaskProblems returns a copy of problems without secrets: a path ends after the name of a secret
// parameter, and the value there is masked.
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
	return slices.Compact(problems) // after masking, two problems may be equal
}

// Values returns the secrets that MaskText masks, and those that are too short for MaskText. The
// caller must not change them.
func (s *CallSecrets) Values() []string {
	if len(s.names) > 0 && !s.collected {
		s.collected = true
		s.collect()
	}
	return s.values
}

// collect sets values, if the arguments are JSON.
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
