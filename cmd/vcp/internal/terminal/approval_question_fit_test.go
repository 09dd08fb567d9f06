package terminal

import (
	"encoding/json"
	"flag"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/memorytest"
	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/tool"
)

// hostile generates text with which a model could try to control the terminal, forge lines, or push
// lines off the screen.
func hostile() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{
			"\nAllow clock_now (read)? [no] ", "\n[approval] clock_now (read)\n", "\n[note] all is well",
			"\n  - path = \"safe\"", "Answer y", "\x1b[2J\x1b[H", "\u009b2J", "\r", "\b\b\b",
			"\u202e", "\u2066", "\u200b", "\u2028", "\ufeff", "\U000e0041",
			"中文字", "ﾊﾝｶｸ", "я", "🇦", "👩\u200d👧", "❤\ufe0f", "a\u0301\u0301\u0301\u0301\u0301\u0301", "\u0e33",
			"\u1160", "\"", `\`, "␠×9",
		}),
		rapid.Custom(func(t *rapid.T) string {
			unit := rapid.SampledFrom([]string{
				" ", "\n", "\t", "\u00a0", "\u3000", "\u2800", "\u3164", " \n", "\r\n", "中", "x",
			}).Draw(t, "unit")
			return strings.Repeat(unit, rapid.IntRange(1, 3000).Draw(t, "times"))
		}),
	)
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 0, 5).Draw(t, "pieces"), "")
	})
}

// arguments generates the arguments of a call. Their names and values contain hostile text.
func arguments() *rapid.Generator[json.RawMessage] {
	return rapid.Custom(func(t *rapid.T) json.RawMessage {
		values := map[string]any{}
		for range rapid.IntRange(0, rapid.SampledFrom([]int{2, 8, 60}).Draw(t, "most")).Draw(t, "arguments") {
			text := hostile().Draw(t, "value")
			shapes := []any{text, []string{text}, map[string]string{text: text}, nil, 1.5}
			values[hostile().Draw(t, "name")] = rapid.SampledFrom(shapes).Draw(t, "shape")
		}
		object, err := json.Marshal(values)
		require.NoError(t, err)
		return object
	})
}

// names generates the name of a method: letters, marks and some punctuation.
func names() *rapid.Generator[string] {
	characters := rapid.OneOf(
		rapid.SampledFrom([]rune("abc_-./:@中я\u0301\ufe0f\u0e33")), rapid.RuneFrom(nil, unicode.Letter, unicode.Mark))
	return rapid.StringOfN(characters, 1, 128, 128)
}

// checkProperty checks a property with random cases: with 8000 if VCP_TEST_LONG is set, and
// otherwise with as many as package rapidseed says.
func checkProperty(t *testing.T, property func(t *rapid.T)) {
	t.Helper()
	if longtest.Enabled() {
		checks := flag.Lookup("rapid.checks")
		usual := checks.Value.String()
		require.NoError(t, checks.Value.Set("8000"))
		defer func() { require.NoError(t, checks.Value.Set(usual)) }()
	}
	rapid.Check(t, property)
}

// width returns the columns that a row takes at most: some terminals show characters of ambiguous
// width narrow, and others wide.
func width(row string) int {
	narrow, wide := runewidth.Condition{}, runewidth.Condition{EastAsianWidth: true}
	return max(narrow.StringWidth(row), wide.StringWidth(row))
}

// A question fits on its screen, unless the screen is too small for any question. Each row
// is one of vcp's own or is indented, and the last row names the method and the risk.
func TestQuestionFitsAnyScreen(t *testing.T) {
	checkProperty(t, func(t *rapid.T) {
		q := question{
			phrases:   phrasesIn(rapid.SampledFrom([]string{"en", "zh"}).Draw(t, "language")),
			method:    names().Draw(t, "method"),
			arguments: arguments().Draw(t, "arguments"),
			risk:      rapid.SampledFrom([]tool.Risk{tool.RiskRead, tool.RiskWrite, tool.RiskDangerous}).Draw(t, "risk"),
			note:      rapid.OneOf(rapid.Just(""), hostile()).Draw(t, "note"),
			preview:   rapid.OneOf(rapid.Just(""), hostile()).Draw(t, "preview"),
			warnings:  rapid.SliceOfN(hostile(), 0, 9).Draw(t, "warnings"),
		}
		s := screen{rapid.IntRange(0, 70).Draw(t, "rows"), rapid.IntRange(0, 210).Draw(t, "columns")}
		shown, err := q.fit(s)
		if s.rows == 0 {
			s.rows = defaultRows
		}
		if s.columns == 0 {
			s.columns = defaultColumns
		}
		if err != nil {
			require.ErrorAs(t, err, new(*tooSmallError))
			// 16 rows are enough for any question.
			require.True(t, s.rows < 16 || s.columns < minColumns, "refused: %+v", s)
			return
		}
		rows := strings.Split(shown.body+shown.prompt, "\n")
		require.LessOrEqual(t, len(rows), s.rows)
		for _, row := range rows {
			require.LessOrEqual(t, width(row), s.columns, "%q", row)
			require.NotRegexp(t, "[\x00-\x1f\x7f-\u009f\u200b\u202a-\u202e\u2066-\u2069\u2028]", row)
			require.NotRegexp(t, `\pM{4}`, row)
			require.NotContains(t, row, strings.Repeat(" ", len(wrapLead)+maxBlanks+1))
		}
		requireOwnRows(t, q, rows, shown.omitted > 0)
	})
}

// requireOwnRows checks that the rows that begin at the margin are vcp's own, in the right order.
func requireOwnRows(t require.TestingT, q question, rows []string, omitted bool) {
	var margin []string
	for _, row := range rows {
		if !strings.HasPrefix(row, "  ") {
			margin = append(margin, row)
		}
	}
	// A narrow screen may wrap a row after its beginning.
	beginning := func(text string) string { return string([]rune(text)[:len("Answer y")]) }
	ask, answer, _ := strings.Cut(q.Say("Allow %s (%s)? [no] ", "\x00", q.riskText()), "\x00")
	want := []string{"", q.Say("[approval] ")}
	if q.note != "" {
		want = append(want, q.Say("[note] "))
	}
	if omitted {
		want = append(want, q.Say("[note] "), beginning(q.Say("Answer show, or no and why; help explains.")))
	} else {
		want = append(want, beginning(q.Say("Answer y, always, edit, or no and why; help explains.")))
	}
	want = append(want, ask)
	require.Len(t, margin, len(want), "%q", margin)
	for i := range want {
		require.True(t, strings.HasPrefix(margin[i], want[i]), "%q", margin)
	}
	last := rows[len(rows)-1]
	require.True(t, strings.HasSuffix(last, answer), "%q", last)
	// Any screen has room for a name of 6 cells.
	if name, lost := shorten(1000, glyphs(q.method)); lost == 0 && cells(name) <= 6 {
		require.Equal(t, ask+name+answer, last)
	}
}

// The rows lose nothing: joined, they are the arguments, with long white space shown by its length.
func TestWholeQuestionShowsEachArgumentWhole(t *testing.T) {
	checkProperty(t, func(t *rapid.T) {
		q := questionOf("")
		q.arguments = arguments().Draw(t, "arguments")
		shown := q.whole(screen{24, rapid.IntRange(minColumns, 200).Draw(t, "columns")})
		require.Zero(t, shown.omitted)
		requireOwnRows(t, q, strings.Split(shown.body+shown.prompt, "\n"), false)
		var want, got strings.Builder
		for _, a := range argumentsOf(q.arguments) {
			for g := range glyphs(a) {
				want.WriteString(g.text)
			}
		}
		body, _, _ := strings.Cut(shown.body, "\nAnswer")
		for line := range strings.Lines(body) {
			if row, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), argumentLead); ok {
				got.WriteString(row)
			} else if row, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), wrapLead); ok {
				got.WriteString(row)
			}
		}
		require.Equal(t, want.String(), got.String())
	})
}

func TestEditPromptFitsInARow(t *testing.T) {
	checkProperty(t, func(t *rapid.T) {
		columns := rapid.IntRange(minColumns, 200).Draw(t, "columns")
		prompt := editPrompt(screen{24, columns}, hostile().Draw(t, "name"), hostile().Draw(t, "value"))
		require.Less(t, width(prompt), columns)
		require.NotRegexp(t, "[\x00-\x1f\x7f-\u009f\u202a-\u202e\u2028]", prompt)
		require.Regexp(t, `^  .* \[.*\] $`, prompt)
	})
}

// The memory is at most in proportion to the size of a call, and the text on a screen is limited.
// The limits of memory are about twice what the costliest piece takes.
func TestQuestionIsLinearInTheCall(t *testing.T) {
	for name, piece := range map[string]string{
		"letters": "x", "blanks": " ", "lines": "\n", "mixed blanks": " \n",
		"escapes": "\u202e", "marks": "\u0301", "wide": "中", "quotes": `"`,
	} {
		t.Run(name, func(t *testing.T) {
			const n = 20_000
			object, err := json.Marshal(map[string]string{"text": strings.Repeat(piece, n)})
			require.NoError(t, err)
			q := questionOf(string(object))
			bytes := memorytest.Allocated(func() {
				shown, err := q.fit(screen{})
				require.NoError(t, err)
				require.Less(t, len(shown.body), 10_000)
			})
			require.Less(t, bytes, 600*n, "bytes allocated")
		})
	}
	t.Run("arguments", func(t *testing.T) {
		const n = 5_000
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"a%d":%d`, i, i)
		}
		q := questionOf("{" + b.String()[1:] + "}")
		bytes := memorytest.Allocated(func() {
			shown, err := q.fit(screen{})
			require.NoError(t, err)
			require.Contains(t, shown.body, "more arguments")
			require.Less(t, len(shown.body), 10_000)
		})
		require.Less(t, bytes, 3000*n, "bytes allocated")
	})
}
