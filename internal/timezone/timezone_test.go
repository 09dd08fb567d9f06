package timezone_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/internal/timezone"
)

func TestNearestFindsCitiesAndMisspelledNames(t *testing.T) {
	for _, test := range []struct{ name, text, city, nearest string }{
		{"a city", "new york", "America/New_York", "America/New_York"},
		{"a city with its country", "Lisbon, Portugal", "Europe/Lisbon", "Europe/Lisbon"},
		{"a city in a wrong area", "America/Lisbon", "Europe/Lisbon", "Europe/Lisbon"},
		{"a city for which no zone is named", "San Francisco", "America/Los_Angeles", "America/Los_Angeles"},
		{"a Chinese name of a city outside of China", "洛杉矶", "America/Los_Angeles", "America/Los_Angeles"},
		{"a Chinese name", "北京", "Asia/Shanghai", "Asia/Shanghai"},
		{"an abbreviation", "PST", "America/Los_Angeles", "America/Los_Angeles"},
		{"a misspelled city", "Singapoor", "", "Asia/Singapore"},
		{"an unknown city", "Nowhere", "", ""},
		{"a path", "../../etc/passwd", "", ""},
		{"a hidden file", ".profile", "", ""},
		{"an empty name", "", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			city, err := timezone.OfCity(t.Context(), test.text)
			require.NoError(t, err)
			require.Equal(t, test.city, city)
			nearest, err := timezone.Nearest(t.Context(), test.text)
			require.NoError(t, err)
			require.Equal(t, test.nearest, nearest)
		})
	}
}

func TestNearestEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := timezone.Nearest(ctx, "Lisbon")
	require.ErrorIs(t, err, context.Canceled)
}

func TestAliasesAreFoldedAndLeadToZones(t *testing.T) {
	for alias, zone := range timezone.Aliases {
		require.Equal(t, text.FoldName(alias), alias)
		_, err := time.LoadLocation(zone)
		require.NoError(t, err, alias)
	}
}
