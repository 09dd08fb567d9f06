package demomodel

import (
	"testing"

	"github.com/stretchr/testify/require"
)

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

func TestPlacesAndOffsetsBecomeZones(t *testing.T) {
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
