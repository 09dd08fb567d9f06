package scan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol/scan"
)

func TestTextRulesRemoveWhiteSpace(t *testing.T) {
	for _, c := range []struct {
		name string
		rule scan.TextRule
		raw  string
		want string
	}{
		{"exact: every byte", scan.TextExact, "\n a \n", "\n a \n"},
		{"line: a line break at the start is removed", scan.TextLine, "\na\n", "a\n"},
		{"line: a line break of two bytes is removed", scan.TextLine, "\r\na", "a"},
		{"line: a lone carriage return stays", scan.TextLine, "\ra", "\ra"},
		{"line: only the first line break is removed", scan.TextLine, "\n\na", "\na"},
		{"trim: the white space around one line is removed", scan.TextTrim, " \u3000 a b\t\n", "a b"},
		{"trim: white space alone becomes empty", scan.TextTrim, " \n\t", ""},
		{"trim: several lines stay", scan.TextTrim, "  a\n  b\n", "  a\n  b\n"},
		{"trim: one line break before several lines is removed", scan.TextTrim, "\n  a\n  b\n", "  a\n  b\n"},
		{"trim: a carriage return separates lines", scan.TextTrim, " a\rb ", " a\rb "},
		{"trim: an empty value stays empty", scan.TextTrim, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			start, end := c.rule.Cut([]byte(c.raw))
			require.Equal(t, c.want, c.raw[start:end])
		})
	}
}

func TestTolerancesReadBackFromTheirNames(t *testing.T) {
	for _, level := range []scan.Tolerance{scan.Safe, scan.Strict, scan.Greedy} {
		got, err := scan.ParseTolerance(level.String())
		require.NoError(t, err)
		require.Equal(t, level, got)
	}
	level, err := scan.ParseTolerance("")
	require.NoError(t, err)
	require.Equal(t, scan.Safe, level, "safe is the default")
	_, err = scan.ParseTolerance("lax")
	require.Error(t, err)
	require.Equal(t, "Tolerance(7)", scan.Tolerance(7).String())
}

func TestALevelAllowsItsRepairsAndThoseBelowIt(t *testing.T) {
	require.False(t, scan.Strict.Allows(scan.Safe))
	require.False(t, scan.Strict.Allows(scan.Greedy))
	require.True(t, scan.Safe.Allows(scan.Safe))
	require.False(t, scan.Safe.Allows(scan.Greedy))
	require.True(t, scan.Greedy.Allows(scan.Safe))
	require.True(t, scan.Greedy.Allows(scan.Greedy))
}

func TestACodeWithoutItsOwnSentenceGetsTheGeneralOne(t *testing.T) {
	messages := scan.Messages{"": "write it again", scan.CodeBadKey: "write a name"}
	require.Equal(t, "write a name", messages.For(scan.CodeBadKey))
	require.Equal(t, "write it again", messages.For(scan.CodeBadTag))
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
