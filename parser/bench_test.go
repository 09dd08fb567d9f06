package parser_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/vcpgo/vcp/internal/workload"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// whole reads a text at the default settings.
func whole(tb testing.TB, proto protocol.Protocol, text string) {
	if _, err := parser.ParseToolRequests(proto, text, parser.Options{Finish: protocol.FinishStop}); err != nil {
		tb.Fatal(err)
	}
}

// stream reads a text in pieces. It reuses the memory of events.
func stream(tb testing.TB, proto protocol.Protocol, pieces [][]byte, events []parser.Event) []parser.Event {
	p, err := parser.New(proto, parser.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	for _, piece := range pieces {
		events = p.Feed(events[:0], piece)
	}
	events, _ = p.Close(events[:0], protocol.FinishStop)
	return events
}

var baselineField = regexp.MustCompile(`([a-zA-Z0-9_-]+):「始」([\s\S]*?)「末」`)

// baseline reads a reply as other systems do: it finds the blocks, and then the fields by a regular
// expression.
func baseline(text string) (fields int) {
	const start, end = "<<<[TOOL_REQUEST]>>>", "<<<[END_TOOL_REQUEST]>>>"
	for {
		at := strings.Index(text, start)
		if at < 0 {
			return fields
		}
		text = text[at+len(start):]
		stop := strings.Index(text, end)
		if stop < 0 {
			return fields
		}
		fields += len(baselineField.FindAllStringSubmatch(text[:stop], -1))
		text = text[stop+len(end):]
	}
}

// A benchmark stores its results here, so that the compiler does not remove the work.
var (
	kept     parser.Reply
	keptText string
)

// remake copies a reply: it allocates the memory of the result without reading.
func remake(reply *parser.Reply) {
	kept.Text = slices.Clone(reply.Text)
	kept.Requests = slices.Clone(reply.Requests)
	for i := range kept.Requests {
		kept.Requests[i].Arguments = slices.Clone(kept.Requests[i].Arguments)
	}
}

func BenchmarkWhole(b *testing.B) {
	for _, in := range workload.Ordinary() {
		if in.Piece > 0 {
			continue
		}
		text := in.Text
		b.Run(in.Name+"/parse", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				whole(b, vcp.Protocol{}, text)
			}
		})
		o := parser.Options{Finish: protocol.FinishStop}
		if reply := parse(b, vcp.Protocol{}, text, o); len(reply.Requests) > 0 {
			b.Run(in.Name+"/joined", func(b *testing.B) { // with a copy of the visible text
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					reply, _ := parser.ParseToolRequests(vcp.Protocol{}, text, o)
					keptText = reply.Text.String()
				}
			})
			b.Run(in.Name+"/memory", func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					remake(&reply)
				}
			})
		}
		raw := []byte(text)
		b.Run(in.Name+"/utf8", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				utf8.Valid(raw)
			}
		})
		b.Run(in.Name+"/baseline", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				baseline(text)
			}
		})
	}
}

// BenchmarkMix shows how the speed depends on the seed, and on how much of the text is Chinese:
// five or eight of ten parts.
func BenchmarkMix(b *testing.B) {
	for _, in := range slices.Concat(workload.Mixes(5), workload.Mixes(8)) {
		raw := []byte(in.Text)
		b.Run(in.Name+"/parse", func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				whole(b, vcp.Protocol{}, in.Text)
			}
		})
		b.Run(in.Name+"/utf8", func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				utf8.Valid(raw)
			}
		})
	}
}

// reportPiece reports the time per piece of a benchmark whose loop reads that many pieces.
func reportPiece(b *testing.B, pieces int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(pieces), "ns/piece")
}

