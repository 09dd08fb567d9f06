package vcp_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

const dialectPath = "docs/dialect.md"

var (
	// dialectRow is a row of the dialect: its number, and its other cells.
	dialectRow = regexp.MustCompile(`(?m)^\| ([BFVC][0-9]+a?) \| (.*) \|$`)
	// codeSpan matches a Markdown code span. A text that contains a backtick is between two
	// backticks and a space on each side.
	codeSpan = regexp.MustCompile("`` (.+?) ``|`([^`]+)`")
)

// dialectRows are the row numbers that comments and corpus cases cite. They are stable: a row is
// never renumbered.
func dialectRows() []string {
	var rows []string
	add := func(letter string, first, last int) {
		for i := first; i <= last; i++ {
			rows = append(rows, fmt.Sprintf("%s%d", letter, i))
		}
	}
	add("B", 1, 19)
	add("F", 1, 12)
	add("V", 1, 9)
	rows = append(rows, "V9a")
	add("V", 10, 16)
	add("C", 1, 12)
	return rows
}

func readDialect(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(dialectPath)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// dialectCodes returns the error codes in the order in which section 8 lists them.
func dialectCodes(t *testing.T) []scan.ErrorCode {
	t.Helper()
	_, section, found := strings.Cut(readDialect(t), "\n## 8 ")
	if !found {
		t.Fatalf("%s has no section 8", dialectPath)
	}
	var codes []scan.ErrorCode
	for _, m := range regexp.MustCompile("(?m)^[0-9]+\\. `([a-z_]+)`$").FindAllStringSubmatch(section, -1) {
		codes = append(codes, scan.ErrorCode(m[1]))
	}
	if len(codes) < 2 {
		t.Fatalf("section 8 of %s lists %d codes, want several", dialectPath, len(codes))
	}
	return codes
}

func codeSpans(text string) []string {
	var spans []string
	for _, m := range codeSpan.FindAllStringSubmatch(text, -1) {
		spans = append(spans, m[1]+m[2])
	}
	return spans
}

func TestDialectListsEveryRowInOrder(t *testing.T) {
	var got []string
	for _, m := range dialectRow.FindAllStringSubmatch(readDialect(t), -1) {
		got = append(got, m[1])
	}
	if want := dialectRows(); !slices.Equal(got, want) {
		t.Errorf("rows of %s:\n got %v\nwant %v", dialectPath, got, want)
	}
}

func TestDialectHasSectionsOneToEight(t *testing.T) {
	var got []string
	for _, m := range regexp.MustCompile(`(?m)^## ([0-9]+) `).FindAllStringSubmatch(readDialect(t), -1) {
		got = append(got, m[1])
	}
	if want := strings.Fields("1 2 3 4 5 6 7 8"); !slices.Equal(got, want) {
		t.Errorf("sections of %s: got %v, want %v", dialectPath, got, want)
	}
}

func TestDialectAndScanOrderErrorsAlike(t *testing.T) {
	codes := dialectCodes(t)
	for i, c := range codes[1:] {
		if !codes[i].Before(c) || c.Before(codes[i]) {
			t.Errorf("%s lists %s before %s; scan.ErrorCode.Before disagrees", dialectPath, codes[i], c)
		}
	}
}

func TestDialectAndProtocolListTheSameRepairs(t *testing.T) {
	_, section, found := strings.Cut(readDialect(t), "\n| repair | rows | level | span |\n")
	if !found {
		t.Fatalf("%s has no table of repairs", dialectPath)
	}
	section, _, _ = strings.Cut(section, "\n\n")
	var got []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| [^|]+ \\| (safe|greedy)").FindAllStringSubmatch(section, -1) {
		got = append(got, m[1]+" "+m[2])
	}
	var want []string
	for _, r := range (vcp.Protocol{}).Repairs() {
		want = append(want, r.Name+" "+r.Level.String())
	}
	if !slices.Equal(got, want) {
		t.Errorf("repairs and their lowest levels in %s:\n got %q\nwant %q", dialectPath, got, want)
	}
}

