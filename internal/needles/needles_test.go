package needles

import (
	"bytes"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/workload"
	"pgregory.net/rapid"
)

// indexSlow is what Index promises, byte by byte.
func indexSlow(b []byte, pairs []string) int {
	for i := 1; i < len(b); i++ {
		if slices.Contains(pairs, string(b[i-1:i+1])) {
			return i - 1
		}
	}
	return -1
}

func TestIndexFindsTheFirstPair(t *testing.T) {
	sets := [][]string{
		{"<<", "\x9c\xab", "\xa7\x8b", "\xbc\x9c", "\x80\x8a"},
		{"ab"},
		{"<t", "<T", "</"},
		{"ab", "aB", "ax", "aX", "<y", "<Y", "bz", "zy", "\x00\x00", "@`", "@@"}, // cases share a bit
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
		for name, got := range map[string]int{"Index": s.Index(b), "bytes": s.indexBytes(b), "windows": s.indexWindows(b)} {
			if got != want {
				t.Fatalf("%s of %q is %d, want %d", name, b, got, want)
			}
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

func TestNewPanicsOnOtherLists(t *testing.T) {
	for name, pairs := range map[string][]string{
		"no pair": nil, "nine pairs": {"ab", "ac", "ad", "ae", "af", "ag", "ah", "ai", "aj"}, "three bytes": {"abc"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Fatal("no panic")
				}
			}()
			New(pairs...)
		})
	}
}

func BenchmarkIndex(b *testing.B) {
	text := []byte(workload.Prose(1 << 20))
	s := New("<<", "\x9c\xab", "\xa7\x8b", "\xbc\x9c", "\x80\x8a")
	for _, way := range []struct {
		name  string
		index func([]byte) int
	}{{"index", s.Index}, {"windows", s.indexWindows}, {"bytes", s.indexBytes}} {
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
