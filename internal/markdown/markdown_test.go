package markdown_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/markdown"
)

func TestOnlyReasoningTagsAreRead(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      markdown.ReasoningTag
		short     bool
	}{
		{"an opener", "<think>x", markdown.ReasoningTag{Name: "think", Len: 7}, false},
		{"an opener in mixed case", "<ThinKing>", markdown.ReasoningTag{Name: "thinking", Len: 10}, false},
		{"a closer", "</reasoning>", markdown.ReasoningTag{Name: "reasoning", Closes: true, Len: 12}, false},
		{"blanks in a closer", "</think >", markdown.ReasoningTag{Name: "think", Closes: true, Len: 9}, false},
		{"attributes in an opener", `<thought kind="a">`, markdown.ReasoningTag{Name: "thought", Len: 18}, false},
		{"a closer with attributes is no tag", "</think a>", markdown.ReasoningTag{}, false},
		{"another name", "<thinker>", markdown.ReasoningTag{}, false},
		{"another tag", "<b>", markdown.ReasoningTag{}, false},
		{"a name that may continue", "<reaso", markdown.ReasoningTag{}, true},
		{"a bracket alone", "<", markdown.ReasoningTag{}, true},
		{"attributes that may continue", "<think a", markdown.ReasoningTag{}, true},
		{"a second bracket", "<think <", markdown.ReasoningTag{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			tag, short := markdown.ReadReasoningTag([]byte(c.src))
			require.Equal(t, c.want, tag)
			require.Equal(t, c.short, short)
		})
	}
}

func TestFencesOpenAndCloseAsInCommonMark(t *testing.T) {
	f, info, ok := markdown.OpenFence([]byte("  ~~~~ go "))
	require.True(t, ok)
	require.Equal(t, markdown.Fence{Mark: '~', Run: 4}, f)
	require.Equal(t, "go", string(info))
	for _, line := range []string{"", "``", "    ```", "```a`b", "text ```"} {
		_, _, ok := markdown.OpenFence([]byte(line))
		require.False(t, ok, "%q opens no fence", line)
	}
	require.True(t, f.ClosedBy([]byte("~~~~~ ")))
	for _, line := range []string{"", "~~~", "~~~~ x", "````", "     ~~~~"} {
		require.False(t, f.ClosedBy([]byte(line)), "%q closes no fence of four tildes", line)
	}
}
