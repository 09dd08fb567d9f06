package chat

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

// argumentsObject returns arguments as a JSON object. A value of the form protocol.FormJSON stays
// JSON if it is valid, and asJSON contains the name of its argument. Every other value becomes a
// string. If arguments have the same name, the last one counts.
func argumentsObject(list []protocol.Argument) (object json.RawMessage, asJSON []string) {
	lastIndex := make(map[string]int, len(list)) // by name
	for i, a := range list {
		lastIndex[text.Valid(a.Name)] = i
	}
	b := []byte{'{'}
	for i, a := range list {
		name := text.Valid(a.Name)
		if lastIndex[name] != i {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(b, orderedjson.String(name)...), ':')
		if value := validJSON([]byte(a.Value)); a.Form == protocol.FormJSON && value != nil {
			b = append(b, value...)
			asJSON = append(asJSON, name)
			continue
		}
		b = append(b, orderedjson.String(text.Valid(a.Value))...)
	}
	return append(b, '}'), asJSON
}

// readArguments returns the arguments in an object that argumentsObject has made. Since the object
// may come from an import, it checks the object and the names in asJSON.
func readArguments(object json.RawMessage, asJSON []string) ([]protocol.Argument, error) {
	var list []protocol.Argument
	members, err := orderedjson.Members(object)
	if err != nil {
		return nil, fmt.Errorf("a text of %d bytes is not a JSON object", len(object))
	}
	missing := make(map[string]bool, len(asJSON)) // the names in asJSON that no member has had so far
	for _, name := range asJSON {
		if missing[name] {
			return nil, errors.New("jsonArguments names an argument twice")
		}
		missing[name] = true
	}
	seen := map[string]bool{}
	for _, m := range members {
		a := protocol.Argument{Name: m.Name}
		if seen[a.Name] {
			return nil, fmt.Errorf("argument %.40q occurs twice", a.Name)
		}
		seen[a.Name] = true
		switch text, isString := orderedjson.StringText(m.Value); {
		case missing[a.Name]:
			delete(missing, a.Name)
			a.Value, a.Form = string(m.Value), protocol.FormJSON
		case isString:
			a.Value = text
		default:
			return nil, fmt.Errorf("argument %.40q is not a string; make it a string or name it in jsonArguments", a.Name)
		}
		list = append(list, a)
	}
	for name := range missing {
		return nil, fmt.Errorf("jsonArguments names %.40q, which is not an argument", name)
	}
	return list, nil
}
