package hermes

import (
	"errors"
	"fmt"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/protocol/scan"
)

// readMembers reads an undamaged JSON object: its keys, and its values as written. ok is false for
// anything else, for an empty key, and for a value that is nested too deeply.
func readMembers(object string) (members []scan.Field, ok bool) {
	list, err := orderedjson.Members([]byte(object))
	if err != nil {
		return nil, false
	}
	for _, m := range list {
		if m.Name == "" || tooDeep(string(m.Value)) {
			return nil, false
		}
		members = append(members, scan.Field{Name: m.Name, Value: string(m.Value), JSON: true})
	}
	return members, true
}

// memberOf returns a member of an object.
func memberOf(object, name string) (string, error) {
	members, ok := readMembers(object)
	if !ok {
		return "", errors.New("it is not a JSON object")
	}
	for _, m := range members {
		if m.Name == name {
			return m.Value, nil
		}
	}
	return "", fmt.Errorf("it has no %q", name)
}
