package chat

// CheckSteps returns how many parts of a snapshot Restore examines.
func CheckSteps(s *Snapshot) int {
	k := checker{snapshot: s}
	_ = k.check()
	return k.steps
}
