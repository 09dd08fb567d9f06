package parser_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/internal/workload"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// How often a byte of input may be examined, on average. If the input comes in pieces, text that
// is held back is examined again.
const (
	maxExamined       = 4
	maxExaminedPieces = 8       // also for a block without an end
	examinedAtEnds    = 1 << 10 // bytes that may be examined in addition, at the two ends of an input of any size
)

// unended marks an input that is one block without an end.
const unended = "a block without an end"

// repetitive returns inputs of one repeated text. In each of them a careless parser would often
// search for something that comes at the end or is missing.
func repetitive(size int) []workload.Input {
	repeat := func(s string) string { return strings.Repeat(s, size/len(s)) }
	return []workload.Input{
		{Name: "lines that end in a carriage return", Text: repeat("text\r")},
		{Name: "requests on one line", Text: repeat(startMarker + "k:「始」v「末」" + endMarker)},
		{
			Name: "requests with a doubtful << near their end",
			Text: repeat(startMarker + "tool_name:「始」a_b「末」k:「始」" + strings.Repeat("text ", 400) + "<<「末」" + endMarker),
		},
		{
			Name: "markers that mean nothing inside a block", About: unended,
			Text: startMarker + "k:「始」v「末」" + repeat("<<<[TOOL_DEFINITION]>>>"),
		},
		{Name: "a JSON body", Text: startMarker + `{"tool_name":"a_b","x":"` + repeat("text ") + `"}` + endMarker},
		{
			Name: "carriage returns in a quoted value",
			Text: "```\n" + startMarker + "tool_name:「始」v「末」x:「始」" + repeat("<\r") + "k:「始」「末」" + endMarker,
		},
		{Name: "blanks in a value", Text: startMarker + "tool_name:「始」a_b「末」x:「始」x" + repeat(" ") + "x「末」" + endMarker},
		{
			Name: "wide blanks in a value",
			Text: startMarker + "tool_name:「始」a_b「末」x:「始」x" + repeat("\u3000") + "x「末」" + endMarker,
		},
		{
			Name: "a long line after blanks in a value",
			Text: startMarker + "tool_name:「始」a_b「末」x:「始」  " + repeat("x y ") + "「末」" + endMarker,
		},
		{
			Name: "line breaks before a value",
			Text: startMarker + "tool_name:「始」a_b「末」x:「始」" + repeat("\n ") + "x「末」" + endMarker,
		},
	}
}

// How many bytes are examined depends only on the input, so "make test" uses the smallest inputs
// that show whether the work is linear.
func TestNoByteIsExaminedOften(t *testing.T) {
	size := longtest.Count(1<<17, 1<<20)
	t.Run("vcp", func(t *testing.T) {
		checkWork(t, vcp.Protocol{}, slices.Concat(workload.Hostile(size), workload.Ordinary(), repetitive(size/4)))
	})
	t.Run("hermes", func(t *testing.T) {
		checkWork(t, hermes.Protocol{}, append(workload.HermesHostile(size), workload.HermesOrdinary()...))
	})
}

func checkWork(t *testing.T, proto protocol.Protocol, inputs []workload.Input) {
	for _, in := range inputs {
		most := maxExamined
		if in.About == unended {
			most = maxExaminedPieces
		}
		for _, level := range []scan.Tolerance{scan.Strict, scan.Safe} {
			o := parser.Options{Tolerance: level, Finish: protocol.FinishStop}
			whole := parser.Examined(parser.NewWhole(t, proto, in.Text, o))
			p, err := parser.New(proto, o)
			if err != nil {
				t.Fatal(err)
			}
			var events []parser.Event
			for _, piece := range workload.Pieces(in.Text, 4) {
				events = p.Feed(events[:0], piece)
			}
			pieces := parser.Examined(p)
			t.Logf("%s at %s: %d bytes, %d examined whole, %d in pieces", in.Name, level, len(in.Text), whole, pieces)
			if whole > most*len(in.Text)+examinedAtEnds {
				t.Errorf("%s at %s: %d bytes are examined for an input of %d bytes, want at most %d times as many",
					in.Name, level, whole, len(in.Text), most)
			}
			if pieces > maxExaminedPieces*len(in.Text)+examinedAtEnds {
				t.Errorf("%s at %s, in pieces: %d bytes are examined for an input of %d bytes, want at most %d times as many",
					in.Name, level, pieces, len(in.Text), maxExaminedPieces)
			}
		}
	}
}

