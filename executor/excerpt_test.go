package executor

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/protocol"
)

// perByte estimates one token for each byte, so that budgets are easy to count.
func perByte(text string) int { return len(text) }

func TestExcerptKeepsLines(t *testing.T) {
	for _, tt := range []struct {
		name, text          string
		budget              int // in bytes
		head, omitted, tail string
	}{
		{
			"two thirds for the beginning, the rest for the end", "aaaa\nbbbb\ncccc\ndddd\neeee\n", 15,
			"aaaa\nbbbb\n", "cccc\ndddd\n", "eeee\n",
		},
		{
			"a line that does not fit is omitted", "aaaa\nbbbb\ncccc\ndddd\neeee\n", 20, "aaaa\nbbbb\n", "cccc\n",
			"dddd\neeee\n",
		},
		{
			"the end gets what the beginning does not need", "aaaaaaa\nbb\ncc\ndd\nee\n", 15, "aaaaaaa\n", "bb\ncc\n",
			"dd\nee\n",
		},
		{"one line is split between characters", "abcdefghijklmnopqrstuvwxyz", 9, "abcdef", "ghijklmnopqrstuvw", "xyz"},
		{
			"a line break is ignored if more than half of a part would be lost", "ab\ncdefghijklmnopqrst\nuv", 15,
			"ab\ncdefghi", "jklmnopqr", "st\nuv",
		},
		{"a character of several bytes stays whole", "ééééé", 6, "éé", "éé", "é"},
		{"a letter and its accent stay together", "abce\u0301fghijkl", 6, "abc", "e\u0301fghi", "jkl"},
		{"the parts of an emoji stay together", "ab👩‍👩‍👧cdefghi", 9, "ab", "👩‍👩‍👧", "cdefghi"},
		{"a line break of two characters stays together", "abc\r\ndefghijk", 6, "abc", "\r\ndefgh", "ijk"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := tokenMeter{perByte}.excerpt(tt.text, tt.budget)
			if want := (excerpt{tt.head, tt.omitted, tt.tail}); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestOmittedTextIsCounted(t *testing.T) {
	for _, tt := range []struct {
		x    excerpt
		want words
	}{
		{excerpt{"a\n", "b\nc\n", "d"}, words{"2 lines (4 characters)", "2 行（4 个字符）"}},
		{excerpt{"", "b\n", "d"}, words{"1 line (2 characters)", "1 行（2 个字符）"}},
		{excerpt{"a", "\nc\n", "d"}, words{"3 characters", "3 个字符"}},
		{excerpt{"a\n", "b\nc", "d"}, words{"3 characters", "3 个字符"}},
		{excerpt{"", "é", ""}, words{"1 character", "1 个字符"}},
	} {
		if got := tt.x.amountOmitted(); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.x, got, tt.want)
		}
	}
}

// estimators are the default estimator, a simple one, and some that resemble no tokenizer.
var estimators = map[string]protocol.TokenEstimator{
	"default":  protocol.EstimateTokens,
	"bytes":    perByte,
	"words":    func(text string) int { return len(strings.Fields(text)) },
	"squares":  func(text string) int { return len(text) * len(text) / 100 },
	"constant": func(string) int { return 7 },
	"nothing":  func(string) int { return 0 },
	"absurd":   func(string) int { return -1 },
	"panics":   func(string) int { panic("boom") },
}

func drawText(rt *rapid.T) string {
	piece := rapid.OneOf(
		rapid.StringMatching(`[a-z ]{0,40}\n?`),
		rapid.String(),
		rapid.SampledFrom([]string{
			"\n", "\r\n", "\x00", "中文字", "👩‍👩‍👧", "e\u0301\u0302\u0303", "🇩🇪🇫🇷",
			strings.Repeat("x", 500), strings.Repeat("\u0301", 300),
		}),
	)
	return strings.ToValidUTF8(strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(rt, "pieces"), ""), "\uFFFD")
}

