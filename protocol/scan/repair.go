package scan

import (
	"cmp"
	"fmt"
	"slices"
)

// Tolerance is how much damage a reader repairs. Clean input reads the same at every level.
type Tolerance uint8

// The levels.
const (
	// Safe applies repairs that text inside a value cannot cause. It is the default.
	Safe Tolerance = iota
	// Strict repairs nothing.
	Strict
	// Greedy also applies repairs that guess.
	Greedy
)

var tolerances = [...]string{Safe: "safe", Strict: "strict", Greedy: "greedy"}

// String returns "strict", "safe" or "greedy".
func (t Tolerance) String() string {
	if int(t) < len(tolerances) {
		return tolerances[t]
	}
	return fmt.Sprintf("Tolerance(%d)", uint8(t))
}

// ParseTolerance is the inverse of String; "" is Safe.
func ParseTolerance(s string) (Tolerance, error) {
	if i := slices.Index(tolerances[:], cmp.Or(s, "safe")); i >= 0 {
		return Tolerance(i), nil
	}
	return Safe, fmt.Errorf("tolerance %q is not one of strict, safe, greedy", s)
}

// MarshalText returns String. A value that has no name is an error.
func (t Tolerance) MarshalText() ([]byte, error) {
	_, err := ParseTolerance(t.String())
	return []byte(t.String()), err
}

// UnmarshalText is ParseTolerance.
func (t *Tolerance) UnmarshalText(text []byte) (err error) {
	*t, err = ParseTolerance(string(text))
	return err
}

// Allows reports whether a reader at level t applies a repair of level r.
func (t Tolerance) Allows(r Tolerance) bool {
	return t == Greedy || t == Safe && r == Safe
}

// A Repair is one named tolerance for damaged input.
type Repair struct {
	Name string
	// Level is Safe or Greedy: the lowest level that applies it.
	Level Tolerance
	// Doc says in one sentence what is repaired.
	Doc string
	// Bare is set if the repair reads requests without marks, in text that Neutralize does not
	// change. So foreign text may contain such a request. If a model copies one, the engine asks a
	// person before that request runs.
	Bare bool
}

// The repairs that the parser may apply when a request has no end. It applies one only if
// Protocol.Repairs lists it; otherwise the request is invalid.
const (
	// RepairMissingBlockEnd ends a request whose end mark is missing.
	RepairMissingBlockEnd = "missing_block_end"
	// RepairUnclosedValue closes the last value of a request at an EvidencePossibleEnd in it.
	RepairUnclosedValue = "unclosed_value"
)