// The end of a line is not searched for again after each part of the line. In pieces, each part
// waits for its end, so this test reads the text whole.
func TestALongLineBetweenFieldsIsExaminedInLinearWork(t *testing.T) {
	input := startMarker + "tool_name:「始」a_b「末」\n" + strings.Repeat("x y< ", 10_000) + endMarker
	whole := parser.Examined(parser.NewWhole(t, vcp.Protocol{}, input, parser.Options{Finish: protocol.FinishStop}))
	if most := maxExamined*len(input) + examinedAtEnds; whole > most {
		t.Errorf("%d bytes are examined for an input of %d bytes, want at most %d", whole, len(input), most)
	}
}

// maxWork is how often a byte of any reply may be examined, on average. Each piece of four bytes
// may cause all text that is held back to be examined again. A repeated search would examine each
// byte thousands of times, because the replies are long.
const maxWork = 64

// checkLinear checks law 4 of docs/dialect.md, section 6, for a reply of one repeated text.
func checkLinear(t testing.TB, proto protocol.Protocol, input string, o parser.Options) {
	t.Helper()
	whole := parser.Examined(parser.NewWhole(t, proto, input, o))
	p, err := parser.New(proto, o)
	if err != nil {
		t.Fatal(err)
	}
	var events []parser.Event
	for _, piece := range workload.Pieces(input, 4) {
		events = p.Feed(events[:0], piece)
	}
	if most := maxWork*len(input) + examinedAtEnds; whole > most || parser.Examined(p) > most {
		t.Fatalf("%d bytes are examined (%d in pieces) for an input of %d bytes, want at most %d; options %+v, input %.400q… …%.200q",
			whole, parser.Examined(p), len(input), most, o, input, input[max(0, len(input)-200):])
	}
}

// repeated returns a reply that begins with a part of input and then repeats the rest.
func repeated(rnd *rand.Rand, input string, size int) string {
	if input == "" {
		return ""
	}
	from := rnd.IntN(len(input))
	return input[:from] + strings.Repeat(input[from:], size/(len(input)-from)+1)
}

func TestGeneratedRepliesTakeLinearWork(t *testing.T) {
	rnd := rand.New(rand.NewPCG(24, 25))
	for range longtest.Count(20, 100) {
		for _, s := range subjects {
			for _, pieces := range [][]string{s.pieces, wholeLines(s.call)} {
				checkLinear(t, s.proto, repeated(rnd, drawFrom(rnd, pieces), 32<<10), drawOptions(rnd))
			}
		}
	}
}

// FuzzLinearWork checks that no reply makes the parser examine a byte often (docs/dialect.md,
// section 6, law 4).
func FuzzLinearWork(f *testing.F) {
	seeds := rand.New(rand.NewPCG(26, 27))
	for range longtest.Count(4, 20) { // each seed takes long
		for _, s := range subjects {
			f.Add(drawFrom(seeds, s.pieces), seeds.Uint64())
			f.Add(drawFrom(seeds, wholeLines(s.call)), seeds.Uint64())
		}
	}
	for _, s := range subjects {
		for i, c := range seedCases(f, s.corpus) {
			if i%16 == 0 {
				f.Add(c.Input, seeds.Uint64())
			}
		}
	}
	f.Fuzz(func(t *testing.T, input string, random uint64) {
		rnd := rand.New(rand.NewPCG(random, 0))
		o := drawOptions(rnd)
		drawLimited(random, &o)
		// With longer replies the fuzzer would test too few replies.
		text := repeated(rnd, input[:min(len(input), 2<<10)], 8<<10)
		for _, s := range subjects {
			checkLinear(t, s.proto, text, o)
		}
	})
}

