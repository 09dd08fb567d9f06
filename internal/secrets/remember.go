package secrets

import "slices"

const (
	// maxFormer limits how many values Remember returns.
	maxFormer = 1000
	// maxFormerBytes limits the total length of the values that Remember returns, in bytes.
	maxFormerBytes = 32 << 10
)

// Remember returns the secrets that are no longer configured: those in former, which were removed
// earlier, and those in gone, which were removed now. The list contains each value once, the newest
// at the end. Beginning with the newest, Remember keeps the values that fit into its limits. It
// drops values of fewer than 8 bytes, which a Filter ignores.
func Remember(former, gone []string) []string {
	all := slices.Concat(former, gone)
	slices.Reverse(all)
	var kept []string
	seen, bytes := map[string]bool{}, 0
	for _, value := range all {
		if len(value) < minKnown || seen[value] || len(kept) == maxFormer || bytes+len(value) > maxFormerBytes {
			continue
		}
		kept, bytes, seen[value] = append(kept, value), bytes+len(value), true
	}
	slices.Reverse(kept)
	return kept
}
