package builtin

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/width"

	"github.com/vcpgo/vcp/internal/message"
	"github.com/vcpgo/vcp/internal/timezone"
	"github.com/vcpgo/vcp/tool"
)

type nowInput struct {
	TimeZone string `json:"timeZone,omitempty" jsonschema:"the time zone to tell the time in: a name such as Europe/Berlin, Asia/Tokyo or UTC, or an offset such as +02:00; if omitted, the zone of this machine"`
}

// nowDetails are the details of a result of clock_now and clock_convert, for programs.
type nowDetails struct {
	Time     time.Time `json:"time"`
	TimeZone string    `json:"timeZone"`
	Unix     int64     `json:"unix"`
}

// Clock returns a tool for the date and time.
func Clock() (tool.Tool, error) {
	return newTool("clock", "Clock", "Time and date.", nowMethod, convertMethod, betweenMethod)
}

func nowMethod() (tool.Method, error) {
	return tool.New("now",
		"Tells what time it is now, and today's date and day of the week, here or in another time zone. "+
			"Use it for every question about the current time, date, day, month or year.",
		now, tool.AgentCallable(), tool.WithRisk(tool.RiskRead), tool.Idempotent(), tool.Title("Current time"),
		tool.Example(map[string]any{"timeZone": "Europe/Berlin"}))
}

func now(ctx context.Context, in nowInput) (tool.Output, error) {
	zone, err := location(ctx, in.TimeZone)
	if err != nil {
		return tool.Output{}, err
	}
	return timeOutput(ctx, "", time.Now().In(zone)), nil
}

// timeOutput returns a result that tells a time, after the given beginning.
func timeOutput(ctx context.Context, beginning string, t time.Time) tool.Output {
	return tool.Output{
		Text:    beginning + formatted(printer(ctx), t, timeLayout) + "\n" + t.Format(time.RFC3339),
		Details: nowDetails{Time: t, TimeZone: t.Location().String(), Unix: t.Unix()},
	}
}

// The layouts of times and dates in results.
const (
	timeLayout = "Monday, 2 January 2006, 15:04:05 MST (UTC-07:00)"
	dateLayout = "Monday, 2 January 2006"
)

// formatted returns a time in a layout, with the day of the week in the language of the result.
func formatted(p message.Printer, t time.Time, layout string) string {
	weekday := t.Weekday().String()
	return strings.Replace(t.Format(p.Say(layout)), weekday, p.Say(weekday), 1)
}

type convertInput struct {
	Time string `json:"time" jsonschema:"the time to convert, such as 2026-03-01 15:00; a time without a date is a time of today"`
	From string `json:"from,omitempty" jsonschema:"the time zone of that time, such as Europe/Lisbon or +02:00; if omitted, the zone of this machine"`
	To   string `json:"to" jsonschema:"the time zone to convert to, such as Asia/Tokyo"`
}

func convertMethod() (tool.Method, error) {
	return tool.New("convert",
		"Converts a given time from one time zone to another, such as 15:00 from Europe/Lisbon to Asia/Tokyo.",
		convertTime, tool.AgentCallable(), tool.WithRisk(tool.RiskRead), tool.Idempotent(),
		tool.Title("Convert a time"),
		tool.Example(map[string]any{"time": "2026-03-01 15:00", "from": "Europe/Lisbon", "to": "Asia/Tokyo"}))
}

func convertTime(ctx context.Context, in convertInput) (tool.Output, error) {
	from, fromErr := location(ctx, in.From)
	to, toErr := location(ctx, in.To)
	// time.UTC replaces a zone that cannot be found, so that the error names all wrong arguments.
	given, timeErr := readTime(in.Time, cmp.Or(from, time.UTC))
	if err := joinErrors(timeErr, fromErr, toErr); err != nil {
		return tool.Output{}, err
	}
	p := printer(ctx)
	return timeOutput(ctx, p.Say("%s is", formatted(p, given, timeLayout))+"\n", given.In(to)), nil
}

type daysInput struct {
	From string `json:"from,omitempty" jsonschema:"the first date, such as 2026-03-01; if omitted, today; without a year, the last such date up to today"`
	To   string `json:"to,omitempty" jsonschema:"the second date, such as 2026-12-24; if omitted, today; without a year, the next such date from today on"`
}

// daysDetails are the details of a result of clock_between, for programs.
type daysDetails struct {
	From string `json:"from"`
	To   string `json:"to"`
	Days int    `json:"days"` // negative if To is before From
}

func betweenMethod() (tool.Method, error) {
	return tool.New("between",
		"Tells how far apart two dates are: how long until 24 December, how long since 1 March.",
		countDays, tool.AgentCallable(), tool.WithRisk(tool.RiskRead), tool.Idempotent(), tool.Title("Between dates"),
		tool.Example(map[string]any{"from": "2026-03-01", "to": "2026-12-24"}))
}

func countDays(ctx context.Context, in daysInput) (tool.Output, error) {
	if err := ctx.Err(); err != nil {
		return tool.Output{}, err
	}
	from, fromErr := readDate(in.From, -1)
	to, toErr := readDate(in.To, 1)
	if err := joinErrors(fromErr, toErr); err != nil {
		return tool.Output{}, err
	}
	days := int((to.Unix() - from.Unix()) / (24 * 60 * 60))
	p := printer(ctx)
	text := p.Say("From %s to %s: %s", formatted(p, from, dateLayout), formatted(p, to, dateLayout),
		plural(days, "%d day"))
	if weeks := days / 7; weeks > 0 {
		text += p.Say(" (%s and %s)", plural(weeks, "%d week"), plural(days%7, "%d day"))
	} else if days < 0 {
		text += p.Say(" (the second date is earlier)")
	}
	details := daysDetails{from.Format(time.DateOnly), to.Format(time.DateOnly), days}
	return tool.Output{Text: text + p.Say("."), Details: details}, nil
}

