package tags_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

func TestBeginsLineIgnoresEmphasis(t *testing.T) {
	long := strings.Repeat(" ", tags.MaxLine+1)
	for _, tt := range []struct {
		name, before string
		since        int
		want         bool
	}{
		{"the start of the text", "", 0, true},
		{"a line break", "a\n", 2, true},
		{"emphasis after a line break", "a\r\n **", 5, true},
		{"a word", "a\nb ", 4, false},
		{"directly after a request", "a", 0, true},
		{"emphasis after a request", "a **", 3, true},
		{"more blanks than are examined", "a\n" + long, len(long) + 2, false},
		{"a text without its beginning", "  ", 50, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, tags.BeginsLine([]byte(tt.before+"<"), len(tt.before), tt.since, tags.Emphasis))
		})
	}
}

func TestEndsLineWaitsForTheEndOfTheLine(t *testing.T) {
	long := strings.Repeat(" ", tags.MaxLine)
	for _, tt := range []struct {
		name, after string
		atEOF       bool
		want        scan.Match
	}{
		{"a line break", "\n", false, scan.MatchYes},
		{"emphasis and a line break", "** \u3000\r\n", false, scan.MatchYes},
		{"a word", " a", false, scan.MatchNo},
		{"the end of the message", " ", true, scan.MatchYes},
		{"the end of a piece", " ", false, scan.MatchShort},
		{"half a character", "\u3000"[:2], false, scan.MatchShort},
		{"more blanks than are examined", long, false, scan.MatchNo},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, got := tags.EndsLine([]byte(tt.after), tt.atEOF)
			require.Equal(t, tt.want, got)
		})
	}
}

func TestQuotesLineFindsTheMarkOfABlockquote(t *testing.T) {
	for _, tt := range []struct {
		name, before string
		since        int
		inLine       bool
		carried      bool
		want         bool
	}{
		{"a blockquote", "a\n> b", 5, false, false, true},
		{"a blockquote in a list item", "- * > b", 7, false, false, true},
		{"a line after a blockquote", "> a\nb", 5, false, false, false},
		{"the line of a request in a blockquote", " b", 2, true, true, true},
		{"a request before the mark on its line", "> b", 3, true, false, false},
		{"the next line", " b\nc", 4, true, true, false},
		{"a line without its beginning", "> b", 50, true, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, tags.QuotesLine([]byte(tt.before+"<"), len(tt.before), tt.since, tt.inLine, tt.carried))
		})
	}
}
