package parser_test

import (
	"strings"
	"testing"

	"github.com/vcpgo/vcp/internal/workload"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// maxHoldBack is how much visible text may be withheld, in bytes (DIALECT section 6, law 3).
const maxHoldBack = 128

// heldBack streams text that holds no request, byte by byte, and returns how much of it was withheld at most.
func heldBack(t testing.TB, text string, level protocol.Tolerance) int {
	t.Helper()
	p, err := parser.New(vcp.Protocol{}, parser.Options{Tolerance: level})
	if err != nil {
		t.Fatal(err)
	}
	var events []parser.Event
	told, most := 0, 0
	for i := range len(text) {
		events = p.Feed(events[:0], []byte(text[i:i+1]))
		for _, e := range events {
			if e.Kind == parser.EventText || e.Kind == parser.EventReasoning {
				told += len(e.Data)
			}
		}
		most = max(most, i+1-told)
	}
	return most
}

func TestTextIsWithheldOnlyForAMoment(t *testing.T) {
	texts := map[string]string{
		"prose":                           workload.Ordinary()[2].Text[:1<<16],
		"blanks":                          strings.Repeat(" ", 4096),
		"emphasis":                        strings.Repeat("*", 4096),
		"quotation marks":                 strings.Repeat("> ", 2048),
		"list marks":                      strings.Repeat("- ", 2048),
		"digits":                          strings.Repeat("1", 4096),
		"backticks":                       strings.Repeat("`", 4096),
		"a long info string":              "```" + strings.Repeat("x", 4096),
		"brackets":                        strings.Repeat("<", 4096),
		"half markers":                    strings.Repeat("<<<[TOOL_REQ", 400),
		"openers in brackets":             strings.Repeat("「始ESCAPE:", 400),
		"a long tail behind an opener":    "「始ESCAPE:" + strings.Repeat("x", 4096),
		"think with attributes":           "a <think " + strings.Repeat("x", 4096),
		"closing tags and blanks":         "a </think>" + strings.Repeat(" ", 4096),
		"a result's mark and blanks":      "<<<[TOOL_RESULT]>>>" + strings.Repeat("x", 4096),
		"escaped markers":                 strings.Repeat("&lt;&lt;", 500),
		"a tool's name":                   strings.Repeat("tool_name", 500),
		"a tool's name and blanks":        "tool_name:" + strings.Repeat(" ", 4096),
		"open code spans with closers":    strings.Repeat("`「末」 x ", 300),
		"line breaks":                     strings.Repeat("\r\n", 2048),
		"a closer in an open code span":   "`「末」" + strings.Repeat("x", 4096),
		"full-width brackets":             strings.Repeat("＜", 1000),
		"double brackets":                 strings.Repeat("《", 1000),
		"marker words without brackets":   strings.Repeat("TOOL_REQUEST ", 300),
		"a marker that goes on in blanks": strings.Repeat("<<< [ TOOL", 300),
	}
	for name, text := range texts {
		for _, level := range []protocol.Tolerance{protocol.Strict, protocol.Safe, protocol.Greedy} {
			if held := heldBack(t, text, level); held >= maxHoldBack {
				t.Errorf("%s, %s: %d bytes were withheld", level, name, held)
			}
		}
	}
}
