package parser

import (
	"fmt"
	"slices"

	"github.com/vcpgo/vcp/protocol/scan"
)

// repairSet are the repairs of a protocol. Sets of them are bits: bit i is list[i].
type repairSet struct {
	list     []scan.Repair
	disabled uint64 // those switched off by name
	allowed  uint64 // those that are applied
}

// reset makes s the set of a protocol. A repair to disable that the protocol does not have is an
// error.
func (s *repairSet) reset(list []scan.Repair, o *Options) error {
	*s = repairSet{list: list}
	for _, name := range o.Disabled {
		i := s.index(name)
		if i < 0 {
			names := make([]string, len(list))
			for k := range list {
				names[k] = list[k].Name
			}
			return fmt.Errorf("parser: repair %q is not one of %v", name, names)
		}
		s.disabled |= 1 << i
	}
	for i := range list {
		if o.Tolerance.Allows(list[i].Level) {
			s.allowed |= 1 << i
		}
	}
	s.allowed &^= s.disabled
	return nil
}

// index returns the index of the repair of that name, or -1 if the protocol has no such repair.
func (s *repairSet) index(name string) int {
	return slices.IndexFunc(s.list, func(r scan.Repair) bool { return r.Name == name })
}

// allows reports whether the repair of that name is applied.
func (s *repairSet) allows(name string) bool {
	i := s.index(name)
	return i >= 0 && s.allowed&(1<<i) != 0
}

// refused returns those of the repairs in bits that are not applied.
func (s *repairSet) refused(bits uint64) uint64 { return bits &^ s.allowed }
