package builtin_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/tool/builtin"
)

// patched returns the text that a diff with one hunk makes of the text called before.
func patched(t *rapid.T, before, diff string) string {
	var oldFrom, oldCount, newFrom, newCount int
	lines := strings.SplitAfter(diff, "\n")
	_, err := fmt.Sscanf(lines[2], "@@ -%d,%d +%d,%d @@", &oldFrom, &oldCount, &newFrom, &newCount)
	require.NoError(t, err)
	old := strings.SplitAfter(before, "\n")
	start := oldFrom - 1
	if oldCount == 0 { // an empty range has the number of the line before it
		start = oldFrom
	}
	out := append([]string{}, old[:start]...)
	at, previousSign := start, byte(0)
	for _, line := range lines[3:] {
		switch {
		case line == "":
		case strings.HasPrefix(line, `\`):
			if previousSign != '-' {
				out[len(out)-1] = strings.TrimSuffix(out[len(out)-1], "\n")
			}
		case line[0] == '-':
			require.Equal(t, strings.TrimSuffix(old[at], "\n"), strings.TrimSuffix(line[1:], "\n"))
			at++
		case line[0] == '+':
			out = append(out, line[1:])
		default:
			require.Equal(t, strings.TrimSuffix(old[at], "\n"), strings.TrimSuffix(line[1:], "\n"))
			out = append(out, line[1:])
			at++
		}
		if line != "" {
			previousSign = line[0]
		}
	}
	require.Equal(t, oldCount, at-start, "the hunk has as many old lines as its header says")
	return strings.Join(append(out, old[at:]...), "")
}

// TestLawDiffsTurnTheOldFileIntoTheNew applies diffs of any two texts to the old text. (A law is a
// property that rapid checks with generated inputs.)
func TestLawDiffsTurnTheOldFileIntoTheNew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := func(name string) string {
			s := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "", "長 い"}), 1, 30).Draw(t, name), "\n")
			if rapid.Bool().Draw(t, "line end") {
				s += "\n"
			}
			return s
		}
		before, after := text("before"), text("after")
		if before == after {
			return
		}
		diff, whole := builtin.Diff("f", before, after)
		require.True(t, whole)
		require.Equal(t, after, patched(t, before, diff))
	})
}

func TestLongDiffsAreLimited(t *testing.T) {
	for name, texts := range map[string][2]string{
		"many lines":  {strings.Repeat("old\n", 5000), strings.Repeat("new\n", 5000)},
		"a long line": {strings.Repeat("x", 1<<20), strings.Repeat("y", 1<<20)},
		"wide lines":  {strings.Repeat(strings.Repeat("長", 299)+"\n", 100), strings.Repeat(strings.Repeat("い", 299)+"\n", 100)},
	} {
		t.Run(name, func(t *testing.T) {
			diff, whole := builtin.Diff("f", texts[0], texts[1])
			require.False(t, whole)
			require.LessOrEqual(t, len(diff), 15<<10) // maxDiffBytes, and one line of each sign
			require.Contains(t, diff, "\n-"+texts[0][:1])
			require.Contains(t, diff, "\n+"+texts[1][:1], "removed lines do not hide added lines")
		})
	}
}

// TestATruncatedPreviewDependsOnTheWholeFile checks that a truncated preview differs if any part of
// the old file differs, because an approval is bound to the preview.
func TestATruncatedPreviewDependsOnTheWholeFile(t *testing.T) {
	k := newFilesToolkit(t)
	a := args{"path": "f", "content": "new\n"}
	k.write(t, "f", strings.Repeat("old\n", 5000))
	one, err := k.previewOf(t, "files_write", a)
	require.NoError(t, err)
	k.write(t, "f", strings.Repeat("old\n", 4999)+"odd\n")
	two, err := k.previewOf(t, "files_write", a)
	require.NoError(t, err)
	require.NotEqual(t, one, two)
}
