package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/vcpgo/vcp/protocol"
)

// recordArguments writes arguments as a JSON object, and names those that were JSON already.
func recordArguments(list []protocol.Argument) (object json.RawMessage, asJSON []string) {
	last := make(map[string]int, len(list))
	for i, a := range list {
		last[valid(a.Name)] = i
	}
	b := []byte{'{'}
	for i, a := range list {
		name := valid(a.Name)
		if last[name] != i {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(b, encode(name)...), ':')
		if value := validJSON([]byte(a.Value)); a.Form == protocol.FormJSON && value != nil {
			b = append(b, value...)
			asJSON = append(asJSON, name)
			continue
		}
		b = append(b, encode(valid(a.Value))...)
	}
	return append(b, '}'), asJSON
}

// readArguments is the inverse of recordArguments.
func readArguments(object json.RawMessage, asJSON []string) ([]protocol.Argument, error) {
	var list []protocol.Argument
	d := json.NewDecoder(bytes.NewReader(object))
	if brace, err := d.Token(); err != nil || brace != json.Delim('{') || !json.Valid(object) {
		return nil, fmt.Errorf("a text of %d bytes is not a JSON object", len(object))
	}
	written := make(map[string]bool, len(asJSON)) // by names of JSON values: the object has one
	for _, name := range asJSON {
		written[name] = false
	}
	seen := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		a := protocol.Argument{Name: token.(string)} // in an object every other token is a name
		if seen[a.Name] {
			return nil, fmt.Errorf("argument %.40q occurs twice", a.Name)
		}
		seen[a.Name] = true
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		if _, ok := written[a.Name]; ok {
			written[a.Name] = true
			a.Value, a.Form = string(value), protocol.FormJSON
		} else if err := json.Unmarshal(value, &a.Value); err != nil {
			return nil, fmt.Errorf("argument %q is not a string; make it one or name it in jsonArguments", a.Name)
		}
		list = append(list, a)
	}
	if len(written) != len(asJSON) {
		return nil, errors.New("jsonArguments names an argument twice")
	}
	for name, found := range written {
		if !found {
			return nil, fmt.Errorf("jsonArguments names %.40q, which is not an argument", name)
		}
	}
	return list, nil
}
