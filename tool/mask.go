package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/url"
	"regexp"
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
	masked, _ := e.secrets().mask(string(arguments), false)
	if masked == nil {
		return jsonString(Masked)
	}
	return masked
}

// UnmaskArguments returns edited with its Masked values of secret parameters replaced by those that stand at the same place of
// original: who is shown a call's arguments as MaskArguments returns them can change one, and leave the secrets as they are. Places are
// the names of members, of secret ones as MaskArguments compares them, and the indexes of lists. All else stays, and so does what is
// no JSON.
func (e *Entry) UnmaskArguments(edited, original json.RawMessage) json.RawMessage {
	if len(e.Method.SecretParameters) == 0 || !json.Valid(edited) || !bytes.Contains(edited, jsonString(Masked)) {
		return bytes.Clone(edited)
	}
	return e.secrets().unmask(edited, original)
}

// MaskRequest returns what a model wrote as arguments as a JSON object, in the order written: plain text as a string, JSON as it
// is. Secret values are Masked as MaskArguments says. As long as a schema has not accepted them, less is known of what is secret,
// so more is masked: arguments that the method does not declare, and text that holds a secret's name and may itself be JSON, be it a whole
// value that is no JSON or a string in one. Where no method is known (e is nil), every value is.
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
	masked, found := names.mask(a.Value, true)
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
	masked, found := s.mask(p.Received, true)
	switch {
	case secret && p.Received != receivedNothing, string(masked) == string(jsonString(Masked)):
		return Masked
	case found:
		return string(masked)
	case s.within(p.Received): // it may be cut, or the JSON may be in a string
		return Masked
	}
	return p.Received
}

// MaskText returns text with the secret values of a call's arguments Masked, for what other code says and may repeat them: as they are,
// as JSON, Go and HTML quote them, as addresses hold them, and each of these quoted once more. What is written in other ways, or cut,
// is not found. Values of fewer than 4 bytes stay: they would be found in anything.
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
			values = append(values, writings(value)...)
		}
	})
	// The longest first: one may be a part of another.
	slices.SortFunc(values, func(a, b string) int { return len(b) - len(a) })
	for _, value := range values {
		text = strings.ReplaceAll(text, value, Masked)
	}
	return text
}

// writings returns the forms in which programs repeat a value: encoding/json with and without its escapes for HTML, %q and %+q, HTML,
// and the parts of an address, which escape differently; and each of them in quotation marks, as where an error quotes a JSON body.
func writings(value string) []string {
	forms := []string{
		value, html.EscapeString(value), url.QueryEscape(value), url.PathEscape(value), url.User(value).String(),
		(&url.URL{Path: value}).EscapedPath(),
	}
	forms = append(forms, quotings(value)...)
	for _, form := range forms[:len(forms):len(forms)] {
		forms = append(forms, quotings(form)...)
	}
	slices.Sort(forms)
	return slices.Compact(forms)
}

// quotings returns a text as it stands between quotation marks.
func quotings(text string) []string {
	escaped, err := json.Marshal(text)
	if err != nil {
		return nil // a string always encodes
	}
	forms := []string{string(jsonString(text)), string(escaped), strconv.Quote(text), strconv.QuoteToASCII(text)}
	for i, form := range forms {
		forms[i] = form[1 : len(form)-1]
	}
	return forms
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

// escapedRune is a character as JSON and programming languages write it in quotation marks, which may stand in others again.
var escapedRune = regexp.MustCompile(`\\+(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))`)

// within reports whether one of the names stands in text, be it with escapes.
func (s secrets) within(text string) bool {
	text = foldSecret(escapedRune.ReplaceAllStringFunc(text, func(escape string) string {
		code, _ := strconv.ParseUint(strings.TrimLeft(escape, `\ux`), 16, 32)
		return string(rune(code))
	}))
	return slices.ContainsFunc(s, func(name string) bool { return strings.Contains(text, name) })
}

// mask returns JSON with secret members masked, all else in its order and without needless white space, and whether there were
// any. With inStrings a string that holds a name is masked too: it may be JSON by itself. It returns nil for what is no JSON.
func (s secrets) mask(text string, inStrings bool) (masked json.RawMessage, found bool) {
	if !json.Valid([]byte(text)) {
		return nil, false
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	m := masker{names: s, in: d, inStrings: inStrings}
	m.value()
	return m.out.Bytes(), m.found
}

// masker copies one valid JSON value.
type masker struct {
	names secrets
	in    *json.Decoder
	out   bytes.Buffer
	found bool
	// inStrings is set where a string that holds a name is masked.
	inStrings bool
}

func (m *masker) value() {
	t, _ := m.in.Token() // the text is valid
	if text, ok := t.(string); ok && m.inStrings && m.names.within(text) {
		t, m.found = Masked, true
	}
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

// unmask returns valid JSON with masked secret members replaced by those of original, all else in its order.
func (s secrets) unmask(edited, original json.RawMessage) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(edited))
	open, _ := d.Token() // the text is valid
	var out bytes.Buffer
	switch open {
	case json.Delim('{'):
		var members map[string]json.RawMessage
		_ = json.Unmarshal(original, &members) // where it is no object, nothing stands there
		out.WriteByte('{')
		for first := true; d.More(); first = false {
			if !first {
				out.WriteByte(',')
			}
			token, _ := d.Token()
			name := fmt.Sprint(token)
			var value json.RawMessage
			_ = d.Decode(&value)
			out.Write(append(jsonString(name), ':'))
			out.Write(s.unmaskMember(name, value, members))
		}
		out.WriteByte('}')
	case json.Delim('['):
		var items []json.RawMessage
		_ = json.Unmarshal(original, &items)
		out.WriteByte('[')
		for i := 0; d.More(); i++ {
			if i > 0 {
				out.WriteByte(',')
			}
			var value, item json.RawMessage
			_ = d.Decode(&value)
			if i < len(items) {
				item = items[i]
			}
			out.Write(s.unmask(value, item))
		}
		out.WriteByte(']')
	default:
		return edited
	}
	return out.Bytes()
}

func (s secrets) unmaskMember(name string, value json.RawMessage, members map[string]json.RawMessage) json.RawMessage {
	there, ok := members[name]
	if !s.has(name) {
		return s.unmask(value, there)
	}
	if !bytes.Equal(value, jsonString(Masked)) {
		return value
	}
	if ok {
		return there
	}
	for _, other := range slices.Sorted(maps.Keys(members)) {
		if foldSecret(other) == foldSecret(name) {
			return members[other]
		}
	}
	return value
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
