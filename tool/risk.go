package tool

// Risk says how harmful the calls of a method can be. A policy decides by it which calls need
// approval.
type Risk string

const (
	// RiskRead is the risk of a method that changes nothing.
	RiskRead Risk = "read"
	// RiskWrite is the risk of a method that changes things within limits that its application has
	// set. It is the risk of a method that declares none.
	RiskWrite Risk = "write"
	// RiskDangerous is the risk of a method whose effects are hard to undo or to limit. Examples
	// are running commands, spending money and writing to strangers.
	RiskDangerous Risk = "dangerous"
)

// valid reports whether r is one of the constants or "".
func (r Risk) valid() bool {
	return r == "" || r == RiskRead || r == RiskWrite || r == RiskDangerous
}
