package tool

// Risk is the level of the possible effects of a method's calls. It decides whether a call needs
// approval.
type Risk string

const (
	// RiskRead is a method that changes nothing.
	RiskRead Risk = "read"
	// RiskWrite is a method that changes things within limits that its application has set. It is
	// the risk of a method that declares none.
	RiskWrite Risk = "write"
	// RiskDangerous is a method whose effects are hard to undo or to limit, such as running
	// commands, spending money or writing to strangers.
	RiskDangerous Risk = "dangerous"
)

// valid reports whether r is one of the levels or "".
func (r Risk) valid() bool {
	return r == "" || r == RiskRead || r == RiskWrite || r == RiskDangerous
}
