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

// emptyKey is the name of an argument without a name (J13).
const emptyKey = `""`

// isCallKey reports whether a call, or the object around it, may have a member of that name, in any
// letter case.
func isCallKey(name []byte) bool {
	keys := []string{keyName, keyArguments, keyParameters, keyID, keyType, keyFunction}
	return slices.ContainsFunc(keys, func(key string) bool { return bytes.EqualFold(name, []byte(key)) })
}
