package hermes

import "testing"

// If each comma examined all open brackets, this would take minutes.
func TestCommasInADeepValueTakeLinearWork(t *testing.T) {
	const size = 4 << 20 // brackets, and commas
	var v valueState
	for range size {
		v.push(false)
	}
	v.push(true)
	v.push(false)
	for range size {
		v.comma()
	}
	if v.severalMembers {
		t.Error("an object within a list counts as one with several members")
	}
}
