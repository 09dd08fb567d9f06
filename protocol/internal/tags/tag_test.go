package tags_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

func TestReadAcceptsOnlyKnownSpellings(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		last       tags.Kind
		want       tags.Tag
		match      scan.Match
	}{
		{"a start", tags.CallStart + "{", tags.Tools, tags.Tag{N: 11}, scan.MatchYes},
		{"an end", tags.ResponseEnd, tags.Tools, tags.Tag{Kind: tags.Response, End: true, N: 16}, scan.MatchYes},
		{"definitions", tags.ToolsStart, tags.Tools, tags.Tag{Kind: tags.Tools, N: 7}, scan.MatchYes},
		{"another case", "<TOOL_call>", tags.Tools, tags.Tag{N: 11, Cased: true}, scan.MatchYes},
		{"nothing between the words", "<toolcall>", tags.Tools, tags.Tag{N: 10, Spaced: true}, scan.MatchYes},
		{"a hyphen and blanks", "< / tool-call >", tags.Tools, tags.Tag{End: true, N: 15, Spaced: true}, scan.MatchYes},
		{"two blanks", "<  tool_call>", tags.Tools, tags.Tag{}, scan.MatchNo},
		{"a longer word", "<tool_calls>", tags.Tools, tags.Tag{}, scan.MatchNo},
		{
			"the end of a parameter", "</parameter>", tags.Parameter,
			tags.Tag{Kind: tags.Parameter, End: true, N: 12},
			scan.MatchYes,
		},
		{
			"the end of a parameter in a protocol without such tags", "</parameter>", tags.Tools,
			tags.Tag{},
			scan.MatchNo,
		},
		{"the start of a parameter, which needs a name", "<parameter>", tags.Parameter, tags.Tag{}, scan.MatchNo},
		{"no input", "", tags.Tools, tags.Tag{}, scan.MatchShort},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, match := tags.Read([]byte(tt.text), tt.last)
			require.Equal(t, tt.match, match)
			require.Equal(t, tt.want, got)
		})
	}
}

// If a byte follows that no tag contains, Read asks for no more input.
func TestReadAsksForMoreInputAtTheBeginningOfATag(t *testing.T) {
	for _, tag := range []string{
		tags.CallStart, tags.CallEnd, tags.ResponseStart, tags.ToolsEnd, "< /\tTool response\t>", "</function>", "</Parameter >",
	} {
		for n := range tag {
			_, match := tags.Read([]byte(tag[:n]), tags.Parameter)
			require.Equal(t, scan.MatchShort, match, tag[:n])
			if n > 0 {
				_, match = tags.Read([]byte(tag[:n]+"!"), tags.Parameter)
				require.Equal(t, scan.MatchNo, match, tag[:n]+"!")
			}
		}
	}
}
