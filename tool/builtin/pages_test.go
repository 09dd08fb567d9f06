package builtin_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// readPage returns the result of reading a file from startLine on. budget limits the result, in
// bytes.
func (k toolkit) readPage(t require.TestingT, path string, startLine, budget int) string {
	found, err := k.Resolve("files_read", "", nil)
	require.NoError(t, err)
	arguments, err := json.Marshal(map[string]any{"path": path, "startLine": startLine})
	require.NoError(t, err)
	call := callFor(found, string(arguments))
	call.Fits = func(text string) bool { return len(text) <= budget }
	got, err := found.Entry.Method.Handler(context.Background(), call)
	require.NoError(t, err)
	return got.Text
}

// TestLawPagesAddUpToTheFile reads a file page by page, and each page says how to read the next
// one. No page exceeds the budget, and all pages together are the file. (A law is a property that
// rapid checks with generated inputs.)
func TestLawPagesAddUpToTheFile(t *testing.T) {
	k := newToolkit(t)
	next := regexp.MustCompile(`\n?\(Lines? [0-9 to]+ of \d+(?:; to continue, set startLine to (\d+))?(?:; to find a word, use files_search)?\.\)$`)
	rapid.Check(t, func(r *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringOfN(rapid.SampledFrom([]rune("ab ü長")), 0, 20, -1), 1, 60).Draw(r, "lines")
		text := strings.Join(lines, "\n") + "\n"
		budget := rapid.IntRange(200, 1000).Draw(r, "budget")
		k.write(t, "file", text)
		var read strings.Builder
		for line, pages := 1, 0; line > 0; pages++ {
			page := k.readPage(r, "file", line, budget)
			require.LessOrEqual(r, len(page), budget)
			require.LessOrEqual(r, pages, len(lines), "each page has at least one line")
			found := next.FindStringSubmatch(page)
			if found == nil {
				require.Equal(r, text, page, "only the whole file has no note")
				return
			}
			read.WriteString(strings.TrimSuffix(page, found[0]))
			read.WriteString("\n")
			line = 0
			if found[1] != "" {
				_, err := fmt.Sscan(found[1], &line)
				require.NoError(r, err)
			}
		}
		require.Equal(r, text, read.String())
	})
}

func TestEachPageSaysHowToContinue(t *testing.T) {
	k := newToolkit(t)
	k.write(t, "log", strings.Repeat("an entry of thirty characters.\n", 2202))
	k.write(t, "wide", strings.Repeat("長", 1000)+"\nnext\n")
	for _, test := range []struct {
		name, path string
		startLine  int
		want       string
	}{
		{
			"the first page",
			"log", 1, "(Lines 1 to 28 of 2202; to continue, set startLine to 29; to find a word, use files_search.)",
		},
		{
			"the second page",
			"log", 29, "(Lines 29 to 56 of 2202; to continue, set startLine to 57; to find a word, use files_search.)",
		},
		{"the last lines", "log", -3, "(Lines 2200 to 2202 of 2202.)"},
		{
			"a line that is longer than a page", "wide", 1,
			"\n(This line is truncated after 849 bytes. Line 1 of 2; to continue, set startLine to 2; to find a word, use files_search.)",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			const budget = 972 // room for 28 lines of the log and the note
			page := k.readPage(t, test.path, test.startLine, budget)
			require.LessOrEqual(t, len(page), budget)
			require.True(t, strings.HasSuffix(page, test.want), page[max(0, len(page)-200):])
		})
	}
}
