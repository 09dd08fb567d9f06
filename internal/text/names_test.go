package text_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/internal/text"
)

func TestNearestFindsMisspelledNames(t *testing.T) {
	names := []string{"files_list", "files_read", "files_search", "clock_now", "x"}
	for _, test := range []struct {
		name, word string
		want       []string
	}{
		{"swapped letters", "fiels_list", []string{"files_list"}},
		{"a missing underscore does not count", "FilesRead", []string{"files_read"}},
		{"the closest first", "files_lead", []string{"files_read", "files_list"}},
		{"nothing in common", "weather", nil},
		{"one letter is not near another", "y", nil},
		{"an empty name", "", nil},
		{"a name that is too long", strings.Repeat("files", 1000), nil},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, text.Nearest(test.word, names)) })
	}
}

func TestContainsWordsComparesWordsOfNames(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"path", "file_path", true},
		{"path", "filePath", true},
		{"paths", "file-path", true},
		{"max limit", "limit_max", true},
		{"文件路径", "路径", true},
		{"id", "order_number", false},
		{"dry_run", "run_id", false},
		{"pathology", "path", false},
		{"s", "s", true},
		{"", "path", false},
		{"__", "path", false},
		{strings.Repeat("a", 65), strings.Repeat("a", 65), false},
		{"a\xff", "a", true},
	} {
		assert.Equal(t, test.want, text.ContainsWords(test.a, test.b), "%q and %q", test.a, test.b)
		assert.Equal(t, test.want, text.ContainsWords(test.b, test.a), "%q and %q", test.b, test.a)
	}
}

func TestSharedWordsCountsEachWordOnce(t *testing.T) {
	assert.Equal(t, 2, text.SharedWords("read_files", "fileRead"))
	assert.Equal(t, 1, text.SharedWords("get_weather", "weather_weather_today"))
	assert.Zero(t, text.SharedWords("get_weather", "calendar_today"))
	assert.Zero(t, text.SharedWords("", ""))
}

// TestLawAnyBytesAreComparedAsNames compares names of any bytes, because models write names. (A law
// is a property that rapid checks with generated inputs.)
func TestLawAnyBytesAreComparedAsNames(t *testing.T) {
	name := rapid.OneOf(rapid.String(),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
	rapid.Check(t, func(t *rapid.T) {
		a, b := name.Draw(t, "a"), name.Draw(t, "b")
		assert.Equal(t, text.ContainsWords(a, b), text.ContainsWords(b, a))
		assert.LessOrEqual(t, len(text.Nearest(a, []string{a, b})), 2)
	})
}

func TestFoldNameIgnoresCaseAndSeparators(t *testing.T) {
	for _, name := range []string{
		"max_iterations", "MaxIterations", "max-iterations", "Max Iterations", "max\u00a0iterations",
	} {
		assert.Equal(t, "maxiterations", text.FoldName(name))
	}
}
