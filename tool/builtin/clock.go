package builtin

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // for machines without time zones

	"github.com/vcpgo/vcp/tool"
)

type nowInput struct {
	TimeZone string `json:"timeZone,omitempty" jsonschema:"the time zone to tell the time in: a name such as Europe/Berlin, Asia/Tokyo or UTC, or an offset such as +02:00; left out, it is the zone of this machine"`
}

// nowDetails is the result for programs.
type nowDetails struct {
	Time     time.Time `json:"time"`
	TimeZone string    `json:"timeZone"`
	Unix     int64     `json:"unix"`
}

// Clock returns a tool for the date and time.
func Clock() (tool.Tool, error) {
	now, err := tool.New("now",
		"Tells what time it is now, and today's date and day of the week, here or in another time zone. "+
			"Use it for every question about the current time, date, day, month or year.",
		func(ctx context.Context, in nowInput) (tool.Output, error) {
			zone, err := location(ctx, in.TimeZone)
			if err != nil {
				return tool.Output{}, err
			}
			t := time.Now().In(zone)
			return tool.Output{
				Text:    t.Format("Monday, 2 January 2006, 15:04:05 MST (UTC-07:00)") + "\n" + t.Format(time.RFC3339),
				Details: nowDetails{Time: t, TimeZone: zone.String(), Unix: t.Unix()},
			}, nil
		},
		tool.AgentCallable(), tool.WithRisk(tool.RiskRead), tool.Idempotent(), tool.Title("Current time"),
		tool.Example(map[string]any{"timeZone": "Europe/Berlin"}))
	if err != nil {
		return tool.Tool{}, err
	}
	return newTool("clock", "Clock", "Time and date.", now), nil
}

// maxZone limits the name of a time zone, in bytes. Real ones have less than half as many.
const maxZone = 80

// location finds a time zone by its name or its offset.
func location(ctx context.Context, name string) (*time.Location, error) {
	if name = strings.TrimSpace(name); len(name) > maxZone {
		return nil, fmt.Errorf("a name of %d bytes is not a time zone; %s", len(name), zoneHint)
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
	for _, spelling := range []string{name, strings.ReplaceAll(name, " ", "_")} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if zone, err := time.LoadLocation(spelling); err == nil {
			return zone, nil
		}
	}
	return nil, fmt.Errorf("%q is not a time zone; %s", name, zoneHint)
}

const zoneHint = "write a name of the form Area/City, such as Europe/Berlin, Asia/Tokyo or America/New_York, or UTC, or an offset such as +02:00"

// offsetZone reads +2, +02:00, UTC+2 or GMT-0530.
func offsetZone(text string) (*time.Location, bool) {
	text = strings.ReplaceAll(strings.ToUpper(text), "−", "-")
	text = strings.TrimPrefix(strings.TrimPrefix(text, "UTC"), "GMT")
	if text == "" || text[0] != '+' && text[0] != '-' {
		return nil, false
	}
	hours, minutes, colon := strings.Cut(text[1:], ":")
	if !colon && len(hours) == 4 {
		hours, minutes = hours[:2], hours[2:]
	}
	h, err := strconv.ParseUint(hours, 10, 8)
	if err != nil || h > 14 || len(hours) > 2 {
		return nil, false
	}
	m := uint64(0)
	if minutes != "" || colon {
		if m, err = strconv.ParseUint(minutes, 10, 8); err != nil || m > 59 || len(minutes) != 2 {
			return nil, false
		}
	}
	seconds := int(h*60+m) * 60
	if text[0] == '-' {
		seconds = -seconds
	}
	return time.FixedZone(fmt.Sprintf("UTC%c%02d:%02d", text[0], h, m), seconds), true
}
