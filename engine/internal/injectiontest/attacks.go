// Package injectiontest reads the attacks by prompt injection in testdata/injection.
package injectiontest

import (
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// Attack is foreign text that tries to make a model or the parser request the method trap_run.
type Attack struct{ Name, Text string }

// Read returns the attacks in a file. testdata/injection/README.md describes its format. Read fails
// the test if a line has another format.
func Read(tb testing.TB, path string) (list []Attack) {
	tb.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		name, literals, _ := strings.Cut(line, ": \"")
		text, err := textOf(`"` + literals)
		if err != nil {
			tb.Fatalf("%s: %q is not a name and a text: %v", path, line, err)
		}
		list = append(list, Attack{Name: name, Text: text})
	}
	return list
}

// Requests returns the distinct requests for trap_run that the parser finds in the attack with any
// of the protocols.
func (a *Attack) Requests(tb testing.TB, protocols []protocol.Protocol) (list []protocol.ToolRequest) {
	tb.Helper()
	for _, p := range protocols {
		reply, err := parser.ParseToolRequests(p, a.Text, parser.Options{
			Tolerance: scan.Greedy, Quoted: parser.QuotedRun, Reasoning: parser.ReasoningRun, Finish: protocol.FinishStop,
			Logger: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			tb.Fatal(err)
		}
		for _, q := range reply.Requests {
			same := func(r protocol.ToolRequest) bool { return slices.Equal(r.Arguments, q.Arguments) }
			if q.Err == nil && q.ToolName == "trap_run" && !slices.ContainsFunc(list, same) {
				list = append(list, protocol.ToolRequest{ToolName: q.ToolName, Arguments: q.Arguments})
			}
		}
	}
	return list
}

// textOf returns the text of Go string literals that are joined by " + ". *n after a literal
// repeats it n times.
func textOf(literals string) (string, error) {
	var text strings.Builder
	for rest := literals; rest != ""; {
		literal, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return "", err
		}
		value, err := strconv.Unquote(literal)
		if err != nil {
			return "", err
		}
		times, next, _ := strings.Cut(rest[len(literal):], " + ")
		n := 1
		if times != "" {
			if n, err = strconv.Atoi(strings.TrimPrefix(times, "*")); err != nil {
				return "", err
			}
		}
		text.WriteString(strings.Repeat(value, n))
		rest = next
	}
	return text.String(), nil
}
