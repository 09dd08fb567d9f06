package terminal

import (
	"encoding/json"
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
			"\nAllow clock_now (read)? [no] ", "\n[approval] clock_now (read)\n", "\n[note] all is well", "\n  - path = \"safe\"",
			"Answer y", "\x1b[2J\x1b[H", "\u009b2J", "\r", "\b\b\b", "\u202e", "\u2066", "\u200b", "\u2028", "\ufeff",
			"\U000e0041", "中文字", "ﾊﾝｶｸ", "я", "🇦", "👩\u200d👧", "❤\ufe0f", "a\u0301\u0301\u0301\u0301\u0301\u0301", "\u0e33",
			"\u1160", "\"", `\`, "␠×9",
		}),
		rapid.Custom(func(t *rapid.T) string {
			blank := rapid.SampledFrom([]string{" ", "\n", "\t", "\u00a0", "\u3000", "\u2800", "\u3164", " \n", "\r\n", "中", "x"}).Draw(t, "blank")
			return strings.Repeat(blank, rapid.IntRange(1, 3000).Draw(t, "times"))
		}),
	)
	return rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(piece, 0, 5).Draw(t, "pieces"), "") })
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

// names generates the name of a method: letters, marks, digits and some punctuation.
func names() *rapid.Generator[string] {
	characters := rapid.OneOf(
		rapid.SampledFrom([]rune("abc_-./:@中я\u0301\ufe0f\u0e33")), rapid.RuneFrom(nil, unicode.Letter, unicode.Mark))
	return rapid.StringOfN(characters, 1, 128, 128)
}

// checkProperty checks a property with a hundred random cases, and with thousands if VCP_TEST_LONG
// is set.
func checkProperty(t *testing.T, property func(t *rapid.T)) {
	t.Helper()
	times := 1
	if longtest.Enabled() {
		times = 80
	}
	for range times {
		rapid.Check(t, property)
	}
}

// width returns the columns of a row on terminals with narrow and with wide ambiguous characters.
func width(row string) int {
	narrow, wide := runewidth.Condition{}, runewidth.Condition{EastAsianWidth: true}
	return max(narrow.StringWidth(row), wide.StringWidth(row))
}

// Every question fits on one screen. Its rows are those of vcp or indented, and its last row names
// the method and the risk.
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
			require.True(t, s.rows < 16 || s.columns < minColumns, "refused: %+v", s)
			return
		}
		rows := strings.Split(shown.body+shown.prompt, "\n")
		require.LessOrEqual(t, len(rows), s.rows)
		for _, row := range rows {
			require.LessOrEqual(t, width(row), s.columns, "%q", row)
			require.NotRegexp(t, "[\x00-\x1f\x7f-\u009f\u200b\u202a-\u202e\u2066-\u2069\u2028]", row)
			require.NotRegexp(t, `\pM{4}`, row)
			require.NotContains(t, row, strings.Repeat(" ", maxBlanks+5))
		}
		requireOwnRows(t, q, rows, shown.omitted > 0)
	})
}

// requireOwnRows checks that the rows that begin at the margin are those of vcp, in the right
// order.
func requireOwnRows(t require.TestingT, q question, rows []string, omitted bool) {
	var margin []string
	for _, row := range rows {
		if !strings.HasPrefix(row, "  ") {
			margin = append(margin, row)
		}
	}
	beginning := func(text string) string { return string([]rune(text)[:len("Answer y")]) } // such rows are wrapped
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
	if name, cut := shorten(1000, glyphs(q.method)); cut == 0 && cells(name) <= 6 {
		require.Equal(t, ask+name+answer, last)
	}
}

// The rows lose nothing: joined, they are the arguments, with long white space shown by its length.
func TestWholeQuestionShowsEachArgumentWhole(t *testing.T) {
	checkProperty(t, func(t *rapid.T) {
		q := question{phrases: phrasesIn("en"), method: "t_m", risk: tool.RiskWrite, arguments: arguments().Draw(t, "arguments")}
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

// Memory grows linearly with the size of a call, and the text on a screen has a constant size.
func TestQuestionIsLinearInTheCall(t *testing.T) {
	for name, piece := range map[string]string{
		"letters": "x", "blanks": " ", "lines": "\n", "mixed blanks": " \n", "escapes": "\u202e", "marks": "\u0301", "wide": "中", "quotes": `"`,
	} {
		t.Run(name, func(t *testing.T) {
			const n = 20_000
			object, err := json.Marshal(map[string]string{"text": strings.Repeat(piece, n)})
			require.NoError(t, err)
			q := question{phrases: phrasesIn("en"), method: "t_m", risk: tool.RiskWrite, arguments: object}
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
		q := question{phrases: phrasesIn("en"), method: "t_m", risk: tool.RiskWrite, arguments: json.RawMessage("{" + b.String()[1:] + "}")}
		bytes := memorytest.Allocated(func() {
			shown, err := q.fit(screen{})
			require.NoError(t, err)
			require.Contains(t, shown.body, "more arguments")
			require.Less(t, len(shown.body), 10_000)
		})
		require.Less(t, bytes, 3000*n, "bytes allocated")
	})
}

