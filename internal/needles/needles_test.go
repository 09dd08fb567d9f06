package needles

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "github.com/vcpgo/vcp/internal/rapidseed"
	"github.com/vcpgo/vcp/internal/workload"
)

// indexSlow returns what Index promises. It compares each two bytes with all pairs.
func indexSlow(b []byte, pairs []string) int {
	for i := 1; i < len(b); i++ {
		if slices.Contains(pairs, string(b[i-1:i+1])) {
			return i - 1
		}
	}
	return -1
}

// The pairs with \x in the first set are the last two bytes of 末, 始, ＜ and 《 in UTF-8.
func TestIndexFindsTheFirstPair(t *testing.T) {
	sets := [][]string{
		{"<<", "\x9c\xab", "\xa7\x8b", "\xbc\x9c", "\x80\x8a"},
		{"ab"},
		{"<t", "<T", "</"},
		{"ab", "aB", "ax", "aX", "<y", "<Y", "bz", "zy", "\x00\x00", "@`", "@@"}, // letters in both cases
		{"ab", "\x9cx", "\x80\xff", "\xff\x80", "aa", "bz", "zy", "\x00\x00"},
	}
	rapid.Check(t, func(t *rapid.T) {
		pairs := rapid.SampledFrom(sets).Draw(t, "pairs")
		alphabet := []byte("aAbBXY@`\x9c\xab\xa7\x8bxyz<")
		if rapid.Bool().Draw(t, "hits") {
			alphabet = append(alphabet, "<&/t\x80\x8a\xbc"...)
		}
		b := rapid.SliceOfN(rapid.SampledFrom(alphabet), 0, 200).Draw(t, "text")
		b = append(bytes.Repeat([]byte{'.'}, rapid.IntRange(0, 300).Draw(t, "lead")), b...)
		s := New(pairs...)
		want := indexSlow(b, pairs)
		for name, got := range map[string]int{
			"Index": s.Index(b), "bytes": s.indexBytes(b), "anchors": s.indexAnchors(b),
		} {
			if got != want {
				t.Fatalf("%s of %q is %d, want %d", name, b, got, want)
			}
		}
	})
}

func TestCursorFindsWhatIndexFinds(t *testing.T) {
	sets := []*Set{New("<<", "\x9c\xab", "\xa7\x8b", "\xbc\x9c", "\x80\x8a"), New("<t", "<T", "</", "``"), New("ab")}
	alphabet := []byte("ab<<t/`\x9c\xab\xa7\x8b\xbc\x80\x8a" + strings.Repeat(".", 60))
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.SampledFrom(alphabet), 1, 3000).Draw(t, "text")
		var c Cursor
		at, end := 0, len(text)
		for range 30 {
			switch rapid.IntRange(0, 9).Draw(t, "move") {
			case 0:
				at = rapid.IntRange(0, len(text)-1).Draw(t, "at")
			case 1:
				end = rapid.IntRange(at, len(text)).Draw(t, "end")
			}
			if end = max(end, at); at == end {
				end = len(text)
			}
			s := sets[max(0, rapid.IntRange(-9, len(sets)-1).Draw(t, "set"))] // mostly the first
			want := s.indexBytes(text[at:end])
			if got := c.indexAnchors(s, text[at:end], at); got != want {
				t.Fatalf("from %d to %d of %q: %d, want %d", at, end, text, got, want)
			}
			if want >= 0 {
				at += want + 1
			}
		}
	})
}

func TestIndexFindsTheFirstPairOfAClass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		half := rapid.Uint16() // a set of values of half a byte
		classes := make([]Class, rapid.IntRange(1, maxClasses).Draw(t, "classes"))
		for i := range classes {
			classes[i] = Class{
				half.Draw(t, "first, high"), half.Draw(t, "low"), half.Draw(t, "second, high"), half.Draw(t, "low"),
			}
		}
		b := bytes.Repeat(rapid.SliceOfN(rapid.Byte(), 1, 1).Draw(t, "lead"), rapid.IntRange(0, 300).Draw(t, "size"))
		b = append(b, rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(t, "text")...)
		want := -1
		for i := 1; i < len(b) && want < 0; i++ {
			if slices.ContainsFunc(classes, func(c Class) bool {
				return c.FirstHigh>>(b[i-1]>>4)&1 != 0 && c.FirstLow>>(b[i-1]&15)&1 != 0 &&
					c.SecondHigh>>(b[i]>>4)&1 != 0 && c.SecondLow>>(b[i]&15)&1 != 0
			}) {
				want = i - 1
			}
		}
		if got := Classes(classes...).Index(b); got != want {
			t.Fatalf("Index(%q) for %v is %d, want %d", b, classes, got, want)
		}
	})
}

func TestIndexReadsNothingPastTheEnd(t *testing.T) {
	s := New("ab")
	for size := range 200 {
		text := append(bytes.Repeat([]byte{'.'}, size), "ab"...)
		if got := s.Index(text[: size+1 : size+1]); got != -1 {
			t.Fatalf("half a pair found at %d of %d bytes", got, size+1)
		}
		if got := s.Index(text); got != size {
			t.Fatalf("the last pair of %d bytes found at %d", size+2, got)
		}
	}
}

func TestNewPanicsOnInvalidLists(t *testing.T) {
	for name, pairs := range map[string][]string{
		"no pair": nil, "nine pairs": {"ab", "ac", "ad", "ae", "af", "ag", "ah", "ai", "aj"}, "three bytes": {"abc"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Panics(t, func() { New(pairs...) })
		})
	}
}

func TestClassesPanicsOnInvalidNumbers(t *testing.T) {
	for _, n := range []int{0, maxClasses + 1} {
		require.Panics(t, func() { Classes(make([]Class, n)...) }, "%d classes", n)
	}
}

func BenchmarkIndex(b *testing.B) {
	text := []byte(workload.Prose(1 << 20))
	s := New("<<", "\x9c\xab", "\xa7\x8b", "\xbc\x9c", "\x80\x8a")
	for _, way := range []struct {
		name  string
		index func([]byte) int
	}{{"index", s.Index}, {"anchors", s.indexAnchors}, {"bytes", s.indexBytes}} {
		b.Run(way.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				for i := 0; i < len(text); i++ {
					at := way.index(text[i:])
					if at < 0 {
						break
					}
					i += at
				}
			}
		})
	}
	b.Run("utf8", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			utf8.Valid(text)
		}
	})
}
