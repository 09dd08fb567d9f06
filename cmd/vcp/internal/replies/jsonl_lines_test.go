package replies

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// manyLines is input with a given number of lines. It makes each line when the line is read.
type manyLines struct {
	left int      // lines that were not made yet
	rest string   // of the current line
	heap []uint64 // the bytes in use, measured every hundred lines
}

func (m *manyLines) Read(p []byte) (int, error) {
	if m.rest == "" {
		if m.left == 0 {
			return 0, io.EOF
		}
		m.left--
		m.rest = `{"id":"` + strings.Repeat("i", 100) + `","text":"` + strings.Repeat("some text ", 1000) + `"}` + "\n"
		if m.left%100 == 0 {
			runtime.GC()
			var stats runtime.MemStats
			runtime.ReadMemStats(&stats)
			m.heap = append(m.heap, stats.HeapAlloc)
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

func TestMemoryIsIndependentOfTheNumberOfLines(t *testing.T) {
	in := &manyLines{left: longtest.Count(500, 5000)} // 10 KB each
	r := Reader{protocol: vcp.Protocol{}, jsonl: true}
	require.NoError(t, r.lines(in, "many lines", io.Discard))
	// All lines together have more than twice as many bytes as the 2 MiB allowed here.
	require.Less(t, slices.Max(in.heap), in.heap[0]+2<<20, "bytes in use while the lines were read")
}

// brokenInput fails to read after the end of a text.
type brokenInput struct{ text io.Reader }

var errBroken = errors.New("the input failed")

func (b brokenInput) Read(p []byte) (int, error) {
	if n, err := b.text.Read(p); err == nil {
		return n, nil
	}
	return 0, errBroken
}

func TestBrokenInputFailsAfterItsLines(t *testing.T) {
	var out strings.Builder
	r := Reader{protocol: vcp.Protocol{}, jsonl: true}
	err := r.lines(brokenInput{strings.NewReader(`{"id":1,"text":"a"}` + "\n" + `{"id":2,`)}, "tape", &out)
	require.ErrorIs(t, err, errBroken)
	require.ErrorContains(t, err, "tape")
	require.Equal(t, "1", string(outputOf(t, out.String()).ID))
	require.Equal(t, 1, strings.Count(out.String(), "\n"))
}

// failing is a protocol whose scanner panics at the word boom.
type failing struct{ vcp.Protocol }

func (f failing) NewScanner(o scan.Options) scan.Scanner {
	return failingScanner{f.Protocol.NewScanner(o)}
}

type failingScanner struct{ scan.Scanner }

func (s failingScanner) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	if strings.Contains(string(src), "boom") {
		panic("boom")
	}
	return s.Scanner.Scan(src, from, atEOF)
}

func TestAProtocolThatFailsIsReportedWithTheID(t *testing.T) {
	var out strings.Builder
	r := Reader{protocol: failing{}, jsonl: true, options: parser.Options{Logger: slog.New(slog.DiscardHandler)}}
	err := r.lines(strings.NewReader(`{"id":1,"text":"boom"}`+"\n"+`{"id":2,"text":"a"}`+"\n"), "x", &out)
	require.ErrorContains(t, err, "1 of 2 lines")
	lines := strings.Split(out.String(), "\n")
	require.Equal(t, "1", string(outputOf(t, lines[0]).ID))
	require.Equal(t, "protocol_failed", outputOf(t, lines[0]).Error.Code)
	require.Equal(t, "a", outputOf(t, lines[1]).Text)

	out.Reset()
	err = r.readOne(strings.NewReader("boom"), "x", &out)
	require.ErrorContains(t, err, "boom")
	require.Equal(t, "boom", outputOf(t, out.String()).Text)
}

func TestTooLongLineIsReported(t *testing.T) {
	r := Reader{protocol: vcp.Protocol{}, jsonl: true}
	var out strings.Builder
	in := io.MultiReader(
		strings.NewReader(`{"text":"`), io.LimitReader(&endless{}, maxLine), strings.NewReader("\"}\n"),
		strings.NewReader(`{"id":2,"text":"b"}`))
	err := r.lines(in, "input", &out)
	require.ErrorContains(t, err, "1 of 2 lines could not be read")
	first, second, _ := strings.Cut(out.String(), "\n")
	require.Equal(t, `{"id":null,"error":{"code":"bad_line",`+
		`"message":"line 1: longer than 64 MiB, the limit of a line"}}`, first)
	require.Contains(t, second, `{"id":2,`)
}

// outputLine is the part of a line of output that these tests compare.
type outputLine struct {
	ID       json.RawMessage
	Text     string
	Requests []struct{ Status string }
	Error    *struct{ Code string }
}

func outputOf(t *testing.T, line string) (out outputLine) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(line), &out), "%.200s", line)
	return out
}

// endless is a text without line breaks and without end.
type endless struct{ read int } // read is the number of bytes that were read

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	e.read += len(p)
	return len(p), nil
}
