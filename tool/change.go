package tool

import "sync/atomic"

// Change is a change of a method's definition. It is open until a person approves a call of the
// method. Its methods are safe for concurrent use. A nil *Change means no change.
type Change struct {
	reason   string
	accept   func()
	accepted atomic.Bool
}

// NewChange returns a change. reason says for people what changed; it may contain foreign text.
// accept is called at most once, when a person approves a call of the changed method. It must not
// block, and it may be nil.
func NewChange(reason string, accept func()) *Change { return &Change{reason: reason, accept: accept} }

// Open reports whether a person still has to approve a call of the changed method.
func (c *Change) Open() bool { return c != nil && !c.accepted.Load() }

// Reason returns a text for people that says what changed. It returns "" if the change is not open.
func (c *Change) Reason() string {
	if !c.Open() {
		return ""
	}
	return c.reason
}

// Accept closes the change. The executor calls it when a person approves a call of the method.
func (c *Change) Accept() {
	if c != nil && !c.accepted.Swap(true) && c.accept != nil {
		c.accept()
	}
}
