package tool

// Risk is what a call of a method may do to the world. It decides who is asked before the method runs.
type Risk string

const (
	// RiskRead is a method that changes nothing.
	RiskRead Risk = "read"
	// RiskWrite is a method that changes things within the bounds that its application has set. A method that does not say counts
	// as such: it is never taken for harmless.
	RiskWrite Risk = "write"
	// RiskDangerous is a method that can do what is not easily undone or bounded, such as running commands, spending money, writing
	// to strangers.
	RiskDangerous Risk = "dangerous"
)

// valid reports whether r is one of the levels, or says nothing.
func (r Risk) valid() bool {
	return r == "" || r == RiskRead || r == RiskWrite || r == RiskDangerous
}

// Risk returns the method's level: RiskWrite where it does not say.
func (e *Entry) Risk() Risk {
	if e.Method.Risk == "" {
		return RiskWrite
	}
	return e.Method.Risk
}
