package scan_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vcpgo/vcp/protocol/scan"
)

func TestTextRuleCut(t *testing.T) {
	for _, c := range []struct {
		name string
		rule scan.TextRule
		raw  string
		want string
	}{
		{"exact takes every byte", scan.TextExact, "\n a \n", "\n a \n"},
		{"a line break at the very start goes", scan.TextLine, "\na\n", "a\n"},
		{"so does one of two bytes", scan.TextLine, "\r\na", "a"},
		{"a lone carriage return stays", scan.TextLine, "\ra", "\ra"},
		{"only the first line break goes", scan.TextLine, "\n\na", "\na"},
		{"text on one line loses the white space around it", scan.TextTrim, " \u3000 a b\t\n", "a b"},
		{"white space alone is nothing", scan.TextTrim, " \n\t", ""},
		{"text of several lines is kept as it is", scan.TextTrim, "  a\n  b\n", "  a\n  b\n"},
		{"but for one line break at its start", scan.TextTrim, "\n  a\n  b\n", "  a\n  b\n"},
		{"a carriage return is a line break", scan.TextTrim, " a\rb ", " a\rb "},
		{"nothing is nothing", scan.TextTrim, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			start, end := c.rule.Cut([]byte(c.raw))
			require.Equal(t, c.want, c.raw[start:end])
		})
	}
}

func TestTolerance(t *testing.T) {
	for _, level := range []scan.Tolerance{scan.Safe, scan.Strict, scan.Greedy} {
		got, err := scan.ParseTolerance(level.String())
		require.NoError(t, err)
		require.Equal(t, level, got)
	}
	level, err := scan.ParseTolerance("")
	require.NoError(t, err)
	require.Equal(t, scan.Safe, level, "safe is the default")
	_, err = scan.ParseTolerance("lax")
	require.EqualError(t, err, `tolerance "lax" is not one of strict, safe, greedy`)
	require.Equal(t, "Tolerance(7)", scan.Tolerance(7).String())

	require.True(t, scan.Safe.Allows(scan.Safe))
	require.False(t, scan.Safe.Allows(scan.Greedy))
	require.False(t, scan.Strict.Allows(scan.Safe))
	require.True(t, scan.Greedy.Allows(scan.Greedy))
}

func TestErrorCodesAreReportedInOrder(t *testing.T) {
	order := []scan.ErrorCode{
		scan.CodeLimitExceeded, scan.CodeAfterAmbiguous, scan.CodeAmbiguousValue, scan.CodeUnclosedValue, scan.CodeBadTag,
		scan.CodeUnclosedBlock, scan.CodeStrayCloser, scan.CodeNoFields, scan.CodeBadKey, scan.CodeBareValue,
		scan.CodeDuplicateKey, scan.CodeMissingToolName, scan.CodeRepairRefused, "",
	}
	for i, c := range order {
		for j, d := range order {
			require.Equal(t, i < j, c.Before(d), "%q before %q", c, d)
		}
	}
}
