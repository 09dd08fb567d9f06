package builtin_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestClock(t *testing.T) {
	k := newKit(t)
	synctest.Test(t, func(t *testing.T) { // its clock starts at the year 2000 in UTC
		time.Sleep(3*time.Hour + 4*time.Minute + 5*time.Second)
		for _, test := range []struct{ name, zone, want string }{
			{"UTC", "utc", "Saturday, 1 January 2000, 03:04:05 UTC (UTC+00:00)\n2000-01-01T03:04:05Z"},
			{"a named zone", "Europe/Berlin", "Saturday, 1 January 2000, 04:04:05 CET (UTC+01:00)\n2000-01-01T04:04:05+01:00"},
			{"a named zone with a blank", " America/New York ", "Friday, 31 December 1999, 22:04:05 EST (UTC-05:00)\n1999-12-31T22:04:05-05:00"},
			{"an offset", "+05:30", "Saturday, 1 January 2000, 08:34:05 UTC+05:30 (UTC+05:30)\n2000-01-01T08:34:05+05:30"},
			{"an offset after UTC", "UTC-3", "Saturday, 1 January 2000, 00:04:05 UTC-03:00 (UTC-03:00)\n2000-01-01T00:04:05-03:00"},
			{"an offset without a colon", "GMT+0930", "Saturday, 1 January 2000, 12:34:05 UTC+09:30 (UTC+09:30)\n2000-01-01T12:34:05+09:30"},
		} {
			got, err := k.call(t, "clock_now", args{"time_zone": test.zone})
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
