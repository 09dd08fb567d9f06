package builtin_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestClockTellsTheTimeInZones(t *testing.T) {
	k := newToolkit(t)
	synctest.Test(t, func(t *testing.T) { // its clock starts at midnight UTC on 1 January 2000
		time.Sleep(3*time.Hour + 4*time.Minute + 5*time.Second)
		for _, test := range []struct{ name, zone, want string }{
			{"UTC", "utc", "Saturday, 1 January 2000, 03:04:05 UTC (UTC+00:00)\n2000-01-01T03:04:05Z"},
			{"a named zone", "Europe/Berlin", "Saturday, 1 January 2000, 04:04:05 CET (UTC+01:00)\n2000-01-01T04:04:05+01:00"},
			{
				"a named zone with a blank",
				" America/New York ", "Friday, 31 December 1999, 22:04:05 EST (UTC-05:00)\n1999-12-31T22:04:05-05:00",
			},
			{"an offset", "+05:30", "Saturday, 1 January 2000, 08:34:05 UTC+05:30 (UTC+05:30)\n2000-01-01T08:34:05+05:30"},
			{
				"an offset after UTC",
				"UTC-3", "Saturday, 1 January 2000, 00:04:05 UTC-03:00 (UTC-03:00)\n2000-01-01T00:04:05-03:00",
			},
			{
				"an offset without a colon",
				"GMT+0930", "Saturday, 1 January 2000, 12:34:05 UTC+09:30 (UTC+09:30)\n2000-01-01T12:34:05+09:30",
			},
		} {
			got, err := k.call(t, "clock_now", args{"timeZone": test.zone})
			require.NoError(t, err, test.name)
			assert.Equal(t, test.want, got.Text, test.name)
		}
		here, err := k.call(t, "clock_now", nil)
		require.NoError(t, err)
		assert.Contains(t, here.Text, time.Now().Format(time.RFC3339))

		for _, zone := range []string{"Nowhere/City", "../../etc/passwd", "/etc/passwd", "+99:00", "+02:7", "UTC+", "+", "\x00"} {
			_, err := k.call(t, "clock_now", args{"timeZone": zone})
			assert.ErrorContains(t, err, "is not a time zone", zone)
		}
	})
}

func TestClockSuggestsZones(t *testing.T) {
	for zone, want := range map[string]string{
		"Lisbon": "Europe/Lisbon", "new york": "America/New_York", "San Francisco": "America/Los_Angeles",
		"America/Lisbon": "Europe/Lisbon", "Lisbon, Portugal": "Europe/Lisbon", "Europe/Lisbonn": "Europe/Lisbon",
		"Beijing": "Asia/Shanghai", "北京": "Asia/Shanghai", "PST": "America/Los_Angeles",
		"Lisbon time": "Europe/Lisbon", "Tokyo Time": "Asia/Tokyo", "北京时间": "Asia/Shanghai",
		"Buenos Aires": "America/Buenos_Aires", "Singapoor": "Asia/Singapore",
	} {
		_, err := newToolkit(t).call(t, "clock_now", args{"timeZone": zone})
		assert.EqualError(t, err, `"`+zone+`" is not a time zone; did you mean `+want+"?")
	}
}

