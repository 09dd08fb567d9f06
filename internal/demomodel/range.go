package demomodel

import "regexp"

// rangeForm matches "lines 5 to 8" and "第 5 到 8 行". beginningForm matches "first 10 lines" and
// "前 10 行".
var (
	rangeForm     = regexp.MustCompile(`(?i)\b([a-z]{4,}) (\d+)(?: ?[-–] ?| to | through )(\d+)\b|(第) ?(\d+) ?[-–到至] ?(\d+) ?行`)
	beginningForm = regexp.MustCompile(`(?i)\bfirst (\d+) ([a-z]{4,})|前 ?(\d+) ?(行)`)
)

// findRanges returns the first and last numbers of ranges, with what they count.
func findRanges(text string) (found []value) {
	addNumber := func(k kind, at []int, number, unit int) {
		x := value{span: span{at[2*number], at[2*number+1]}, kind: k}
		if x.text, x.unit = text[x.start:x.end], text[at[2*unit]:at[2*unit+1]]; hasHan(x.unit) {
			x.unit = "line"
		}
		if !stopWords[x.unit] {
			found = append(found, x)
		}
	}
	for _, at := range rangeForm.FindAllStringSubmatchIndex(text, -1) {
		i := 1
		if at[2] < 0 {
			i = 4
		}
		addNumber(kindFirst, at, i+1, i)
		addNumber(kindLast, at, i+2, i)
	}
	for _, at := range beginningForm.FindAllStringSubmatchIndex(text, -1) {
		if at[2] >= 0 {
			addNumber(kindLast, at, 1, 2)
		} else {
			addNumber(kindLast, at, 3, 4)
		}
	}
	return found
}
