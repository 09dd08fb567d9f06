package replies

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vcpgo/vcp/internal/workload"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// benchLine is a line of the input as encoding/json reads and writes it.
type benchLine struct {
	ID     json.RawMessage `json:"id"`
	Text   string          `json:"text"`
	Finish string          `json:"finish"`
}

// benchInput returns lines of ordinary replies.
func benchInput(tb testing.TB, lines int) []byte {
	tb.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for i, text := range workload.Replies(lines) {
		id, err := json.Marshal(i)
		require.NoError(tb, err)
		require.NoError(tb, e.Encode(benchLine{ID: id, Text: text, Finish: "stop"}))
	}
	return b.Bytes()
}

// parseLines reads the lines as the command does.
func parseLines(tb testing.TB, input []byte, out io.Writer) {
	tb.Helper()
	r := Reader{protocol: vcp.Protocol{}, jsonl: true}
	if err := r.lines(bytes.NewReader(input), "lines", out); err != nil {
		tb.Fatal(err)
	}
}

// copyLines decodes and encodes the lines as the command does, without parsing the replies.
func copyLines(tb testing.TB, input []byte, out io.Writer) {
	tb.Helper()
	var d lineDecoder
	var output []byte
	for line := range bytes.Lines(input) {
		input, err := d.decode(line)
		if err != nil {
			tb.Fatal(err)
		}
		output = append(append(append(output[:0], `{"id":`...), input.id...), `,"reply":`...)
		reply := parser.Reply{Text: parser.Text{input.text}}
		output = append(reply.AppendJSON(output), "}\n"...)
		if _, err := out.Write(output); err != nil {
			tb.Fatal(err)
		}
	}
}

// copyLinesStandard decodes and encodes the lines with encoding/json, without parsing the replies.
func copyLinesStandard(tb testing.TB, input []byte, out io.Writer) {
	tb.Helper()
	d := json.NewDecoder(bytes.NewReader(input))
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	for {
		var line benchLine
		if err := d.Decode(&line); err == io.EOF {
			return
		} else if err != nil {
			tb.Fatal(err)
		}
		if err := e.Encode(&line); err != nil {
			tb.Fatal(err)
		}
	}
}

// BenchmarkLines alternates between three functions, so that other load of the machine affects all
// of them.
func BenchmarkLines(b *testing.B) {
	input := benchInput(b, 100)
	functions := [...]func(testing.TB, []byte, io.Writer){parseLines, copyLines, copyLinesStandard}
	var took [len(functions)]time.Duration
	for b.Loop() {
		for i, function := range functions {
			start := time.Now()
			function(b, input, io.Discard)
			took[i] += time.Since(start)
		}
	}
	for i, name := range []string{"parse", "copy", "encoding/json"} {
		b.ReportMetric(float64(len(input))*float64(b.N)/took[i].Seconds()/1e6, name+"-MB/s")
	}
	b.ReportMetric(float64(took[0])/float64(took[1]), "x-copy")
	b.ReportMetric(float64(took[0])/float64(took[2]), "x-encoding/json")
	b.ReportMetric(0, "ns/op") // meaningless for all three together
}

// The figures of the benchmark can be compared only if each function reads and writes all lines.
func TestBenchmarkedFunctionsReadAllLines(t *testing.T) {
	input := benchInput(t, 10)
	for _, function := range []func(testing.TB, []byte, io.Writer){parseLines, copyLines, copyLinesStandard} {
		var out bytes.Buffer
		function(t, input, &out)
		require.Equal(t, bytes.Count(input, []byte("\n")), bytes.Count(out.Bytes(), []byte("\n")))
		require.Greater(t, out.Len(), len(input)*9/10) // copyLines omits the finish reasons
	}
}