func TestClockConverts(t *testing.T) {
	k := newToolkit(t)
	synctest.Test(t, func(t *testing.T) { // its clock starts at midnight UTC on 1 January 2000
		for _, test := range []struct{ name, time, from, to, want string }{
			{
				"full-width digits", "２０２６－０７－０１　１５：００", "Europe/Lisbon", "Asia/Tokyo",
				"Wednesday, 1 July 2026, 15:00:00 WEST (UTC+01:00) is\nWednesday, 1 July 2026, 23:00:00 JST (UTC+09:00)\n2026-07-01T23:00:00+09:00",
			},
			{
				"a time with a date", "2026-07-01 15:00", "Europe/Lisbon", "Asia/Tokyo",
				"Wednesday, 1 July 2026, 15:00:00 WEST (UTC+01:00) is\nWednesday, 1 July 2026, 23:00:00 JST (UTC+09:00)\n2026-07-01T23:00:00+09:00",
			},
			{
				"a time of today", "11:30 pm", "UTC", "+02:00",
				"Saturday, 1 January 2000, 23:30:00 UTC (UTC+00:00) is\n" +
					"Sunday, 2 January 2000, 01:30:00 UTC+02:00 (UTC+02:00)\n2000-01-02T01:30:00+02:00",
			},
			{"a time that names its zone", "2026-01-01T00:00:00Z", "Asia/Tokyo", "America/New_York", "2025-12-31T19:00:00-05:00"},
			{"now", "now", "UTC", "UTC", "2000-01-01T00:00:00Z"},
		} {
			got, err := k.call(t, "clock_convert", args{"time": test.time, "from": test.from, "to": test.to})
			require.NoError(t, err, test.name)
			assert.Contains(t, got.Text, test.want, test.name)
		}
	})
	_, err := k.call(t, "clock_convert", args{"time": "noonish", "to": "UTC"})
	require.EqualError(t, err, `"noonish" is not a time or date that can be read; write it as 2026-03-01 15:00, 2026-03-01 or 15:00`)
	_, err = k.call(t, "clock_convert", args{"time": "12:00", "to": "Lisbon"})
	require.ErrorContains(t, err, "did you mean Europe/Lisbon?")
	_, err = k.call(t, "clock_convert", args{"time": "noonish", "from": "Berlin", "to": "Lisbon"})
	require.ErrorContains(t, err, `"noonish" is not a time or date`)
	require.ErrorContains(t, err, "did you mean Europe/Berlin?")
	require.ErrorContains(t, err, "did you mean Europe/Lisbon?")
}

func TestClockCountsDays(t *testing.T) {
	k := newToolkit(t)
	synctest.Test(t, func(t *testing.T) { // its clock starts at midnight UTC on 1 January 2000
		for _, test := range []struct{ name, from, to, want string }{
			{
				"a change to daylight saving time between the dates", "2026-03-01", "2026-12-24",
				"From Sunday, 1 March 2026 to Thursday, 24 December 2026: 298 days (42 weeks and 4 days).",
			},
			{"a leap day", "2024-02-28", "2024-03-01", "From Wednesday, 28 February 2024 to Friday, 1 March 2024: 2 days."},
			{
				"the same day",
				"2024-02-28", "28 February 2024", "From Wednesday, 28 February 2024 to Wednesday, 28 February 2024: 0 days.",
			},
			{
				"backward", "2024-03-01", "2024-02-28",
				"From Friday, 1 March 2024 to Wednesday, 28 February 2024: -2 days (the second date is earlier).",
			},
			{
				"the next date without a year", "today", "24 December",
				"From Saturday, 1 January 2000 to Sunday, 24 December 2000: 358 days (51 weeks and 1 day).",
			},
			{
				"the last date without a year",
				"march 1", "", "From Monday, 1 March 1999 to Saturday, 1 January 2000: 306 days (43 weeks and 5 days).",
			},
			{
				"dates without a year that are today",
				"1 Jan", "1月1日", "From Saturday, 1 January 2000 to Saturday, 1 January 2000: 0 days.",
			},
			{
				"29 February without a year",
				"29 February", "12月24日", "From Thursday, 29 February 1996 to Sunday, 24 December 2000: 1760 days",
			},
			{"words for days", "Yesterday", "明天", "From Friday, 31 December 1999 to Sunday, 2 January 2000: 2 days."},
			{"the first and the last date", "0001-01-01", "9999-12-31", "3652058 days (521722 weeks and 4 days)."},
		} {
			got, err := k.call(t, "clock_between", args{"from": test.from, "to": test.to})
			require.NoError(t, err, test.name)
			assert.Contains(t, got.Text, test.want, test.name)
		}
		got, err := k.call(t, "clock_between", args{"to": "2000-01-31"})
		require.NoError(t, err)
		assert.Contains(t, got.Text, ": 30 days", "from today")
		_, err = k.call(t, "clock_between", args{"to": "03/04/2026"})
		require.ErrorContains(t, err, "write it as 2026-03-01")
		_, err = k.call(t, "clock_between", args{"from": "Easter", "to": "Whitsun"})
		require.ErrorContains(t, err, `"Easter" is not`)
		assert.ErrorContains(t, err, `"Whitsun" is not`)
	})
}
