package builtin_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAnEditKeepsTheLineEnds(t *testing.T) {
	for _, tt := range []struct{ name, before, old, new, after string }{
		{
			"one line becomes two",
			"host: a\r\nport: 8080\r\n", "port: 8080", "port: 9090\nproxy: b", "host: a\r\nport: 9090\r\nproxy: b\r\n",
		},
		{"newText has other line ends", "a\r\nb\r\n", "a\nb", "x\r\ny", "x\r\ny\r\n"},
		{"oldText has the line ends of the file", "a\r\nb\r\n", "a\r\nb", "x\ny", "x\r\ny\r\n"},
		{"both have other line ends", "a\nb\n", "a\r\nb", "x\r\ny", "x\ny\n"},
		{"a line end is replaced whole", "a\r\nb\r\n", "\nb", "c", "ac\r\n"},
		{"line ends without a line feed", "a\rb\r", "a\nb", "x\ny", "x\ry\r"},
		{"several kinds, oldText occurs exactly", "a\r\nb\nc\r\nd\n", "b\nc", "x\ny", "a\r\nx\ny\r\nd\n"},
		{"several kinds, oldText occurs with other line ends", "a\r\nb\nc\r\nd\n", "c\nd", "x\ny", "a\r\nb\nx\r\ny\n"},
		{"several kinds, an edit of a line end", "a\r\nb\n", "a\r\n", "a\n", "a\nb\n"},
		{"no line end", "a", "a", "x\r\ny", "x\r\ny"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := newFilesToolkit(t)
			k.write(t, "f", tt.before)
			_, err := k.call(t, "files_edit", args{"path": "f", "oldText": tt.old, "newText": tt.new})
			require.NoError(t, err)
			require.Equal(t, tt.after, k.read(t, "f"))
		})
	}
	k := newFilesToolkit(t)
	k.write(t, "f", "a\r\nb\r\n")
	_, err := k.call(t, "files_edit", args{"path": "f", "oldText": "a\nb", "newText": "a\r\nb"})
	require.ErrorContains(t, err, "are equal")
}

// kinds returns the kinds of line ends that a text has.
func kinds(text string) map[string]bool {
	found := map[string]bool{}
	for i := 0; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], "\r\n"):
			found["\r\n"] = true
			i++
		case text[i] == '\n', text[i] == '\r':
			found[text[i:i+1]] = true
		}
	}
	return found
}

// TestLawAnEditChangesNoOtherByte edits files with line ends of one kind and of several kinds. What
// is before and after the old text stays. A file with one kind of line ends gets no other kind. (A
// law is a property that rapid checks with generated inputs.)
func TestLawAnEditChangesNoOtherByte(t *testing.T) {
	k := newFilesToolkit(t)
	ends := []string{"\n", "\r\n", "\r"}
	edited := 0
	rapid.Check(t, func(r *rapid.T) {
		kindsOfFile := rapid.SampledFrom([][]string{ends, ends[:1], ends[1:2], ends[2:]}).Draw(r, "kinds")
		allowed := append([]string{"a", "b", "長"}, kindsOfFile...)
		parts := rapid.SliceOfN(rapid.SampledFrom(allowed), 1, 12).Draw(r, "file")
		from := rapid.IntRange(0, len(parts)-1).Draw(r, "from")
		to := rapid.IntRange(from+1, len(parts)).Draw(r, "to")
		before, middle, after := strings.Join(parts[:from], ""), strings.Join(parts[from:to], ""), strings.Join(parts[to:], "")
		whole := before + middle + after
		splitsLineEnd := func(a, b string) bool { return strings.HasSuffix(a, "\r") && strings.HasPrefix(b, "\n") }
		if splitsLineEnd(before, middle) || splitsLineEnd(middle, after) {
			return // files_edit replaces line ends only whole
		}
		old := middle
		if end := rapid.SampledFrom(append(ends, "")).Draw(r, "end of oldText"); end != "" {
			old = strings.NewReplacer("\r\n", end, "\r", end, "\n", end).Replace(middle)
		}
		replacement := strings.Join(rapid.SliceOfN(rapid.SampledFrom(append([]string{"x", "y"}, ends...)), 0, 5).Draw(r, "newText"), "")
		k.write(t, "f", whole)
		_, err := k.call(t, "files_edit", args{"path": "f", "oldText": old, "newText": replacement})
		got := k.read(t, "f")
		if err != nil {
			require.Equal(r, whole, got)
			return
		}
		edited++
		if was := kinds(whole); len(was) == 1 {
			for kind := range kinds(got) {
				require.True(r, was[kind], "%q became %q", whole, got)
			}
			require.True(r, strings.HasPrefix(got, before) && strings.HasSuffix(got, after), "%q became %q", whole, got)
			return
		}
		// In a file with several kinds, oldText may occur exactly at another place.
		if at := strings.Index(whole, old); at >= 0 {
			before, after = whole[:at], whole[at+len(old):]
		}
		require.True(r, strings.HasPrefix(got, before) && strings.HasSuffix(got, after), "%q became %q", whole, got)
	})
	require.NotZero(t, edited)
}