func TestAQuestionShowsTheCall(t *testing.T) {
	for _, tt := range []struct {
		name      string
		arguments string
		note      string
		screen    screen
		want      string
	}{
		{
			"arguments are a list", `{"path":"docs/a.md","lines":[1, 2],"deep":{"a":"b"}}`, "",
			screen{},
			"  - path = \"docs/a.md\"\n  - lines = [1,2]\n  - deep = {\"a\":\"b\"}\nAnswer y, always, edit, or no and why; help explains.\n",
		},
		{"a call without arguments says so", `{}`, "", screen{}, "  (no arguments)\nAnswer y, always, edit, or no and why; help explains.\n"},
		{
			"white space is counted",
			`{"a":"x` + strings.Repeat(" ", 3000) + `y` + strings.Repeat(`\n`, 40) + `z` + strings.Repeat(` \n\t`, 10) + `"}`, "",
			screen{},
			"  - a = \"x␠×3000y\\n×40z[␠\\n\\t]×30\"\nAnswer y, always, edit, or no and why; help explains.\n",
		},
		{
			"short white space is shown as it is", `{"a":"if x:\n    y()"}`, "",
			screen{},
			"  - a = \"if x:\\n    y()\"\nAnswer y, always, edit, or no and why; help explains.\n",
		},
		{
			"a sign that looks like a count is escaped", `{"a":"␠×3000"}`, "",
			screen{},
			"  - a = \"\\u2420×3000\"\nAnswer y, always, edit, or no and why; help explains.\n",
		},
		{
			"a name that could be taken for more is quoted", `{"path = \"safe\", x":"y"}`, "",
			screen{},
			"  - \"path = \\\"safe\\\", x\" = \"y\"\nAnswer y, always, edit, or no and why; help explains.\n",
		},
		{
			"a note comes after the call", `{"a":1}`, "The arguments\nwere not accepted.",
			screen{},
			"  - a = 1\n[note] The arguments\\nwere not accepted.\nAnswer y, always, edit, or no and why; help explains.\n",
		},
		{
			"rows are broken before the screen breaks them", `{"a":"` + strings.Repeat("中", 20) + `"}`, "",
			screen{24, 40},
			"  - a = \"" + strings.Repeat("中", 15) + "\n    " + strings.Repeat("中", 5) + "\"\n" +
				"Answer y, always, edit, or no and why; \n    help explains.\n",
		},
		{
			"a long argument loses its middle", `{"a":1,"b":"` + strings.Repeat("x", 500) + `.","c":2}`, "",
			screen{10, 60},
			"  - a = 1\n  - b = \"" + strings.Repeat("x", 50) + "\n    " + strings.Repeat("x", 37) + "…(369 more)…xxxx\n" +
				"    " + strings.Repeat("x", 40) + ".\"\n  - c = 2\n" +
				"[note] 369 characters of this call are not shown.\nAnswer show, or no and why; help explains.\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := question{phrases: phrasesIn("en"), method: "t_m", risk: tool.RiskWrite, arguments: json.RawMessage(tt.arguments), note: tt.note}
			shown, err := q.fit(tt.screen)
			require.NoError(t, err)
			require.Equal(t, "\n[approval] t_m (write)\n"+tt.want, shown.body)
			require.Equal(t, "Allow t_m (write)? [no] ", shown.prompt)
		})
	}
}

func TestQuestionShowsThePreview(t *testing.T) {
	q := question{
		phrases: phrasesIn("en"), method: "t_m", risk: tool.RiskWrite, arguments: json.RawMessage(`{"a":1}`),
		preview: "--- a\n+++ b\n\n-old\x1b[2K\n+new\n",
	}
	shown, err := q.fit(screen{})
	require.NoError(t, err)
	require.Zero(t, shown.omitted)
	require.Equal(t, "\n[approval] t_m (write)\n  - a = 1\n  | --- a\n  | +++ b\n  | \n  | -old\\x1b[2K\n  | +new\n"+
		"Answer y, always, edit, or no and why; help explains.\n", shown.body)

	q.preview = strings.Repeat("+line\n", 100)
	shown, err = q.fit(screen{})
	require.NoError(t, err)
	require.Positive(t, shown.omitted, "a call whose preview is not shown whole cannot be allowed")
	require.Contains(t, shown.body, " more lines\n")
	require.Zero(t, q.whole(screen{}).omitted)
}

func TestQuestionShowsNoSecret(t *testing.T) {
	entry := &tool.Entry{FullName: "t_login", Method: &tool.Method{SecretParameters: []string{"password"}}}
	arguments := entry.MaskArguments(json.RawMessage(`{"user":"eve","password":"hush-hush"}`))
	require.Equal(t, []string{`user = "eve"`, `password = "[secret]"`}, argumentsOf(arguments))
}
