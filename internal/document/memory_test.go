package document_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vcpgo/vcp/internal/document"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/memorytest"
	_ "github.com/vcpgo/vcp/internal/rapidseed"
)

// checkMemory checks that Parse uses memory in proportion to the length of the document. Parse must
// return a value within the limits, or a short error. The YAML library needs up to 700 bytes for
// one byte of "? ?". It also builds a tree of up to 10,000 levels, some MiB, before Parse can
// refuse the tree.
func checkMemory(t rapid.TB, data []byte) {
	t.Helper()
	var v document.Value
	var err error
	got := memorytest.Allocated(func() { v, err = document.Parse(data) })
	if most := 1000*len(data) + 16<<20; got > most {
		t.Fatalf("%d bytes were allocated, more than %d, for %d bytes of %.200q", got, most, len(data), data)
	}
	if err != nil {
		if strings.ContainsAny(err.Error(), "\n\x00\x1b") || len(err.Error()) > 500 {
			t.Fatalf("the error is not a short line: %q", err)
		}
		return
	}
	depth, entries := measure(v)
	if depth > document.ConfigurationLimits.Depth || entries > document.ConfigurationLimits.Entries {
		t.Fatalf("%.200q has depth %d and %d entries", data, depth, entries)
	}
}

// measure returns the nesting depth of a value, and the number of its entries.
func measure(v document.Value) (depth, entries int) {
	inner := v.Items
	for _, f := range v.Fields {
		inner = append(inner, f.Value)
	}
	for _, item := range inner {
		d, n := measure(item)
		depth, entries = max(depth, d), entries+n
	}
	if !v.Scalar() {
		depth++
	}
	return depth, entries + len(inner)
}

// pieces are the pieces of which TestLawMemoryIsLinear makes hostile documents.
var pieces = []string{
	"a", "b: ", "a: 1", "\n", " ", "  ", "- ", "? ", ": ", "[", "]", "{", "}", ",", "\"", "'", "#", " #c", "|", ">",
	"|2", ">-", "|+", "&a ", "*a", "!!str ", "!<x>", "!e!t", "%YAML 1.2", "---", "...", "\r", "\t", "\r\n", "<<: ",
	"末", "\\u0041", "\\", "\x00", "\u2028", "\u0085", "\ufeff", "\n\n", "\n ", "\n  ", "\n- ",
	"k:\n", ": |\n ", "# c\n", "1", "~", "=", "@", "`", "0x1", "1e5", "2001-01-01", "&x [", "*x,", "\xff\xfe",
}

// A law is a property that rapid checks with generated inputs.
func TestLawMemoryIsLinear(t *testing.T) {
	size := longtest.Count(16<<10, 256<<10) // bytes
	rapid.Check(t, func(t *rapid.T) {
		some := func(name string, least, most int) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), least, most).Draw(t, name), "")
		}
		head, repeated, tail := some("head", 0, 4), some("repeated", 1, 4), some("tail", 0, 3)
		checkMemory(t, []byte(head+strings.Repeat(repeated, size/len(repeated))+tail))
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "a: 1\nb: [x, {c: d}]\n", `{"a":[1,"\ud83d\ude00",null]}`, "a: &x [1]\nb: [*x, *x]\n", "a: |\n \n \n x\n",
		"? ? ? a", "- - - - a", "<<: {a: 1}", "a: !!binary aGk=", "%YAML 1.1\n---\na: 0o7\n...\n---\n",
		"\ufeffa: 1\r\nb: 'x''y'\r\n", "\xff\xfea\x00:\x00 \x001\x00", "{a: [[[[[[[[[[[[[[[[[[[[[[]]",
		"a: \"\\x41\\N\\_\\L\\P\\U0001F600\"", "a:\n\t- b", "a: b: c",
		"a: 2001-01-01T00:00:00Z\nb: .inf\nc: 0b1_0\nd: <<\n",
		"#\n# a\n\na: #b\n  c # d\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkMemory(t, data) })
}
