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

func TestReasoningTag(t *testing.T) {
	for _, c := range []struct {
		name, src string
		tag       string
		closes    bool
		n         int
		short     bool
	}{
		{"an opener", "<think>x", "think", false, 7, false},
		{"any case", "<ThinKing>", "thinking", false, 10, false},
		{"a closer", "</reasoning>", "reasoning", true, 12, false},
		{"blanks in a closer", "</think >", "think", true, 9, false},
		{"attributes in an opener", `<thought kind="a">`, "thought", false, 18, false},
		{"attributes in a closer are no closer", "</think a>", "", true, 0, false},
		{"another name", "<thinker>", "", false, 0, false},
		{"another tag", "<b>", "", false, 0, false},
		{"a name that goes on", "<reaso", "", false, 0, true},
		{"a bracket alone", "<", "", false, 0, true},
		{"attributes that go on", "<think a", "", false, 0, true},
		{"a second bracket", "<think <", "", false, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			tag, closes, n, short := protocol.ReasoningTag([]byte(c.src))
			if n > 0 {
				require.Equal(t, c.tag, tag)
				require.Equal(t, c.closes, closes)
			}
			require.Equal(t, c.n, n)
			require.Equal(t, c.short, short)
		})
	}
}

func TestFences(t *testing.T) {
	mark, run, info, ok := protocol.FenceOpener([]byte("  ~~~~ go "))
	require.True(t, ok)
	require.Equal(t, byte('~'), mark)
	require.Equal(t, 4, run)
	require.Equal(t, "go", string(info))
	for _, line := range []string{"``", "    ```", "```a`b", "text ```"} {
		_, _, _, ok := protocol.FenceOpener([]byte(line))
		require.False(t, ok, "%q opens no fence", line)
	}
	require.True(t, protocol.FenceCloser([]byte("~~~~~ "), '~', 4))
	for _, line := range []string{"~~~", "~~~~ x", "````", "     ~~~~"} {
		require.False(t, protocol.FenceCloser([]byte(line), '~', 4), "%q closes no fence of four tildes", line)
	}
}
