package executor

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"io"
)

// Digest identifies a call: it is the beginning of the SHA-256 sum of the method's full name and
// the canonical form of the arguments. It is a text of 26 letters and digits, which fits into a
// link or a form. "" means that there is no call.
type Digest string

// digestBytes is how many bytes of the sum a Digest keeps. With that many, nobody can find another
// call that has the digest of a given call.
const digestBytes = 16

var digestEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

func digestOf(method string, arguments json.RawMessage) Digest {
	b := append([]byte(method), 0) // no name contains a NUL
	return newDigest(append(b, canonical(arguments)...))
}

func newDigest(b []byte) Digest {
	sum := sha256.Sum256(b)
	return Digest(digestEncoding.EncodeToString(sum[:digestBytes]))
}

// canonical returns arguments with the members of all objects sorted and without needless white
// space. Numbers keep their digits. Text that is not JSON is returned as it is.
func canonical(arguments json.RawMessage) []byte {
	d := json.NewDecoder(bytes.NewReader(arguments))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return arguments
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) { // more text follows
		return arguments
	}
	text, err := json.Marshal(v)
	if err != nil {
		return arguments
	}
	return text
}
