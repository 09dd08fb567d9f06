package hermes

import (
	"bytes"
	"slices"
)

// The keys of a call.
const (
	keyName       = "name"
	keyArguments  = "arguments"
	keyParameters = "parameters"
	keyID         = "id"
	keyType       = "type"
	keyFunction   = "function"
)

// isCallKey reports whether a call, or the object around it, may have a member of that name.
func isCallKey(name []byte) bool {
	return slices.ContainsFunc([]string{keyName, keyArguments, keyParameters, keyID, keyType, keyFunction}, func(key string) bool {
		return bytes.EqualFold(name, []byte(key))
	})
}
