package secrets

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/tool/schema"
)

// A value is a JSON value with its members in the order written, including duplicates.
type value struct {
	scalar json.Token // string, json.Number, bool or nil; for an object or an array the same as open
	open   json.Delim // of an object or an array; else 0
	names  []string   // of the members of an object
	items  []value
}

// parse returns the value of valid JSON.
func parse(document string) value {
	d := json.NewDecoder(strings.NewReader(document))
	d.UseNumber()
	return read(d)
}

func read(d *json.Decoder) (v value) {
	v.scalar, _ = d.Token() // the text is valid
	v.open, _ = v.scalar.(json.Delim)
	if v.open == 0 {
		return v
	}
	for d.More() {
		if v.open == '{' {
			name, _ := d.Token()
			v.names = append(v.names, fmt.Sprint(name))
		}
		v.items = append(v.items, read(d))
	}
	_, _ = d.Token() // the closing delimiter
	return v
}

func (v value) String() string { return string(v.append(nil)) }

func (v value) append(b []byte) []byte {
	if v.open == 0 {
		return orderedjson.Append(b, v.scalar)
	}
	b = append(b, byte(v.open))
	for i, item := range v.items {
		if i > 0 {
			b = append(b, ',')
		}
		if v.open == '{' {
			b = append(orderedjson.AppendString(b, v.names[i]), ':')
		}
		b = item.append(b)
	}
	return append(b, byte(v.open)+2) // '}' is '{' + 2, and ']' is '[' + 2
}

// documents splits a text that consists of one or more JSON values into these values. It repairs
// damage that is common in the JSON of models.
func documents(s string) (list []value, ok bool) {
	d := json.NewDecoder(strings.NewReader(s))
	for {
		var raw json.RawMessage
		switch err := d.Decode(&raw); {
		case err == nil:
			list = append(list, parse(string(raw)))
			continue
		case errors.Is(err, io.EOF):
			return list, list != nil
		}
		repaired, ok := schema.RepairJSON(s)
		if !ok {
			return nil, false
		}
		return []value{parse(string(repaired))}, true
	}
}

func join(list []value) string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = v.String()
	}
	return strings.Join(texts, "\n")
}

// A Masker masks the values of JSON members whose names are in Names.
type Masker struct {
	Names Names
	// Unsure is for text that no schema has accepted: a string that is not JSON and mentions a name
	// is masked.
	Unsure bool
}

// Document returns a document, which must be valid JSON, with secrets masked. The secrets are the
// values of members with one of Names, at any depth and in strings that contain JSON. Members keep
// their order, and needless white space is removed.
func (m Masker) Document(document string) json.RawMessage {
	v, _ := m.mask(parse(document))
	return json.RawMessage(v.String())
}

// Text returns a string with the secrets of the JSON in it masked. Text that is not JSON stays as
// it is, unless Unsure is set and the text mentions a name: then it is masked as a whole.
func (m Masker) Text(s string) string {
	masked, _ := m.text(s)
	return masked
}

// mask returns v with its secrets masked, and whether there were any. It changes the items of v in
// place.
func (m Masker) mask(v value) (masked value, found bool) {
	if s, ok := v.scalar.(string); ok {
		v.scalar, found = m.text(s)
		return v, found
	}
	for i, item := range v.items {
		if v.open == '{' && m.Names.Has(v.names[i]) {
			v.items[i], found = value{scalar: Mask}, true
			continue
		}
		var inner bool
		v.items[i], inner = m.mask(item)
		found = found || inner
	}
	return v, found
}

// text is Text, and reports whether it found a secret.
func (m Masker) text(s string) (masked string, found bool) {
	if !m.Names.MentionedIn(s) {
		return s, false
	}
	list, ok := documents(s)
	if !ok && m.Unsure {
		return Mask, true
	}
	for i := range list {
		var inner bool
		list[i], inner = m.mask(list[i])
		found = found || inner
	}
	if !found {
		return s, false
	}
	return join(list), true
}

// Collect returns the secret strings and numbers in valid JSON, and the names of the members within
// secret values. unsure has the meaning of Masker.Unsure.
func (n Names) Collect(document string, unsure bool) (values, members []string) {
	c := collector{names: n, unsure: unsure}
	c.value(parse(document), false)
	return c.values, c.members
}

// A collector collects the results of Collect.
type collector struct {
	names           Names
	unsure          bool
	values, members []string
}

// value collects from v. secret says that v is within a secret value.
func (c *collector) value(v value, secret bool) {
	switch scalar := v.scalar.(type) {
	case json.Number:
		if secret {
			c.values = append(c.values, scalar.String())
		}
	case string:
		c.text(scalar, secret)
	}
	for i, item := range v.items {
		itemSecret := secret
		if v.open == '{' {
			if secret {
				c.members = append(c.members, v.names[i])
			}
			itemSecret = secret || c.names.Has(v.names[i])
		}
		c.value(item, itemSecret)
	}
}

// text collects from a string. secret says that the string is within a secret value.
func (c *collector) text(s string, secret bool) {
	if secret {
		c.values = append(c.values, s)
	} else if !c.names.MentionedIn(s) {
		return
	}
	list, ok := documents(s)
	if !ok && c.unsure && !secret {
		c.values = append(c.values, s)
	}
	for _, v := range list {
		c.value(v, secret)
	}
}
