package tabular

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// cellFormat is what is kept of the format of a number: whether it is a date, and how many digits
// it has at least.
type cellFormat struct {
	date    bool // it shows a year, a month or a day
	time    bool // it shows hours, minutes or seconds
	seconds bool // it shows seconds
	elapsed bool // it shows a duration, also one of more than 24 hours
	digits  int  // the minimum number of digits, for a format such as 00000; otherwise 0
}

// builtInFormat returns the format with an ID below 164. A file uses these formats without defining
// them. ECMA-376 lists them in part 1, section 18.8.30.
func builtInFormat(id int) cellFormat {
	switch {
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id == 57, id == 58:
		return cellFormat{date: true}
	case id == 22:
		return cellFormat{date: true, time: true}
	case id == 18, id == 20, id == 32, id == 34, id == 55:
		return cellFormat{time: true}
	case id == 19, id == 21, id == 33, id == 35, id == 45, id == 47, id == 56:
		return cellFormat{time: true, seconds: true}
	case id == 46:
		return cellFormat{time: true, seconds: true, elapsed: true}
	}
	return cellFormat{}
}

// parseFormat reads a format such as yyyy-mm-dd hh:mm.
func parseFormat(code string) (f cellFormat) {
	code = strings.ToLower(code)
	// A hostile file could ask for numbers of any length.
	if strings.Trim(code, "0") == "" && len(code) > 1 && len(code) <= 32 {
		return cellFormat{digits: len(code)}
	}
	month := false
	for i := 0; i < len(code) && code[i] != ';'; i++ { // after ; is the format of negative numbers
		switch code[i] {
		case '"':
			if end := strings.IndexByte(code[i+1:], '"'); end >= 0 {
				i += end + 1
			}
		case '\\', '_', '*': // a literal character follows
			i++
		case '[':
			end := strings.IndexByte(code[i:], ']')
			if end < 0 {
				continue
			}
			switch inside := code[i+1 : i+end]; {
			case inside == "" || strings.IndexByte("hms", inside[0]) < 0: // such as [red]
			case strings.Trim(inside, inside[:1]) == "": // such as [hh]
				f.time, f.elapsed = true, true
			}
			i += end
		case 'g':
			if strings.HasPrefix(code[i:], "general") {
				i += len("general") - 1
			}
		case 'a': // the m in am/pm is no month
			for _, marker := range []string{"am/pm", "a/p"} {
				if strings.HasPrefix(code[i:], marker) {
					i += len(marker) - 1
					break
				}
			}
		case 'y', 'd':
			f.date = true
		case 'h':
			f.time = true
		case 's':
			f.time, f.seconds = true, true
		case 'm':
			month = true // or minutes, next to hours or seconds
		}
	}
	f.date = f.date || month && !f.time
	return f
}

// maxSerial is the number of the day after the last one that the format allows, 9999-12-31.
const maxSerial = 2_958_466

// number returns a number as a text: a date as 2006-01-02, with its time of day if the format shows
// it. Any other number keeps its value, with 15 significant digits, and not its format: 12.5% is
// 0.125.
func (f cellFormat) number(cell string, from1904 bool) string {
	cell = strings.TrimSpace(cell)
	n, ok := plainNumber(cell)
	switch {
	case !ok:
		return cell
	case f.time && n >= 0 && n < maxSerial, f.date && (n >= 1 || n >= 0 && from1904) && n < maxSerial:
		return f.moment(n, from1904)
	}
	if a := math.Abs(n); n != 0 && (a >= 1e21 || a < 1e-9) { // too many zeros without an exponent
		return strconv.FormatFloat(n, 'g', 15, 64)
	}
	digits := decimal(n)
	if missing := f.digits - len(digits); missing > 0 && strings.Trim(digits, "0123456789") == "" {
		return strings.Repeat("0", missing) + digits
	}
	return digits
}

// moment returns the date and time that a number of days stands for.
func (f cellFormat) moment(days float64, from1904 bool) string {
	seconds := int64(math.Round(days * 24 * 60 * 60))
	if f.elapsed {
		return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	}
	epoch := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC) // day 61 is 1900-03-01
	switch {
	case from1904:
		epoch = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days < 60: // the format counts a day 1900-02-29, which did not exist
		epoch = epoch.AddDate(0, 0, 1)
	}
	t := time.Unix(epoch.Unix()+seconds, 0).UTC()
	if !f.time {
		return t.Format(time.DateOnly)
	}
	layout := "15:04"
	if f.seconds || t.Second() != 0 {
		layout = time.TimeOnly
	}
	if f.date && (days >= 1 || from1904) { // there is no day 0
		layout = time.DateOnly + " " + layout
	}
	return t.Format(layout)
}
