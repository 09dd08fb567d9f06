package parser_test

import (
	"maps"
	"math/rand/v2"
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

// Fewer than maxHoldBack bytes of visible text may be withheld, apart from the exceptions of law 3
// (docs/dialect.md, section 6).
const maxHoldBack = 128

// heldBack streams text without requests byte by byte. It returns the largest number of bytes that
// were withheld at one time.
func heldBack(t testing.TB, proto protocol.Protocol, text string, level scan.Tolerance) int {
	t.Helper()
	p, err := parser.New(proto, parser.Options{Tolerance: level})
	if err != nil {
		t.Fatal(err)
	}
	var events []parser.Event
	reported, most := 0, 0
	for i := range len(text) {
		events = p.Feed(events[:0], []byte(text[i:i+1]))
		for _, e := range events {
			if e.Kind == parser.EventText || e.Kind == parser.EventReasoning {
				reported += len(e.Data)
			}
		}
		most = max(most, i+1-reported)
	}
	return most
}

func TestLittleTextIsWithheld(t *testing.T) {
	texts := map[string]string{
		"prose":                         workload.Prose(1 << 16),
		"blanks":                        strings.Repeat(" ", 4096),
		"emphasis":                      strings.Repeat("*", 4096),
		"blockquote marks":              strings.Repeat("> ", 2048),
		"list marks":                    strings.Repeat("- ", 2048),
		"digits":                        strings.Repeat("1", 4096),
		"backticks":                     strings.Repeat("`", 4096),
		"a long info string":            "```" + strings.Repeat("x", 4096),
		"brackets":                      strings.Repeat("<", 4096),
		"half markers":                  strings.Repeat("<<<[TOOL_REQ", 400),
		"half openers":                  strings.Repeat("「始ESCAPE:", 400),
		"a long tail after an opener":   "「始ESCAPE:" + strings.Repeat("x", 4096),
		"think with attributes":         "a <think " + strings.Repeat("x", 4096),
		"a closing tag and blanks":      "a </think>" + strings.Repeat(" ", 4096),
		"a result's mark and a word":    "<<<[TOOL_RESULT]>>>" + strings.Repeat("x", 4096),
		"escaped markers":               strings.Repeat("&lt;&lt;", 500),
		"a tool's name":                 strings.Repeat("tool_name", 500),
		"a tool's name and blanks":      "tool_name:" + strings.Repeat(" ", 4096),
		"open code spans with closers":  strings.Repeat("`「末」 x ", 300),
		"line breaks":                   strings.Repeat("\r\n", 2048),
		"lines of blanks":               strings.Repeat(strings.Repeat("\t", 70)+"\r", 50),
		"a closer in an open code span": "`「末」" + strings.Repeat("x", 4096),
		"full-width brackets":           strings.Repeat("＜", 1000),
		"double brackets":               strings.Repeat("《", 1000),
		"marker words without brackets": strings.Repeat("TOOL_REQUEST ", 300),
		"a marker with blanks":          strings.Repeat("<<< [ TOOL", 300),
	}
	for name, text := range texts {
		for _, level := range levels {
			if held := heldBack(t, vcp.Protocol{}, text, level); held >= maxHoldBack {
				t.Errorf("%s, %s: %d bytes were withheld, want fewer than %d", level, name, held, maxHoldBack)
			}
		}
	}
}

func TestLittleTextIsWithheldInHermes(t *testing.T) {
	texts := map[string]string{
		"prose":                       workload.Prose(1 << 16),
		"brackets":                    strings.Repeat("<", 4096),
		"half tags":                   strings.Repeat("<tool_", 700),
		"tags with blanks":            strings.Repeat("< / tool_", 500),
		"openers":                     strings.Repeat("<tool_call>", 400),
		"openers and names":           strings.Repeat("<tool_call>"+strings.Repeat("k", 64)+" x", 60),
		"openers, names and blanks":   strings.Repeat("<tool_call>"+strings.Repeat("k", 60)+strings.Repeat(" ", 30)+"x", 40),
		"openers and backticks":       strings.Repeat("<tool_call>"+strings.Repeat("`", 60)+"x", 60),
		"openers and words in a line": strings.Repeat("<tool_call> after it (a word) and {braces} ", 100),
		"a long name":                 "<tool_call>" + strings.Repeat("k", 4096),
		"results within a line":       strings.Repeat("a <tool_response> ", 200),
		"definitions within a line":   strings.Repeat("a <tools> ", 400),
		"quotation marks":             strings.Repeat(`"`, 4096),
		"keys":                        strings.Repeat(`"arguments": `, 300),
		"objects":                     strings.Repeat(`{"name": 1, `, 300),
	}
	for name, text := range texts {
		for _, level := range levels {
			if held := heldBack(t, hermes.Protocol{}, text, level); held >= maxHoldBack {
				t.Errorf("%s, %s: %d bytes were withheld, want fewer than %d", level, name, held, maxHoldBack)
			}
		}
	}
}

// drawRuns draws a reply with repeated pieces, so that there is text to withhold.
func drawRuns(rnd *rand.Rand) string {
	var b strings.Builder
	for range 1 + rnd.IntN(3) {
		b.WriteString(drawInput(rnd))
		b.WriteString(strings.Repeat(pick(rnd, vcpPieces), rnd.IntN(200)))
	}
	return b.String()
}

func TestLongGeneratedRepliesAreReportedInTime(t *testing.T) {
	rnd := rand.New(rand.NewPCG(14, 15))
	for range longtest.Count(300, 2000) {
		input := drawRuns(rnd)
		o := drawOptions(rnd)
		checkHoldBack(t, input, someCuts(rnd, input), o)
	}
}

// FuzzHoldBack checks that no reply, however it is cut, withholds more than law 3 of
// docs/dialect.md, section 6, allows.
func FuzzHoldBack(f *testing.F) {
	seedAll(f)
	rnd := rand.New(rand.NewPCG(16, 17))
	for range longtest.Count(10, 50) {
		f.Add(drawRuns(rnd), rnd.Uint64())
	}
	f.Fuzz(func(t *testing.T, input string, random uint64) {
		rnd := rand.New(rand.NewPCG(random, 0))
		o := drawOptions(rnd)
		drawLimited(random, &o)
		checkHoldBack(t, input, someCuts(rnd, input), o)
	})
}

// progress is how much was reported after a part of the input.
type progress struct {
	fed       int            // bytes of the input
	text      int            // bytes of text and reasoning
	arguments map[string]int // bytes of arguments, by the request's ID
}

// checkHoldBack streams the input in pieces. It compares the events after each piece with the final
// reading of the whole input.
func checkHoldBack(t testing.TB, input string, cuts []int, o parser.Options) {
	t.Helper()
	if o.Quoted == parser.QuotedAuto {
		o.Quoted = parser.QuotedSkip // auto decides at the end, after all events
	}
	if o.Reasoning == parser.ReasoningRun {
		o.Reasoning = parser.ReasoningIgnore // a request in reasoning that runs is reported at its end
	}
	p, err := parser.New(vcp.Protocol{}, o)
	if err != nil {
		t.Fatal(err)
	}
	var (
		events       []parser.Event
		steps        []progress
		now          = progress{arguments: map[string]int{}}
		reclassified bool // a lone closing tag made the text before it reasoning (C3)
	)
	for _, cut := range append(cuts, len(input)) {
		events = p.Feed(events[:0], []byte(input[now.fed:cut]))
		now.fed = cut
		now.arguments = maps.Clone(now.arguments)
		for _, e := range events {
			switch e.Kind {
			case parser.EventText, parser.EventReasoning:
				now.text += len(e.Data)
			case parser.EventArgumentDelta:
				now.arguments[e.RequestID] += len(e.Data)
			case parser.EventReclassified:
				reclassified = true
			}
		}
		steps = append(steps, now)
	}
	events, reply := p.Close(events[:0], o.Finish)
	for _, e := range events {
		reclassified = reclassified || e.Kind == parser.EventReclassified
	}
	if reclassified && len(reply.Requests) > 0 {
		return // requests that were taken out are reasoning now, so the steps cannot be compared with the final text
	}
	parts := visibleParts(parser.InputParts(p))
	reported := now.text
	for _, e := range events {
		if e.Kind == parser.EventText || e.Kind == parser.EventReasoning {
			reported += len(e.Data)
		}
	}
	if n, _ := withheld(parts, progress{fed: len(input)}); n < reported {
		return // a request that was reported as text was taken out (C12): the places of the reported text are unknown
	}
	for _, step := range steps {
		n, from := withheld(parts, step)
		if n >= maxHoldBack && !mayWait(&reply, input, from, step.fed, n, o.Tolerance) {
			t.Fatalf("after %d bytes of the input %d bytes of %q are withheld, want fewer than %d; input %q, options %+v",
				step.fed, n, input[from:step.fed], maxHoldBack, input, o)
		}
	}
	checkArguments(t, input, reply.Requests, steps, o)
}

// visibleParts returns the parts that are reported as text or reasoning, in order.
func visibleParts(all []parser.InputPart) []parser.Span {
	var parts []parser.Span
	for _, part := range all {
		if part.Kind == "text" || part.Kind == "reasoning" || part.Kind == "inner" {
			parts = append(parts, part.Span)
		}
	}
	return parts
}

// withheld returns how much of the visible parts was fed and not reported, and its start.
func withheld(parts []parser.Span, step progress) (n, from int) {
	reported := step.text
	for _, part := range parts {
		size := min(part.End, step.fed) - part.Start
		switch {
		case size <= 0:
		case reported >= size:
			reported -= size
		default:
			if n == 0 {
				from = part.Start + reported
			}
			n += size - reported
			reported = 0
		}
	}
	return n, from
}
