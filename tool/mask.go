package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool/schema"
)

// Masked stands in a record for a value that is not to be seen.
const Masked = "[secret]"

// Secret reports whether the values of the argument of that name are secret.
func (e *Entry) Secret(name string) bool { return e.secrets().has(name) }

// MaskArguments returns a copy of a call's arguments with the values of secret parameters Masked: arguments of those names, and
// members of those names at any depth of others, in strings that hold JSON too. Case, hyphens, underscores and blanks do not tell
// names apart. What is no JSON is Masked as a whole.
//
// A string that is no JSON as a whole stays as it is, whatever it mentions: who approves a call has to see what it does.
func (e *Entry) MaskArguments(arguments json.RawMessage) json.RawMessage {
	if len(e.Method.SecretParameters) == 0 {
		return bytes.Clone(arguments)
	}
	if !json.Valid(arguments) {
		return orderedjson.String(Masked)
	}
	m := masker{names: e.secrets()}
	return json.RawMessage(m.document(string(arguments)))
}

// UnmaskArguments returns edited with its Masked values of secret parameters replaced by those that stand at the same place of
// original: who is shown a call's arguments as MaskArguments returns them can change one, and leave the secrets as they are. Places are
// the names of members, of secret ones as MaskArguments compares them, and the indexes of lists, in strings that hold JSON too. All
// else stays, and so does what is no JSON.
func (e *Entry) UnmaskArguments(edited, original json.RawMessage) json.RawMessage {
	if len(e.Method.SecretParameters) == 0 || !json.Valid(edited) || !bytes.Contains(edited, []byte(Masked)) {
		return bytes.Clone(edited)
	}
	return e.secrets().unmask(edited, original)
}

// MaskRequest returns what a model wrote as arguments as a JSON object, in the order written: plain text as a string, JSON as it
// is. Secret values are Masked as MaskArguments says. As long as a schema has not accepted them, less is known of what is secret,
// so more is masked: arguments that the method does not declare, and text that is no JSON and mentions a secret's name, whether it is
// a whole value or a string in one. If no method is known (e is nil), every value is.
func (e *Entry) MaskRequest(arguments []protocol.Argument) json.RawMessage {
	b := []byte{'{'}
	for i, a := range arguments {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, orderedjson.String(a.Name)...), ':'), e.maskArgument(a)...)
	}
	return append(b, '}')
}

func (e *Entry) maskArgument(a protocol.Argument) json.RawMessage {
	if e == nil {
		return orderedjson.String(Masked)
	}
	m := masker{names: e.secrets(), unsure: true}
	switch {
	case len(m.names) > 0 && (m.names.has(a.Name) || !e.declares(a.Name)):
		return orderedjson.String(Masked)
	case a.Form == protocol.FormJSON && json.Valid([]byte(a.Value)):
		return json.RawMessage(m.document(a.Value))
	}
	return orderedjson.String(m.text(a.Value))
}

// MaskValue returns a text that a model wrote, without the secrets that MaskRequest finds in one.
func (e *Entry) MaskValue(text string) string {
	m := masker{names: e.secrets(), unsure: true}
	return m.text(text)
}

func (e *Entry) declares(name string) bool {
	return slices.ContainsFunc(e.Method.Parameters.Properties(), func(p schema.Property) bool { return text.FoldName(p.Name) == text.FoldName(name) })
}

// MaskRepaired returns what was mended with paths that end at a secret's name.
func (e *Entry) MaskRepaired(repaired []schema.Repaired) []schema.Repaired {
	names := e.secrets()
	if len(names) == 0 {
		return repaired
	}
	repaired = slices.Clone(repaired)
	for i := range repaired {
		repaired[i].Path, _ = names.path(repaired[i].Path)
	}
	return repaired
}

// secrets are the folded names of secret parameters.
type secrets []string

func (e *Entry) secrets() secrets {
	names := make(secrets, len(e.Method.SecretParameters))
	for i, name := range e.Method.SecretParameters {
		names[i] = text.FoldName(name)
	}
	return names
}

func (s secrets) has(name string) bool { return slices.Contains(s, text.FoldName(name)) }

// pathMarks stand between the names and the indexes of a path. A name may hold them, too.
const pathMarks = ".[]"

// path returns the beginning of a path, up to the first name that is a secret's, and whether there is one.
func (s secrets) path(path string) (masked string, secret bool) {
	joined := 0 // how many marks a secret's name holds at most
	for _, name := range s {
		n := 0
		for _, mark := range pathMarks {
			n += strings.Count(name, string(mark))
		}
		joined = max(joined, n)
	}
	for start := 0; start < len(path); {
		end := start
		for range joined + 1 {
			if i := strings.IndexAny(path[min(end+1, len(path)):], pathMarks); end < len(path) && i >= 0 {
				end += 1 + i
			} else {
				end = len(path)
			}
			if s.hasShort(path[start:end]) {
				if start > 0 && path[start-1] == '[' && strings.HasPrefix(path[end:], "]") {
					end++
				}
				return path[:end], true
			}
		}
		next := strings.IndexAny(path[start:], pathMarks)
		if next < 0 {
			break
		}
		start += next + 1
	}
	return path, false
}

