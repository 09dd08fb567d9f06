// Package document reads configuration documents from untrusted sources, in YAML or JSON. Reading a
// document takes memory and time in proportion to its length. Anchors, aliases, tags, deep nesting
// and large numbers of entries are errors.
package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// ConfigurationLimits are the limits of Parse. No real configuration comes near them.
var ConfigurationLimits = Limits{Bytes: 1 << 20, Depth: 20, Entries: 4096}

// Read parses the document that r contains, as Parse does. It reads at most one byte more than
// ConfigurationLimits.Bytes.
func Read(r io.Reader) (Value, error) {
	data, err := ReadAll(r, ConfigurationLimits.Bytes)
	if err != nil {
		return Value{}, err
	}
	return Parse(data)
}

// Load parses the document in the regular file at path, as Parse does.
func Load(path string) (Value, error) {
	data, err := ReadFile(path, ConfigurationLimits.Bytes)
	if err != nil {
		return Value{}, err
	}
	return Parse(data)
}

// Parse reads one YAML or JSON document, a mapping, within the limits of ConfigurationLimits. An
// empty document is a Mapping without fields. An error is one line, and does not quote lists or
// mappings of the document.
func Parse(data []byte) (Value, error) {
	if len(data) > ConfigurationLimits.Bytes {
		return Value{}, ConfigurationLimits.tooLarge()
	}
	v, err := parse(data)
	var refused *refusedError
	switch {
	case errors.As(err, &refused):
		return Value{}, err
	case err != nil:
		return Value{}, fmt.Errorf("neither YAML nor JSON with fields: %w", err)
	case v.Kind == Null:
		return Value{Kind: Mapping}, nil
	case v.Kind != Mapping:
		return Value{}, fmt.Errorf("neither YAML nor JSON with fields: the document is %s", v)
	}
	return v, nil
}

// parse reads JSON as JSON, since it differs from YAML in escapes and tabs, and anything else as
// YAML.
func parse(data []byte) (Value, error) {
	var refused *refusedError
	if start := bytes.TrimLeft(data, " \t\r\n"); len(start) > 0 && (start[0] == '{' || start[0] == '[') {
		v, err := parseJSON(data, ConfigurationLimits)
		if err == nil || errors.As(err, &refused) {
			return v, err
		}
	}
	return parseYAML(data, ConfigurationLimits)
}
