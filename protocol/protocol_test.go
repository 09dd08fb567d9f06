package protocol_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol"
)

func TestTextRuleCut(t *testing.T) {
	for _, c := range []struct {
		name string
		rule protocol.TextRule
		raw  string
		want string
	}{
		{"exact takes every byte", protocol.TextExact, "\n a \n", "\n a \n"},
		{"a line break at the very start goes", protocol.TextLine, "\na\n", "a\n"},
		{"so does one of two bytes", protocol.TextLine, "\r\na", "a"},
		{"a lone carriage return stays", protocol.TextLine, "\ra", "\ra"},
		{"only the first line break goes", protocol.TextLine, "\n\na", "\na"},
		{"text on one line loses the white space around it", protocol.TextTrim, " \u3000 a b\t\n", "a b"},
		{"white space alone is nothing", protocol.TextTrim, " \n\t", ""},
		{"text of several lines is kept as it is", protocol.TextTrim, "  a\n  b\n", "  a\n  b\n"},
		{"but for one line break at its start", protocol.TextTrim, "\n  a\n  b\n", "  a\n  b\n"},
		{"a carriage return is a line break", protocol.TextTrim, " a\rb ", " a\rb "},
		{"nothing is nothing", protocol.TextTrim, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			start, end := c.rule.Cut([]byte(c.raw))
			require.Equal(t, c.want, c.raw[start:end])
		})
	}
}

func TestTolerance(t *testing.T) {
	for _, level := range []protocol.Tolerance{protocol.Safe, protocol.Strict, protocol.Greedy} {
		got, err := protocol.ParseTolerance(level.String())
		require.NoError(t, err)
		require.Equal(t, level, got)
	}
	level, err := protocol.ParseTolerance("")
	require.NoError(t, err)
	require.Equal(t, protocol.Safe, level, "safe is the default")
	_, err = protocol.ParseTolerance("lax")
	require.EqualError(t, err, `tolerance "lax" is not one of strict, safe, greedy`)
	require.Equal(t, "Tolerance(7)", protocol.Tolerance(7).String())

	require.True(t, protocol.Safe.Allows(protocol.Safe))
	require.False(t, protocol.Safe.Allows(protocol.Greedy))
	require.False(t, protocol.Strict.Allows(protocol.Safe))
	require.True(t, protocol.Greedy.Allows(protocol.Greedy))
}

func TestErrorCodesAreReportedInOrder(t *testing.T) {
	order := []protocol.ErrorCode{
		protocol.CodeLimitExceeded, protocol.CodeAfterAmbiguous, protocol.CodeAmbiguousValue, protocol.CodeUnclosedValue, protocol.CodeBadTag,
		protocol.CodeUnclosedBlock, protocol.CodeStrayCloser, protocol.CodeNoFields, protocol.CodeBadKey, protocol.CodeBareValue,
		protocol.CodeDuplicateKey, protocol.CodeMissingToolName, protocol.CodeRepairRefused, "",
	}
	for i, c := range order {
		for j, d := range order {
			require.Equal(t, i < j, c.Before(d), "%q before %q", c, d)
		}
	}
}
