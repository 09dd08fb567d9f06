package text

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// FoldName returns the folded form of a name. It is the same for names that differ only in case,
// hyphens, underscores and white space.
func FoldName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// ContainsWords reports whether the name with fewer words has only words of the other name, as with
// "path" and "file_path" or "filePath". It ignores case and a plural s. A Chinese character is a
// word. A name of more than 64 characters contains no words.
func ContainsWords(a, b string) bool {
	few, many := words(a), words(b)
	if len(few) > len(many) {
		few, many = many, few
	}
	for _, word := range few {
		if !slices.Contains(many, word) {
			return false
		}
	}
	return len(few) > 0
}

// SharedWords returns how many different words two names share, as ContainsWords compares them.
func SharedWords(a, b string) (n int) {
	others := words(b)
	for _, word := range words(a) {
		if slices.Contains(others, word) {
			n++
		}
	}
	return n
}

// words returns the different words of a name, in lower case and without a plural s.
func words(name string) (list []string) {
	// The first condition avoids counting the characters of a long name again for each other name.
	if len(name) > maxCompared*utf8.UTFMax || utf8.RuneCountInString(name) > maxCompared {
		return nil
	}
	start, previous := 0, ' '
	add := func(end int) {
		if word := strings.ToLower(name[start:end]); word != "" {
			list = append(list, cmp.Or(strings.TrimSuffix(word, "s"), word)) // the word "s" stays
		}
	}
	name = strings.ToValidUTF8(name, " ")
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			add(i)
			start = i + utf8.RuneLen(r)
		case unicode.Is(unicode.Han, r), unicode.Is(unicode.Han, previous), unicode.IsUpper(r) && unicode.IsLower(previous):
			add(i)
			start = i
		}
		previous = r
	}
	add(len(name))
	slices.Sort(list)
	return slices.Compact(list)
}

const (
	maxNearest  = 3  // names that Nearest returns; more would not help to choose
	maxCompared = 64 // characters of a name; the work grows with the square of the length
)

// Comparable reports whether Nearest and ContainsWords can compare a name with others: it has a
// letter or digit, and at most 64 characters.
func Comparable(name string) bool {
	return len(words(name)) > 0
}

// Nearest returns the names that come closest to name, at most three, the closest first. A name is
// close if, once folded, at most a third of its characters are mistyped. A name with more than 64
// characters once folded is close to no other.
func Nearest(name string, names []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	want := []rune(FoldName(name))
	if len(want) == 0 || len(want) > maxCompared {
		return nil
	}
	var found []candidate
	for _, n := range names {
		have := []rune(FoldName(n))
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

// distance counts the characters to insert, delete or replace, and the neighbors to swap, that turn
// a into b. The work grows with the product of their lengths.
func distance(a, b []rune) int {
	// Rows of the table of distances: two above, the one above, and the one that is being computed.
	above2, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(row[j]+1, above[j+1]+1, above[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], above2[j-1]+1)
			}
		}
		above2, above, row = above, row, above2
	}
	return above[len(b)]
}