// relativeDays maps words for a day to its distance from today, in days.
var relativeDays = map[string]int{
	"": 0, "now": 0, "today": 0, "tomorrow": 1, "yesterday": -1, "今天": 0, "明天": 1, "昨天": -1,
}

// readDate returns midnight of a date in UTC, where each day has 24 hours. If the date has no year,
// direction 1 means the next such date, and -1 the last one. Either may be today.
func readDate(text string, direction int) (time.Time, error) {
	now := time.Now()
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	text = strings.TrimSpace(width.Fold.String(text))
	if days, ok := relativeDays[strings.ToLower(text)]; ok {
		return today.AddDate(0, 0, days), nil
	}
	for _, layout := range []string{"2 January", "2 Jan", "January 2", "Jan 2", "1月2日"} {
		date, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		for year := today.Year(); ; year += direction { // 29 February is not in every year
			t := time.Date(year, date.Month(), date.Day(), 0, 0, 0, 0, time.UTC)
			// t is today, or later in the given direction.
			if t.Day() == date.Day() && t.Compare(today) != -direction {
				return t, nil
			}
		}
	}
	t, err := readTime(text, time.UTC)
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC), err
}

// timeLayouts are the forms of a date, with or without a time. clockLayouts are the forms of a time
// without a date.
var (
	timeLayouts = []string{
		time.RFC3339, "2006-01-02T15:04", "2006-01-02T15:04:05", time.DateTime, "2006-01-02 15:04", time.DateOnly,
		"2006/1/2 15:04", "2006/1/2", "2.1.2006 15:04", "2.1.2006", "2 January 2006 15:04", "2 January 2006", "2 Jan 2006",
		"January 2, 2006 15:04", "January 2, 2006", "Jan 2, 2006", "2006年1月2日", "2006年1月2日 15:04",
	}
	clockLayouts = []string{"15:04", "15:04:05", "3:04 PM", "3:04PM", "3 PM", "3PM"}
)

// readTime reads a time. It is in the given zone, unless the text has an offset. A time without a
// date is a time of today in that zone.
func readTime(text string, zone *time.Location) (time.Time, error) {
	text = strings.TrimSpace(width.Fold.String(text))
	if strings.EqualFold(text, "now") {
		return time.Now().In(zone), nil
	}
	if len(text) <= maxZone {
		for _, layout := range timeLayouts {
			if t, err := time.ParseInLocation(layout, text, zone); err == nil {
				return t, nil
			}
		}
		for _, layout := range clockLayouts {
			if t, err := time.Parse(layout, strings.ToUpper(text)); err == nil {
				year, month, day := time.Now().In(zone).Date()
				return time.Date(year, month, day, t.Hour(), t.Minute(), t.Second(), 0, zone), nil
			}
		}
	}
	return time.Time{}, errorf("%q is not a time or date that can be read; write it as 2026-03-01 15:00, 2026-03-01 or 15:00", shorten(text, maxEcho))
}

// maxZone limits the text of a time zone or a time, in bytes. The names of real zones are less than
// half as long.
const maxZone = 80

// location finds a time zone by its name or its offset.
func location(ctx context.Context, name string) (*time.Location, error) {
	if name = strings.TrimSpace(name); len(name) > maxZone {
		return nil, errorf("a name of %d bytes is not a time zone; %v", len(name), zoneHint)
	}
	switch strings.ToLower(name) {
	case "", "local":
		return time.Local, nil
	case "z", "utc", "gmt":
		return time.UTC, nil
	}
	if zone, ok := offsetZone(name); ok {
		return zone, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if zone, err := time.LoadLocation(strings.ReplaceAll(name, " ", "_")); err == nil {
		return zone, nil
	}
	near, err := timezone.Nearest(ctx, withoutWordTime(name))
	if err != nil {
		return nil, err
	}
	if near != "" {
		return nil, errorf("%q is not a time zone; did you mean %s?", name, near)
	}
	return nil, errorf("%q is not a time zone; %v", name, zoneHint)
}

// zoneHint says how to write a time zone.
var zoneHint = sentence("write a name of the form Area/City, such as Europe/Berlin, Asia/Tokyo or America/New_York, " +
	"or UTC, or an offset such as +02:00")

// withoutWordTime removes the word for time from a name such as "Lisbon time" or "北京时间".
func withoutWordTime(name string) string {
	const word = " time"
	if at := len(name) - len(word); at > 0 && strings.EqualFold(name[at:], word) {
		return name[:at]
	}
	return strings.TrimSuffix(name, "时间")
}

// offset matches an offset: its sign, hours and minutes. Minutes without a colon need hours of two
// digits.
var offset = regexp.MustCompile(`^(?i:UTC|GMT)?([+−-])(?:([0-9]{1,2})(?::([0-9]{2}))?|([0-9]{2})([0-9]{2}))$`)

// offsetZone reads an offset such as +2, +02:00, UTC+2 or GMT-0530.
func offsetZone(text string) (*time.Location, bool) {
	found := offset.FindStringSubmatch(text)
	if found == nil {
		return nil, false
	}
	hours, _ := strconv.Atoi(found[2] + found[4]) // digits or nothing, and nothing is 0
	minutes, _ := strconv.Atoi(found[3] + found[5])
	if hours > 14 || // no zone is farther from UTC
		minutes > 59 {
		return nil, false
	}
	sign, seconds := "+", (hours*60+minutes)*60
	if found[1] != "+" {
		sign, seconds = "-", -seconds
	}
	return time.FixedZone(fmt.Sprintf("UTC%s%02d:%02d", sign, hours, minutes), seconds), true
}
