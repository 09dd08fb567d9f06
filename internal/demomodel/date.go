package demomodel

import (
	"regexp"
	"strings"
)

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