func drawMeter(rt *rapid.T) tokenMeter {
	return tokenMeter{estimators[rapid.SampledFrom(slices.Sorted(maps.Keys(estimators))).Draw(rt, "estimator")]}
}

// A law is a property that rapid checks with generated inputs.
func TestLawExcerptFitsItsBudget(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text, m, budget := drawText(rt), drawMeter(rt), rapid.IntRange(-5, 400).Draw(rt, "budget")
		x := m.excerpt(text, budget)
		switch {
		case x.head+x.omitted+x.tail != text:
			rt.Fatalf("%q is not the text", x)
		case !utf8.ValidString(x.head) || !utf8.ValidString(x.tail):
			rt.Fatalf("%q is split inside a character", x)
		case m.tokens(x.head)+m.tokens(x.tail) > max(budget, 2*m.tokens("")): // the least that two parts can cost
			rt.Fatalf("%q costs %d and %d, the budget is %d", x, m.tokens(x.head), m.tokens(x.tail), budget)
		}
	})
}

func TestLawPagesFitTheirBudget(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text, m, limit := drawText(rt), drawMeter(rt), rapid.IntRange(0, 400).Draw(rt, "budget")
		f := FullResult{ID: "1.1", Text: text, budget: tokenBudget{m, limit}, shown: len(m.excerpt(text, limit).head)}
		pages := f.Pages()
		if strings.Join(pages, "") != text {
			rt.Fatalf("%q are not the text", pages)
		}
		for i, page := range pages {
			if page == "" || !utf8.ValidString(page) {
				rt.Fatalf("page %d is %q, want valid text that is not empty", i+1, page)
			}
			if cost := m.tokens(page); cost > max(limit, m.tokens("")) && utf8.RuneCountInString(page) > 1 {
				rt.Fatalf("page %d costs %d, the budget is %d", i+1, cost, limit)
			}
		}
	})
}

// An excerpt of a text without lines costs at least seven eighths of its budget.
func TestExcerptUsesItsBudget(t *testing.T) {
	for _, unit := range []string{"x", "中", "x中yz"} {
		for budget := 100; budget <= 10_000; budget *= 10 {
			x := tokenMeter{protocol.EstimateTokens}.excerpt(strings.Repeat(unit, 100_000), budget)
			cost := protocol.EstimateTokens(x.head) + protocol.EstimateTokens(x.tail)
			if cost < budget*7/8 || cost > budget {
				t.Errorf("%q: the budget is %d tokens, the excerpt uses %d", unit, budget, cost)
			}
		}
	}
}

// A wrong first guess tells what each byte costs, so the second guess is right if all bytes cost
// about the same.
func TestTheSecondGuessOfALengthIsRight(t *testing.T) {
	text := strings.Repeat("a line of a very long output\n", 10_000)
	for budget := 100; budget <= 10_000; budget *= 10 {
		estimates := 0
		m := tokenMeter{func(text string) int { estimates++; return protocol.EstimateTokens(text) }}
		m.prefix(text, budget)
		m.suffix(text, budget)
		if estimates > 2*2 {
			t.Errorf("budget %d: two lengths take %d estimates, want at most 4", budget, estimates)
		}
	}
}

// The work depends only on the budget: for a text of 16 MB, the estimator reads as many bytes as
// for a text of 1 MB.
func TestExcerptWorkDependsOnlyOnTheBudget(t *testing.T) {
	work := func(text string) (seen int) {
		m := tokenMeter{func(text string) int { seen += len(text); return protocol.EstimateTokens(text) }}
		if !m.fits(text, 2000) {
			m.excerpt(text, 2000)
		}
		return seen
	}
	line := "a line of a very long output\n"
	small, large := work(strings.Repeat(line, 1<<20/len(line))), work(strings.Repeat(line, 16<<20/len(line)))
	if small != large || small > 10*8000 { // 2,000 tokens are about 8,000 bytes; each is read up to 10 times
		t.Errorf("the estimator reads %d and %d bytes, want the same number, and at most 80,000", small, large)
	}
}
