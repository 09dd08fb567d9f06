package cli

import "strconv"

// Count is a flag that takes a whole number of at least 1. It implements pflag.Value.
type Count int

// Set takes the number.
func (c *Count) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return NotAllowed(s, Message("a whole number from 1"))
	}
	*c = Count(n)
	return nil
}

// String returns the number, or nothing if none was given.
func (c *Count) String() string {
	if *c == 0 {
		return ""
	}
	return strconv.Itoa(int(*c))
}

// Type returns the name of the value in the help text.
func (c *Count) Type() string { return "N" }

// Maximum is a flag that takes a whole number of at least 0. The zero value limits nothing. It
// implements pflag.Value.
type Maximum struct {
	given bool
	most  int
}

// Set takes the number.
func (m *Maximum) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return NotAllowed(s, Message("a whole number from 0"))
	}
	*m = Maximum{given: true, most: n}
	return nil
}

// String returns the number, or nothing if none was given.
func (m *Maximum) String() string {
	if !m.given {
		return ""
	}
	return strconv.Itoa(m.most)
}

// Type returns the name of the value in the help text.
func (m *Maximum) Type() string { return "N" }

// Exceeded reports whether n is more than the flag allows.
func (m *Maximum) Exceeded(n int) bool { return m.given && n > m.most }
