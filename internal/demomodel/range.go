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
			for i, group := range [...]int{r.first, r.last} {
				if s := (span{at[2*group], at[2*group+1]}); group > 0 && !stopWords[unit] {
					k := [...]kind{kindFirst, kindLast}[i]
					found = append(found, value{span: s, kind: k, text: text[s.start:s.end], unit: unit})
				}
			}
		}
	}
	return found
}
