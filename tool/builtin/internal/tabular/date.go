package tabular

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// layouts are the forms of dates that can be read in one way only. A date such as 03/04/2026 is not
// read: it means April in one country and March in another.
var layouts = []string{
	time.RFC3339, "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-1-2", "2006-01",
	"2006/1/2", "2006/1/2 15:04:05", "2006/1/2 15:04", "2006.1.2", "2.1.2006", "2.1.2006 15:04", "2.1.2006 15:04:05",
	"2 Jan 2006", "2 January 2006", "Jan 2, 2006", "January 2, 2006", "Jan 2006", "January 2006", "2006年1月2日", "2006年1月",
}

// layoutsByShape maps the shape of a date, as appendShape writes it, to the layouts that may read
// the date.
var layoutsByShape = func() map[string][]string {
	m := map[string][]string{}
	for _, layout := range layouts {
		forms := []string{layout}
		if layout == time.RFC3339 { // it reads Z or an offset
			forms = []string{"2006-01-02T15:04:05Z", "2006-01-02T15:04:05+07:00", "2006-01-02T15:04:05-07:00"}
		}
		for _, form := range forms {
			// time.Parse also reads fractions of a second that the layout does not contain.
			for _, fraction := range []string{":05", ":05.0", ":05,0"} {
				shape := string(appendShape(nil, strings.Replace(form, ":05", fraction, 1)))
				if !slices.Contains(m[shape], layout) {
					m[shape] = append(m[shape], layout)
				}
			}
		}
	}
	return m
}()

// appendShape appends the shape of a text: "0" replaces each run of digits, "a" each run of ASCII
// letters, and one space each run of spaces.
func appendShape(shape []byte, text string) []byte {
	for i := range len(text) {
		b := text[i]
		switch {
		case b >= '0' && b <= '9':
			b = '0'
		case b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z':
			b = 'a'
		}
		if last := len(shape) - 1; last < 0 || shape[last] != b || b != '0' && b != 'a' && b != ' ' {
			shape = append(shape, b)
		}
	}
	return shape
}

// Date reads a date in a cell, with or without a time of day. It ignores the time zone and
// fractions of a second: the result is the date and time as written, in UTC.
func Date(text string) (t time.Time, ok bool) {
	text = strings.TrimSpace(text)
	if len(text) < len("2006-1") || len(text) > len("2006-01-02T15:04:05.999999999-07:00") {
		return time.Time{}, false
	}
	var shape [40]byte // text is not longer
	for _, layout := range layoutsByShape[string(appendShape(shape[:0], text))] {
		if t, err := time.Parse(layout, text); err == nil && t.Year() > 0 { // the calendar has no year 0
			return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, time.UTC), true
		}
	}
	return time.Time{}, false
}

// looksLikeSlashDate reports whether a text may be a date that could be read in two ways.
func looksLikeSlashDate(text string) bool {
	var a, b, c int
	n, err := fmt.Sscanf(text, "%d/%d/%d", &a, &b, &c)
	return err == nil && n == 3 && a <= 31 && b <= 31
}

// Period is a unit of the calendar.
type Period string

// The periods. A week begins on Monday and has its number by ISO 8601.
const (
	Day     Period = "day"
	Week    Period = "week"
	Month   Period = "month"
	Quarter Period = "quarter"
	Year    Period = "year"
)

// Start returns the first day of the period that t is in.
func (p Period) Start(t time.Time) time.Time {
	y, m, d := t.Date()
	switch p {
	case Week:
		d -= (int(t.Weekday()) + 6) % 7 // days since Monday
	case Month:
		d = 1
	case Quarter:
		m, d = m-(m-1)%3, 1 // a quarter has 3 months
	case Year:
		m, d = 1, 1
	}
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// mostDays is how many days a period has at most.
var mostDays = map[Period]int{Day: 1, Week: 7, Month: 31, Quarter: 92, Year: 366}

// Next returns the first day of the period after the one that begins at start. On the day that is
// mostDays after start, the first period has ended, and the next one has not.
func (p Period) Next(start time.Time) time.Time { return p.Start(start.AddDate(0, 0, mostDays[p])) }

// Previous returns the first day of the period before the one that begins at start.
func (p Period) Previous(start time.Time) time.Time { return p.Start(start.AddDate(0, 0, -1)) }

// Name returns the name of the period that begins at start, such as 2026-04-01, 2026-W14, 2026-04,
// 2026-Q2 or 2026.
func (p Period) Name(start time.Time) string {
	switch p {
	case Week:
		year, week := start.ISOWeek()
		return fmt.Sprintf("%04d-W%02d", year, week)
	case Month:
		return start.Format("2006-01")
	case Quarter:
		return fmt.Sprintf("%04d-Q%d", start.Year(), (start.Month()+2)/3)
	case Year:
		return start.Format("2006")
	}
	return start.Format(time.DateOnly)
}
