package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool/schema"
)

// Masked stands in a record for a value that is not to be seen.
const Masked = "[secret]"

// Secret reports whether the values of the argument of that name are secret.
func (e *Entry) Secret(name string) bool { return e.secrets().has(name) }

// MaskArguments returns a copy of a call's arguments with the values of secret parameters Masked: arguments of those names, and
// members of those names at any depth of others. Case, hyphens, underscores and blanks do not tell names apart. What is no JSON is
// Masked as a whole.
func (e *Entry) MaskArguments(arguments json.RawMessage) json.RawMessage {
	if len(e.Method.SecretParameters) == 0 {
		return bytes.Clone(arguments)
	}
	masked, _ := e.secrets().mask(string(arguments))
	if masked == nil {
		return jsonString(Masked)
	}
	return masked
}

// MaskRequest returns what a model wrote as arguments as a JSON object, in the order written: plain text as a string, JSON as it
// is. Secret values are Masked as MaskArguments says. As long as a schema has not accepted them, less is known of what is secret,
// so more is masked: arguments that the method does not declare, and values that hold a secret's name and are no JSON. Where no
// method is known (e is nil), every value is.
func (e *Entry) MaskRequest(arguments []protocol.Argument) json.RawMessage {
	b := []byte{'{'}
	for i, a := range arguments {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, jsonString(a.Name)...), ':'), e.maskArgument(a)...)
	}
	return append(b, '}')
}

func (e *Entry) maskArgument(a protocol.Argument) json.RawMessage {
	if e == nil {
		return jsonString(Masked)
	}
	names := e.secrets()
	masked, found := names.mask(a.Value)
	isJSON := masked != nil
	switch {
	case len(names) > 0 && (names.has(a.Name) || !e.declares(a.Name) || !isJSON && names.within(a.Value)):
		return jsonString(Masked)
	case isJSON && a.Form == protocol.FormJSON:
		return masked
	case found:
		return jsonString(string(masked))
	}
	return jsonString(a.Value)
}

// MaskProblems returns a copy of what is wrong with arguments, with the values that came for secret parameters Masked as MaskArguments says.
func (e *Entry) MaskProblems(problems []schema.Problem) []schema.Problem {
	problems = slices.Clone(problems)
	names := e.secrets()
	for i := range problems {
		if p := &problems[i]; len(names) > 0 {
			p.Received = names.received(p)
		}
	}
	return problems
}

// receivedNothing is what schema.Problem says where nothing came.
const receivedNothing = "nothing"

// received returns what came where a problem is, without secrets.
func (s secrets) received(p *schema.Problem) string {
	secret := slices.ContainsFunc(strings.FieldsFunc(p.Path, func(r rune) bool { return r == '.' || r == '[' || r == ']' }), s.has)
	masked, found := s.mask(p.Received)
	switch {
	case secret && p.Received != receivedNothing:
		return Masked
	case found:
		return string(masked)
	case s.within(p.Received): // it may be cut, or the JSON may be in a string
		return Masked
	}
	return p.Received
}

// MaskText returns text with the secret values of a call's arguments Masked, for what other code says and may repeat them: as they are, as JSON
// strings hold them, and as addresses do. Values of fewer than 4 bytes stay: they would be found in anything.
func (e *Entry) MaskText(text string, arguments json.RawMessage) string {
	const least = 4
	d := json.NewDecoder(bytes.NewReader(arguments))
	d.UseNumber()
	var v any
	if len(e.Method.SecretParameters) == 0 || d.Decode(&v) != nil {
		return text
	}
	var values []string
	e.secrets().values(v, false, func(value string) {
		if len(value) >= least {
			values = append(values, value, strings.Trim(string(jsonString(value)), `"`), strings.Trim(strconv.Quote(value), `"`),
				url.QueryEscape(value), url.PathEscape(value))
		}
	})
	// The longest first: one may be a part of another.
	slices.SortFunc(values, func(a, b string) int { return len(b) - len(a) })
	for _, value := range values {
		text = strings.ReplaceAll(text, value, Masked)
	}
	return text
}

func (e *Entry) declares(name string) bool {
	return slices.ContainsFunc(e.Method.Parameters.Properties(), func(p schema.Property) bool { return foldSecret(p.Name) == foldSecret(name) })
}

// secrets are the folded names of secret parameters.
type secrets []string

func (e *Entry) secrets() secrets {
	names := make(secrets, len(e.Method.SecretParameters))
	for i, name := range e.Method.SecretParameters {
		names[i] = foldSecret(name)
	}
	return names
}

func (s secrets) has(name string) bool { return slices.Contains(s, foldSecret(name)) }

// within reports whether one of the names stands in text.
func (s secrets) within(text string) bool {
	text = foldSecret(text)
	return slices.ContainsFunc(s, func(name string) bool { return strings.Contains(text, name) })
}

// mask returns JSON with secret members masked, all else in its order and without needless white space, and whether there were
// any. It returns nil for what is no JSON.
func (s secrets) mask(text string) (masked json.RawMessage, found bool) {
	if !json.Valid([]byte(text)) {
		return nil, false
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	m := masker{names: s, in: d}
	m.value()
	return m.out.Bytes(), m.found
}

// masker copies one valid JSON value.
type masker struct {
	names secrets
	in    *json.Decoder
	out   bytes.Buffer
	found bool
}

func (m *masker) value() {
	t, _ := m.in.Token() // the text is valid
	m.token(t)
	open, ok := t.(json.Delim)
	if !ok {
		return
	}
	for first := true; m.in.More(); first = false {
		if !first {
			m.out.WriteByte(',')
		}
		if open == '{' {
			name, _ := m.in.Token()
			m.token(name)
			m.out.WriteByte(':')
			if m.names.has(fmt.Sprint(name)) {
				var skipped json.RawMessage
				_ = m.in.Decode(&skipped)
				m.out.Write(jsonString(Masked))
				m.found = true
				continue
			}
		}
		m.value()
	}
	end, _ := m.in.Token()
	m.token(end)
}

func (m *masker) token(t json.Token) {
	if delim, ok := t.(json.Delim); ok {
		m.out.WriteString(delim.String())
		return
	}
	m.out.Write(jsonOf(t))
}

// values tells each scalar in the secret parts of a decoded value; all is secret where secret is true.
func (s secrets) values(v any, secret bool, tell func(string)) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			s.values(item, secret, tell)
		}
	case map[string]any:
		for name, member := range v {
			s.values(member, secret || s.has(name), tell)
		}
	case string, json.Number:
		if secret {
			tell(fmt.Sprint(v))
		}
	}
}

// foldSecret brings names together that a schema may take for one.
func foldSecret(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// jsonOf writes a decoded value, which always encodes.
func jsonOf(v any) json.RawMessage {
	text, err := encodeJSON(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return text
}

func jsonString(s string) json.RawMessage { return jsonOf(s) }