func BenchmarkStream(b *testing.B) {
	for _, in := range workload.Ordinary() {
		if in.Piece == 0 {
			continue
		}
		pieces := workload.Pieces(in.Text, in.Piece)
		b.Run(in.Name+"/parse", func(b *testing.B) {
			b.SetBytes(int64(len(in.Text)))
			b.ReportAllocs()
			var events []parser.Event
			for b.Loop() {
				events = stream(b, vcp.Protocol{}, pieces, events)
			}
			reportPiece(b, len(pieces))
		})
		b.Run(in.Name+"/copy", func(b *testing.B) {
			b.SetBytes(int64(len(in.Text)))
			buf := make([]byte, 0, len(in.Text))
			for b.Loop() {
				buf = buf[:0]
				for _, piece := range pieces {
					buf = append(buf, piece...)
				}
			}
			reportPiece(b, len(pieces))
		})
		b.Run(in.Name+"/reported", func(b *testing.B) {
			b.SetBytes(int64(len(in.Text)))
			f := copier{buf: make([]byte, 0, len(in.Text))}
			var events []parser.Event
			for b.Loop() {
				f.buf = f.buf[:0]
				for _, piece := range pieces {
					events = f.Feed(events[:0], piece)
				}
			}
			reportPiece(b, len(pieces))
		})
	}
}

// copier is a parser that reads nothing: it copies each piece and emits an event for it.
type copier struct{ buf []byte }

//go:noinline
func (f *copier) Feed(dst []parser.Event, piece []byte) []parser.Event {
	at := len(f.buf)
	f.buf = append(f.buf, piece...)
	return append(dst, parser.Event{Kind: parser.EventText, Data: f.buf[at:]})
}

func BenchmarkHostile(b *testing.B) {
	for _, size := range []int{1 << 20, 16 << 20} {
		for _, in := range workload.Hostile(size) {
			b.Run(in.Name+"/"+map[int]string{1 << 20: "1MB", 16 << 20: "16MB"}[size], func(b *testing.B) {
				b.SetBytes(int64(len(in.Text)))
				b.ReportAllocs()
				for b.Loop() {
					whole(b, vcp.Protocol{}, in.Text)
				}
			})
		}
	}
}

// TestInputsOfBenchmarksAreRead reads the inputs of all benchmarks except BenchmarkMix. The hostile
// ones are shorter here.
func TestInputsOfBenchmarksAreRead(t *testing.T) {
	var events []parser.Event
	for _, in := range append(workload.Ordinary(), workload.Hostile(1<<16)...) {
		whole(t, vcp.Protocol{}, in.Text)
		if in.Piece > 0 {
			events = stream(t, vcp.Protocol{}, workload.Pieces(in.Text, in.Piece), events)
		}
		if len(in.Text) < 1<<17 { // the baseline is slow
			baseline(in.Text)
		}
	}
	for _, in := range append(workload.HermesOrdinary(), workload.HermesHostile(1<<16)...) {
		whole(t, hermes.Protocol{}, in.Text)
		events = stream(t, hermes.Protocol{}, workload.Pieces(in.Text, 4), events)
	}
}

// BenchmarkHermes reads the inputs of the other benchmarks in the Hermes form: whole, in pieces,
// and hostile ones.
func BenchmarkHermes(b *testing.B) {
	for _, in := range workload.HermesOrdinary() {
		b.Run(in.Name, func(b *testing.B) {
			b.SetBytes(int64(len(in.Text)))
			b.ReportAllocs()
			if in.Piece == 0 {
				for b.Loop() {
					whole(b, hermes.Protocol{}, in.Text)
				}
				return
			}
			pieces := workload.Pieces(in.Text, in.Piece)
			var events []parser.Event
			for b.Loop() {
				events = stream(b, hermes.Protocol{}, pieces, events)
			}
			reportPiece(b, len(pieces))
		})
	}
	for _, size := range []int{1 << 20, 8 << 20} {
		for _, in := range workload.HermesHostile(size) {
			b.Run(in.Name+"/"+map[int]string{1 << 20: "1MB", 8 << 20: "8MB"}[size], func(b *testing.B) {
				b.SetBytes(int64(len(in.Text)))
				for b.Loop() {
					whole(b, hermes.Protocol{}, in.Text)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(in.Text)), "ns/byte")
			})
		}
	}
}
