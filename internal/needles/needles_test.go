package needles

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// indexSlow is what Index promises, written down byte by byte.
func indexSlow(b []byte, singles string, pairs []string) int {
	for i := range b {
		if strings.IndexByte(singles, b[i]) >= 0 {
			return i
		}
		for _, p := range pairs {
			if i+1 < len(b) && string(b[i:i+2]) == p {
				return i
			}
		}
	}
	return -1
}

func TestNeedlesAreFoundWhereTheyStandFirst(t *testing.T) {
	sets := []struct {
		singles string
		pairs   []string
	}{
		{"<", nil},
		{"<&\\", []string{"\x9c\xab", "\xa7\x8b", "\xbc\x9c", "\x80\x8a"}},
		{"\n\r", []string{"ab", "aa"}},
		{"", []string{"<<", "\x9c\xab", "\xa7\x8b", "\xbc\x9c", "\x80\x8a"}},
		{"", []string{"ab"}},
		{"", []string{"ab", "\x9cx", "\x80\xff", "\xff\x80", "aa", "bz", "zy", "\x00\x00"}},
	}
	rapid.Check(t, func(t *rapid.T) {
		set := rapid.SampledFrom(sets).Draw(t, "set")
		alphabet := []byte("ab\x9c\xab\xa7\x8bxyz")
		if rapid.Bool().Draw(t, "hits") {
			alphabet = append(alphabet, "<&\n\x80\x8a\xbc"...)
		}
		b := rapid.SliceOfN(rapid.SampledFrom(alphabet), 0, 200).Draw(t, "text")
		b = append(bytes.Repeat([]byte{'.'}, rapid.IntRange(0, 70).Draw(t, "lead")), b...)
		want := indexSlow(b, set.singles, set.pairs)
		if got := New(set.singles, set.pairs...).Index(b); got != want {
			t.Fatalf("Index(%q) = %d, want %d", b, got, want)
		}
	})
}

func TestNeedlesAreListedUntilTheListIsFull(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := New("<\xab\n")
		alphabet := []byte("<\xab\nabc")[rapid.IntRange(0, 5).Draw(t, "from"):]
		b := rapid.SliceOfN(rapid.SampledFrom(alphabet), 0, 400).Draw(t, "text")
		list := make([]uint16, rapid.IntRange(64, 200).Draw(t, "room"))
		count, read := n.List(list, b)
		if read < len(b) && count <= len(list)-64 {
			t.Fatalf("List(%q) has stopped at %d of %d bytes with %d of %d places used", b, read, len(b), count, len(list))
		}
		var want []uint16
		for i, c := range b[:read] {
			if strings.IndexByte("<\xab\n", c) >= 0 {
				want = append(want, uint16(i))
			}
		}
		if !slices.Equal(list[:count], want) {
			t.Fatalf("List(%q) = %v up to %d, want %v", b, list[:count], read, want)
		}
	})
}

// The end of memory is the end of the search: nothing behind b is looked at.
func TestNeedlesBehindTheEndAreNotFound(t *testing.T) {
	n := New("<", "ab")
	for size := range 200 {
		text := append(bytes.Repeat([]byte{'.'}, size), "ab<"...)
		if got := n.Index(text[:size:size]); got != -1 {
			t.Fatalf("found at %d of %d bytes", got, size)
		}
		if got := n.Index(text[: size+1 : size+1]); got != -1 {
			t.Fatalf("half a pair found at %d of %d bytes", got, size+1)
		}
		if got := n.Index(text[:size+2]); got != size {
			t.Fatalf("the last pair of %d bytes found at %d", size+2, got)
		}
	}
}

func TestNeedlesThatCannotBeSearchedForPanic(t *testing.T) {
	for name, make := range map[string]func(){
		"no needle":                func() { New("") },
		"four singles":             func() { New("abcd") },
		"five pairs and a single":  func() { New("a", "ab", "ac", "ad", "ae", "af") },
		"nine pairs":               func() { New("", "ab", "ac", "ad", "ae", "af", "ag", "ah", "ai", "aj") },
		"a pair of three bytes":    func() { New("a", "abc") },
		"two pairs that end alike": func() { New("a", "ab", "cb") },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Fatal("no panic")
				}
			}()
			make()
		})
	}
	t.Run("pairs are listed", func(t *testing.T) {
		defer func() {
			if recover() == nil {
				t.Fatal("no panic")
			}
		}()
		New("<", "ab").List(make([]uint16, 64), []byte("<"))
	})
}

func BenchmarkNeedles(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var text []byte
	for len(text) < 64<<10 {
		for range 12 {
			text = utf8.AppendRune(text, rune(0x4E00+rnd.IntN(0x4E00)))
		}
		text = append(text, " some words in ascii stand here "...)
	}
	text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("始"), nil), []byte("末"), nil)
	n := New("<", "\x9c\xab", "\xa7\x8b", "\xbc\x9c", "\x80\x8a")
	b.Run("vector", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			for i := 0; i < len(text); i++ {
				at := n.Index(text[i:])
				if at < 0 {
					break
				}
				i += at
			}
		}
	})
	b.Run("loop", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			for i := 0; i < len(text); i += minVector - 1 {
				n.Index(text[i:min(i+minVector-1, len(text))])
			}
		}
	})
	b.Run("utf8", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			utf8.Valid(text)
		}
	})
}
