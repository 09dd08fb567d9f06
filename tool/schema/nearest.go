package schema

import (
	"cmp"
	"slices"
)

// maxNearest bounds the names that Nearest returns: more would not help anyone choose.
const maxNearest = 3

// maxCompared bounds the runes of names that are compared: the work grows with the square, and hardly a name is that long.
const maxCompared = 64

// Nearest returns the names that come closest to name, at most three, the closest first: those that differ in case, hyphens and
// underscores only, then those within a few typing slips. Names that merely share a letter are not among them.
func Nearest(name string, names []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	want := []rune(fold(name))
	if len(want) == 0 || len(want) > maxCompared {
		return nil
	}
	var found []candidate
	for _, n := range names {
		have := []rune(fold(n))
		limit := max(len(want), len(have)) / 3
		if len(have) > maxCompared || len(want)-len(have) > limit || len(have)-len(want) > limit {
			continue
		}
		if d := distance(want, have); d <= limit {
			found = append(found, candidate{n, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	var nearest []string
	for _, c := range found[:min(len(found), maxNearest)] {
		nearest = append(nearest, c.name)
	}
	return nearest
}

// distance counts the insertions, deletions, replacements and swaps of neighbours that turn a into b.
func distance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(row[j]+1, last[j+1]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