// The first cell of a row names spellings as code spans.
func TestSpellingsInDialectRowsAreRead(t *testing.T) {
	const start, end, name = "<<<[TOOL_REQUEST]>>>\n", "\n<<<[END_TOOL_REQUEST]>>>", "tool_name:「始」a_b「末」"
	for _, c := range []struct {
		row, spellings string // the row, and a pattern for code spans in its first cell
		level          string
		message        string // %[1]s is the spelling, and %[2]s its closing counterpart
		want           string // as summary returns it
	}{
		{"B4", `^<`, "safe", start + name + "\n%[1]s", "ready marker_slash_end"},
		{"B5", `;|\\`, "greedy", "%[1]s\n" + name + "\n%[2]s", "ready marker_escaped marker_escaped"},
		{"B5", `;|\\`, "safe", "%[1]s\n" + name + "\n%[2]s", "text"},
		{"B6", `^<`, "safe", "%[1]s\n" + name + end, "text"},
		{"B13", `^<`, "safe", "%[1]s\n" + name + end, "text"},
		{"F2", `^.$`, "safe", start + "tool_name%[1]s「始」a_b「末」" + end, "ready separator"},
		{"F3", `^[^->].*[:*]$`, "safe", start + "%[1]s「始」a_b「末」" + end, "ready key_decoration"},
		{"F3", `：$`, "safe", start + "%[1]s「始」a_b「末」" + end, "ready key_decoration separator"},
		{"F3", `始`, "safe", start + "%[1]s" + end, "ready key_decoration"},
		{"F3", `^[->]`, "strict", start + "%[1]s「始」a_b「末」" + end, "ready"},
		{"F4", `(?i)^tool`, "safe", start + "%[1]s:「始」a_b「末」" + end, "ready key_case"},
		{"F5", `始`, "strict", start + name + "\n%[1]s" + end, "ready"},
		{"F5", `^[a-z.-]+$`, "strict", start + name + "\n%[1]s:「始」x「末」" + end, "ready"},
		{"F6", ``, "strict", start + name + "\n%[1]s:「始」x「末」" + end, "ready"},
		{"F11", `始`, "safe", start + name + "\n%[1]s" + end, "bad_key"},
		{"F12", `: `, "safe", start + name + "\n%[1]s" + end, "bare_value"},
		{"V5", `始`, "safe", start + name + "\nkey:%[1]sx%[2]s" + end, "ready value_variant"},
		{"V8", `末`, "strict", start + name + "\nkey:「始」x%[1]sy「末」" + end, "ready"},
		{"V16", `:`, "safe", start + name + "\nkey:%[1]sx%[2]s" + end, "bad_tag"},
	} {
		t.Run(c.row+" "+c.want, func(t *testing.T) {
			spelled := regexp.MustCompile(c.spellings)
			found := 0
			for _, s := range codeSpans(dialectCell(t, c.row)) {
				// In the cells "key" is any key, "…" any marker, and «» are the marks of a value.
				s = strings.NewReplacer("key", "tool_name", "…", "TOOL_REQUEST", "«", ":「始」", "»", "「末」").Replace(s)
				if !spelled.MatchString(s) {
					continue
				}
				found++
				closing := strings.NewReplacer("始", "末", `TOOL\_`, `END\_TOOL\_`, "TOOL_", "END_TOOL_").Replace(s)
				message := fmt.Sprintf(c.message, s, closing)
				if got := summary(readAt(t, c.level, message, parser.Options{Finish: protocol.FinishStop})); got != c.want {
					t.Errorf("%s at %s is %q, the row says %q", message, c.level, got, c.want)
				}
			}
			if found == 0 {
				t.Errorf("row %s names nothing that matches %q", c.row, c.spellings)
			}
		})
	}
}

func TestFencedExamplesInDialectAreRead(t *testing.T) {
	want := []struct {
		fence int // index of the example
		level string
		lines []string
	}{
		{0, "strict", []string{"Request 1, `ready`: `files_list(path: \"src/tools\")`"}},
		{1, "safe", []string{
			"Request 1, `invalid` with `ambiguous_value`: `notes_write(title: \"Shopping\\nbody:「始」milk, bread\")`",
		}},
		{1, "greedy", []string{"Request 1, `ready`: `notes_write(title: \"Shopping\", body: \"milk, bread\")`; repairs: `missing_value_end`"}},
		{2, "strict", []string{
			"Request 1, `ready`: `files(root: \"docs\", command: \"list\", path: \".\")`",
			"Request 2, `ready`: `files(root: \"docs\", command: \"read\", path: \"index.md\")`",
		}},
	}
	fences := regexp.MustCompile("(?s)\n```\n(.*?)\n```\n").FindAllStringSubmatch(readDialect(t), -1)
	if len(fences) != 3 {
		t.Fatalf("%s has %d fenced examples, want 3", dialectPath, len(fences))
	}
	for _, w := range want {
		message := fences[w.fence][1]
		if !strings.Contains(message, "<<<") { // the example shows a block without its markers
			message = "<<<[TOOL_REQUEST]>>>\n" + message + "\n<<<[END_TOOL_REQUEST]>>>"
		}
		reply := readAt(t, w.level, message, parser.Options{Finish: protocol.FinishStop})
		if got := reply.lines(message); !slices.Equal(got[:len(reply.Requests)], w.lines) {
			t.Errorf("%s\nat %s:\n got %q\nwant %q", message, w.level, got, w.lines)
		}
	}
}

// dialectCell returns the first cell of a row, which is the input.
func dialectCell(t *testing.T, row string) string {
	t.Helper()
	for _, m := range dialectRow.FindAllStringSubmatch(readDialect(t), -1) {
		if m[1] == row {
			input, _, _ := strings.Cut(m[2], " | ")
			return input
		}
	}
	t.Fatalf("%s has no row %s", dialectPath, row)
	return ""
}

// summary returns the status of the first request, or its error code if it has one, and then its
// repairs. Without a request it returns "text".
func summary(o outcome) string {
	if len(o.Requests) == 0 {
		return "text"
	}
	words := []string{o.Requests[0].Status}
	if o.Requests[0].Error != nil {
		words[0] = o.Requests[0].Error.Code
	}
	for _, r := range o.Requests[0].Repairs {
		words = append(words, r.Name)
	}
	return strings.Join(words, " ")
}
