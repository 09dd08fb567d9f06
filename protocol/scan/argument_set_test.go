package scan_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/protocol/scan"
)

// An argument is omitted if and only if the last argument of its name has the same value. Add
// returns false if and only if that last argument has another value.
func TestArgumentSetOmitsRepetitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var set scan.ArgumentSet
		var want []scan.Field
		last := map[string]string{}            // the last value of each name
		names := rapid.StringMatching("[a-t]") // more names than the set compares one by one
		for range rapid.IntRange(0, 60).Draw(t, "arguments") {
			a := scan.Field{Name: names.Draw(t, "name"), Value: rapid.SampledFrom([]string{"1", "2"}).Draw(t, "value")}
			value, again := last[a.Name]
			require.Equal(t, !again || value == a.Value, set.Add(a))
			if !again || value != a.Value {
				want = append(want, a)
				last[a.Name] = a.Value
			}
		}
		require.Equal(t, want, set.List)
	})
}
