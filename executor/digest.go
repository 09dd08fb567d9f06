package executor

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Digest is the SHA-256 sum of a method's full name and the canonical form of a call's arguments.
type Digest [sha256.Size]byte

// String returns the sum as hexadecimal digits.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

func digestOf(method string, arguments json.RawMessage) Digest {
	b := append([]byte(method), 0) // no name contains a NUL
	return sha256.Sum256(append(b, canonical(arguments)...))
}

// canonical returns arguments with the members of all objects sorted and without needless white
// space. Numbers keep their digits. Text that is not JSON is returned as it is.
func canonical(arguments json.RawMessage) []byte {
	d := json.NewDecoder(bytes.NewReader(arguments))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return arguments
	}
	text, err := json.Marshal(v)
	if err != nil {
		return arguments
	}
	return text
}