// liveHeap returns how much more memory is in use after f than before, while the result of f is
// alive.
func liveHeap(f func() any) int {
	var before, after runtime.MemStats
	settle := func(m *runtime.MemStats) {
		for range 3 { // two collections empty a sync.Pool; the third is a margin
			runtime.GC()
		}
		runtime.ReadMemStats(m)
	}
	settle(&before)
	held := f()
	settle(&after)
	runtime.KeepAlive(held)
	return int(after.HeapAlloc) - int(before.HeapAlloc)
}

// The rest of a value past the limit of a block is not kept while it streams.
func TestAValuePastTheLimitIsNotHeld(t *testing.T) {
	p, err := parser.New(vcp.Protocol{}, parser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	piece := []byte(strings.Repeat("字", 1<<15))
	held := liveHeap(func() any {
		events := p.Feed(nil, []byte(startMarker+"\ntool_name:「始」a_b「末」\nk:「始」"))
		for range 64 << 20 / len(piece) {
			events = p.Feed(events[:0], piece)
		}
		return p
	})
	if limit := 4 * scan.MaxBlockBytes; held > limit { // a buffer may be larger than what it contains
		t.Errorf("%d bytes of a value of 64 MB are kept, want at most %d", held, limit)
	}
}

// A stream keeps at most as many bytes as its input and one block of the largest allowed size have
// together. A Reply keeps at most as many, not counting the text that was parsed. "make test" uses
// a small input and a small limit, "make test-long" also the default limit.
func TestHeldMemoryIsBounded(t *testing.T) {
	type sizes struct{ input, maxBlock int } // in bytes
	list := []sizes{{2 << 20, 512 << 10}}
	if longtest.Enabled() {
		list = append(list,
			sizes{scan.MaxBlockBytes + 1<<20, scan.MaxBlockBytes}, sizes{16 << 20, scan.MaxBlockBytes})
	}
	for _, s := range list {
		name := fmt.Sprintf("with %d KiB", s.input>>10)
		t.Run("vcp "+name, func(t *testing.T) {
			checkHeld(t, vcp.Protocol{}, workload.Hostile(s.input), s.maxBlock)
		})
		t.Run("hermes "+name, func(t *testing.T) {
			checkHeld(t, hermes.Protocol{}, workload.HermesHostile(s.input), s.maxBlock)
		})
	}
}

func checkHeld(t *testing.T, proto protocol.Protocol, inputs []workload.Input, maxBlock int) {
	limits := parser.Limits{BlockBytes: maxBlock}
	for _, in := range inputs {
		text := strings.Clone(in.Text)
		limit := len(text) + maxBlock
		reply := liveHeap(func() any {
			return parse(t, proto, text, parser.Options{Finish: protocol.FinishStop, Limits: limits})
		})
		stream := liveHeap(func() any {
			p, err := parser.New(proto, parser.Options{Limits: limits})
			if err != nil {
				t.Fatal(err)
			}
			var events []parser.Event
			for rest := text; rest != ""; {
				n := min(len(rest), 64<<10)
				events = p.Feed(events[:0], []byte(rest[:n]))
				rest = rest[n:]
			}
			return p
		})
		runtime.KeepAlive(text)
		t.Logf("%s: reply %d KiB, stream %d KiB of %d", in.Name, reply>>10, stream>>10, limit>>10)
		if reply > limit {
			t.Errorf("%s: the reply keeps %d bytes; the limit is %d", in.Name, reply, limit)
		}
		if stream > limit {
			t.Errorf("%s: the stream keeps %d bytes; the limit is %d", in.Name, stream, limit)
		}
	}
}