// hasShort is has for a name of which the end may be left out, as schema.Problem leaves it out of long ones.
func (s secrets) hasShort(name string) bool {
	head, short := strings.CutSuffix(name, "…")
	head = text.FoldName(head)
	return s.has(name) || short && slices.ContainsFunc(s, func(secret string) bool { return strings.HasPrefix(secret, head) })
}

// within reports whether text contains one of the names, with or without escapes, which may stand in others again.
func (s secrets) within(value string) bool {
	if len(s) == 0 {
		return false
	}
	folded, plain := text.FoldName(value), text.FoldName(withoutEscapes(value))
	return slices.ContainsFunc(s, func(name string) bool {
		return strings.Contains(folded, name) || strings.Contains(plain, withoutEscapes(name))
	})
}

// documents cuts a text that is JSON, one value or several, into them. What models write in place of JSON is read, too.
func documents(text string) (list []string, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	for {
		var raw json.RawMessage
		switch err := d.Decode(&raw); {
		case err == nil:
			list = append(list, string(raw))
			continue
		case errors.Is(err, io.EOF):
			return list, list != nil
		}
		mended, ok := schema.RepairJSON(text)
		return []string{string(mended)}, ok
	}
}

// masker copies JSON, its secret members Masked.
type masker struct {
	names secrets
	// unsure is set if no schema has accepted the text: then a string that is no JSON and mentions a name is Masked.
	unsure bool

	in    *json.Decoder
	out   bytes.Buffer
	found bool
}

// document returns valid JSON with secret members Masked, all else in its order and without needless white space.
func (m *masker) document(text string) string {
	inner := masker{names: m.names, unsure: m.unsure, in: json.NewDecoder(strings.NewReader(text))}
	inner.in.UseNumber()
	inner.value()
	m.found = m.found || inner.found
	return inner.out.String()
}

// text returns a string. One that holds JSON is written anew if there is a secret in it.
func (m *masker) text(text string) string {
	if !m.names.within(text) {
		return text
	}
	list, ok := documents(text)
	if !ok {
		if m.unsure {
			m.found = true
			return Masked
		}
		return text
	}
	inner := masker{names: m.names, unsure: m.unsure}
	for i := range list {
		list[i] = inner.document(list[i])
	}
	if !inner.found {
		return text
	}
	m.found = true
	return strings.Join(list, "\n")
}

func (m *masker) value() {
	t, _ := m.in.Token() // the text is valid
	if text, ok := t.(string); ok {
		t = m.text(text)
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
				m.out.Write(orderedjson.String(Masked))
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
	switch open := open.(type) {
	case json.Delim:
		if open == '{' {
			s.unmaskObject(&out, d, original)
		} else {
			s.unmaskList(&out, d, original)
		}
		return out.Bytes()
	case string:
		return orderedjson.String(s.unmaskText(open, original))
	}
	return edited
}

func (s secrets) unmaskObject(out *bytes.Buffer, d *json.Decoder, original json.RawMessage) {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(original, &members) // if it is no object, nothing stands there
	out.WriteByte('{')
	for first := true; d.More(); first = false {
		if !first {
			out.WriteByte(',')
		}
		token, _ := d.Token()
		name := fmt.Sprint(token)
		var value json.RawMessage
		_ = d.Decode(&value)
		out.Write(append(orderedjson.String(name), ':'))
		out.Write(s.unmaskMember(name, value, members))
	}
	out.WriteByte('}')
}

func (s secrets) unmaskList(out *bytes.Buffer, d *json.Decoder, original json.RawMessage) {
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
}

// unmaskText returns a string with the secrets that stand in the string original. One that was left as it is shown is the original,
// byte for byte.
func (s secrets) unmaskText(edited string, original json.RawMessage) string {
	var there string
	if !strings.Contains(edited, Masked) || json.Unmarshal(original, &there) != nil {
		return edited
	}
	m := masker{names: s}
	if m.text(there) == edited {
		return there
	}
	now, ok := documents(edited)
	before, ok2 := documents(there)
	if !ok || !ok2 || len(now) != len(before) {
		return edited
	}
	for i := range now {
		now[i] = string(s.unmask(json.RawMessage(now[i]), json.RawMessage(before[i])))
	}
	return strings.Join(now, "\n")
}

func (s secrets) unmaskMember(name string, value json.RawMessage, members map[string]json.RawMessage) json.RawMessage {
	there, ok := members[name]
	if !s.has(name) {
		return s.unmask(value, there)
	}
	if !bytes.Equal(value, orderedjson.String(Masked)) {
		return value
	}
	if ok {
		return there
	}
	for _, other := range slices.Sorted(maps.Keys(members)) {
		if text.FoldName(other) == text.FoldName(name) {
			return members[other]
		}
	}
	return value
}

// jsonOf writes a decoded value, which always encodes.
func jsonOf(v any) json.RawMessage {
	text, err := orderedjson.Encode(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return text
}
