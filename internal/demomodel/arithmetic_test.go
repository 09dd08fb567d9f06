package demomodel

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/chinese"
	"github.com/vcpgo/vcp/internal/message/messagetest"
)

func TestArithmeticIsFoundInText(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"signs are kept as they are written", "What is 17*23?", []string{"17*23"}},
		{"blanks are kept", "so 17 * (2 + 3) is what", []string{"17 * (2 + 3)"}},
		{"words become signs", "what is 12 plus 30 divided by 2", []string{"12+30/2"}},
		{"Chinese words become signs", "12 乘以 7 减去 1 等于多少", []string{"12*7-1"}},
		{"other signs become plain ones", "6×7÷2", []string{"6*7/2"}},
		{"groups of thousands are joined", "1,250,000 / 5", []string{"1250000/5"}},
		{"powers in words", "3 squared plus 2 cubed", []string{"3^2+2^3"}},
		{"a root", "the square root of 144", []string{"sqrt(144)"}},
		{"a percentage of something", "12.5% of 80", []string{"(80*12.5/100)"}},
		{"functions and constants", "sin(pi/4) + max(1, 2)", []string{"sin(pi/4) + max(1, 2)"}},
		{"a leading sign", "-5 + 3", []string{"-5 + 3"}},
		{"two expressions", "2+2 and 3*3", []string{"2+2", "3*3"}},
		{"x between numbers", "17x23", []string{"17*23"}},
		{"a number alone is not arithmetic", "chapter 42", nil},
		{"a date is not arithmetic", "on 2024-05-01 at noon", nil},
		{"an ordinal is not arithmetic", "the 3rd - and 4th", nil},
		{"a version is not arithmetic", "go 1.2.3", nil},
		{"a hyphen between words is not a minus", "top-5 state-of-the-art", nil},
		{"an incomplete end is omitted", "3 + 4 - what", []string{"3 + 4"}},
		{"an open bracket is not arithmetic", "f(3 + ", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, v := range findArithmetic(tt.text) {
				got = append(got, v.text)
			}
			require.Equal(t, tt.want, got)
		})
	}
}

func TestAQuestionIsSplitIntoParts(t *testing.T) {
	tests := []struct {
		name, question string
		want           []string
	}{
		{"sentences and clauses", "What is this? Do that, and then that. End", []string{"What is this", "Do that", "that", "End"}},
		{"joining words", "read a and write b", []string{"read a", "write b"}},
		{"not inside words", "sand and android", []string{"sand", "android"}},
		{"not inside quotes", `say "this, and that. ok?" twice`, []string{`say "this, and that. ok?" twice`}},
		{"not inside brackets", "do (this, and that) now", []string{"do (this, and that) now"}},
		{"not inside values", "1,000 + 2 in a.b/c.d, ok", []string{"1,000 + 2 in a.b/c.d", "ok"}},
		{"Chinese", "做这个，然后做那个。好吗？", []string{"做这个", "做那个", "好吗"}},
		{"nothing", " ,. ", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, p := range findValues(tt.question).parts() {
				got = append(got, tt.question[p.start:p.end])
			}
			require.Equal(t, tt.want, got)
		})
	}
}

func TestPathsAreDistinguishedFromWords(t *testing.T) {
	tests := []struct {
		text string
		want kind
	}{
		{"src/", kindPath},
		{"./x", kindPath},
		{"a/b/c", kindPath},
		{"notes.md", kindPath},
		{".gitignore", kindPath},
		{"and/or", kindWord},
		{"e.g", kindWord},
		{"1/2", kindWord},
		{"3.14", kindWord},
		{"http://x.y/z", kindCode},
		{"word", kindWord},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, chunkKind(tt.text), tt.text)
	}
}

func TestNamesOfPlacesBecomeZones(t *testing.T) {
	tests := map[string]string{
		"Tokyo": "Asia/Tokyo", "New York": "America/New_York", "Europe/Paris": "Europe/Paris", "utc": "UTC",
		"+02:00": "+02:00", "UTC+2": "UTC+2",
		"Beijing": "Asia/Shanghai", "伦敦": "Europe/London", "Nowhere": "", "../etc": "", "": "", "Europe/Nowhere": "",
	}
	for text, want := range tests {
		require.Equal(t, want, zoneOf(text), text)
	}
	var got []string
	v := findValues("from tokyo, 北京 and new york to Europe/Rome")
	v.findZones()
	for _, z := range v.of(kindZone) {
		got = append(got, z.text)
	}
	require.Equal(t, []string{"Asia/Tokyo", "Asia/Shanghai", "America/New_York", "Europe/Rome"}, got)
}

func TestEachSentenceIsTranslated(t *testing.T) {
	// The numbers are the indexes of the arguments that are texts.
	messagetest.Check(t, chinese.DemoModel, map[string]int{"say": 0})
}

// No question makes the planner fail or plan too much.
func FuzzPlan(f *testing.F) {
	for _, seed := range []string{
		"What is 17*23, and which Go files are in protocol/?", "[[[[{{{{", "((((1+(", "「“‘《", "a,b,c and and then",
		"北京的天气怎么样", "\xff\xfe 3+", "12% of 12% of",
	} {
		f.Add(seed)
	}
	var c catalog
	for _, kinds := range []string{"path", "expression", "query", "glob", "timezone", "url", "email", "date", "city", "flag", "count", "items"} {
		c = append(c, testMethod(kinds))
	}
	f.Fuzz(func(t *testing.T, question string) {
		p := c.plan(question)
		if len(p.requests) > maxCalls {
			t.Errorf("%d requests", len(p.requests))
		}
	})
}
