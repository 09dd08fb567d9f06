package demomodel

import (
	"regexp"
	"strings"
)

// A kind is the kind of value that a parameter takes, or that a piece of a question is.
type kind uint8

const (
	kindText kind = iota // of a parameter that takes any text
	kindOption
	kindSwitch
	kindList
	kindObject // no value in a question has this kind
	kindNumber
	kindArithmetic
	kindPath
	kindGlob
	kindDate
	kindZone
	kindQuoted
	kindName   // capitalized words
	kindCode   // an identifier, a URL or an address
	kindWord   // any other word
	kindFormat // the file extension of a language or format
	kindFirst  // a number that begins a range, as in "lines 5 to 8"
	kindLast   // a number that ends a range
)

// A value is a piece of a question that may become an argument.
type value struct {
	span
	kind kind
	text string // as an argument, which may differ from the question
	unit string // what a range counts, such as "lines"
}

// solid are the kinds of values that must not be split.
var solid = map[kind]bool{kindQuoted: true, kindGlob: true, kindPath: true, kindDate: true}

// isDistinct reports whether a value has a form that seldom occurs in a question without a purpose.
func (x value) isDistinct() bool { return solid[x.kind] || x.kind == kindArithmetic }

const (
	month = `(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|` +
		`Sep(?:tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)`
	day  = `\d{1,2}(?:st|nd|rd|th)?`
	year = `\b(?:,? \d{4}\b)?`
)

// dateForm matches 2026-12-24, 24 December 2026, December 24 and 2026年12月24日.
var dateForm = regexp.MustCompile(`(?i)\b\d{4}-\d{2}-\d{2}\b|\b` + day + ` ` + month + year + `|\b` + month + ` ` + day + year +
	`|(?:\d{4} ?年 ?)?\d{1,2} ?月 ?\d{1,2} ?日`)

// findDates returns the dates in a text. It removes the blanks from Chinese dates.
func findDates(text string) (found []value) {
	for _, at := range dateForm.FindAllStringIndex(text, -1) {
		date := text[at[0]:at[1]]
		if hasHan(date) {
			date = strings.ReplaceAll(date, " ", "")
		}
		found = append(found, value{span: span{at[0], at[1]}, kind: kindDate, text: date})
	}
	return found
}

// rangeForms match ranges. unit, first and last are groups of form: the things that the range
// counts, and its first and last number. If first is 0, the form has no first number.
var rangeForms = []struct {
	form              *regexp.Regexp
	unit, first, last int
}{
	{regexp.MustCompile(`(?i)\b([a-z]{4,}) (\d+)(?: ?[-–] ?| to | through )(\d+)\b`), 1, 2, 3}, // lines 5 to 8
	{regexp.MustCompile(`(?i)\bfirst (\d+) ([a-z]{4,})`), 2, 0, 1},                             // first 10 lines
	{regexp.MustCompile(`第 ?(\d+) ?[-–到至] ?(\d+) ?(行)`), 3, 1, 2},
	{regexp.MustCompile(`前 ?(\d+) ?(行)`), 2, 0, 1},
}

var calculatingVerbs = stemSet("calculate compute evaluate solve") // they precede a difference such as 17-5

// findRanges returns the first and last numbers of ranges, with what they count.
func findRanges(text string) (found []value) {
	for _, r := range rangeForms {
		for _, at := range r.form.FindAllStringSubmatchIndex(text, -1) {
			unit := text[at[2*r.unit]:at[2*r.unit+1]]
			if hasHan(unit) {
				unit = "line"
			}
			if stopWords[strings.ToLower(unit)] || calculatingVerbs[stem(unit)] {
				continue
			}
			for i, group := range [...]int{r.first, r.last} {
				if s := (span{at[2*group], at[2*group+1]}); group > 0 {
					k := [...]kind{kindFirst, kindLast}[i]
					found = append(found, value{span: s, kind: k, text: text[s.start:s.end], unit: unit})
				}
			}
		}
	}
	return found
}
