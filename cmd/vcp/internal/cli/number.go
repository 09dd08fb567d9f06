package cli

import "strconv"

// Number is a flag that takes a whole number. It implements pflag.Value.
type Number struct {
	dst     *int
	minimum int
}

// NewNumber returns a flag that sets *dst to a number not below minimum. If *dst is below minimum
// now, the flag has no default.
func NewNumber(dst *int, minimum int) *Number { return &Number{dst, minimum} }

// Set takes the number.
func (n *Number) Set(s string) error {
	number, err := strconv.Atoi(s)
	if err != nil || number < n.minimum {
		return NotAllowed(s, Message("a whole number from %d", n.minimum))
	}
	*n.dst = number
	return nil
}

// String returns the number, or "" if the flag has no default and was not set.
func (n *Number) String() string {
	if *n.dst < n.minimum {
		return ""
	}
	return strconv.Itoa(*n.dst)
}

// Type returns the name of the value in the help text.
func (n *Number) Type() string { return "N" }
