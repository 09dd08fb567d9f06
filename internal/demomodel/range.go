package demomodel

import "regexp"

// rangeForms match ranges. Each form has the numbers of its groups: for what the range counts, for
// its first number (0 if it has none), and for its last number.
var rangeForms = []struct {
	form              *regexp.Regexp
	unit, first, last int
}{
	{regexp.MustCompile(`(?i)\b([a-z]{4,}) (\d+)(?: ?[-–] ?| to | through )(\d+)\b`), 1, 2, 3}, // lines 5 to 8
	{regexp.MustCompile(`(?i)\bfirst (\d+) ([a-z]{4,})`), 2, 0, 1},                             // first 10 lines
	{regexp.MustCompile(`第 ?(\d+) ?[-–到至] ?(\d+) ?(行)`), 3, 1, 2},
	{regexp.MustCompile(`前 ?(\d+) ?(行)`), 2, 0, 1},
}

// findRanges returns the first and last numbers of ranges, with what they count.
func findRanges(text string) (found []value) {
	for _, r := range rangeForms {
		for _, at := range r.form.FindAllStringSubmatchIndex(text, -1) {
			unit := text[at[2*r.unit]:at[2*r.unit+1]]
			if hasHan(unit) {
				unit = "line"
			}
			ends := []value{{kind: kindFirst, span: span{at[2*r.first], at[2*r.first+1]}}, {kind: kindLast, span: span{at[2*r.last], at[2*r.last+1]}}}
			if r.first == 0 {
				ends = ends[1:]
			}
			for _, x := range ends {
				if x.text, x.unit = text[x.start:x.end], unit; !stopWords[unit] {
					found = append(found, x)
				}
			}
		}
	}
	return found
}
