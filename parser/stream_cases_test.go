package parser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/qwencoder"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// nameless is a request without a tool's name.
const nameless = startMarker + "k:「始」v「末」" + endMarker

// See row B5 and the law of chunk invariance (docs/dialect.md, section 6).
func TestAnEscapedStartWithoutEndInAFenceIsText(t *testing.T) {
	in := "```\n&lt;&lt;[TOOL_REQUEST]&gt;&gt;\nk:「始」v「末」\n"
	o := parser.Options{Tolerance: scan.Greedy, Finish: protocol.FinishStop}
	if got := parse(t, vcp.Protocol{}, in, o).Text.String(); got != in {
		t.Errorf("the text is %q, want %q", got, in)
	}
	checkChunks(t, vcp.Protocol{}, in, o, allCuts(in))
}

// The deltas of an argument are its text (V3 and law 5 of docs/dialect.md, section 6).
func TestDeltasOfAnArgumentAreItsText(t *testing.T) {
	in := startMarker + "\ntool_name:「始」x「末」\n" +
		"v:「始ESCAPE」a " + endMarker + " b <<<[TOOL_REQUEST_ESCAPE]>>> c「末ESCAPE」\n" + endMarker
	events, reply := feed(t, vcp.Protocol{}, in, nil, parser.Options{Finish: protocol.FinishStop})
	reported := ""
	for _, e := range events {
		if e.Kind == parser.EventArgumentDelta {
			reported += e.Data
		}
	}
	if want := reply.Requests[0].Arguments[0].Value; reported != want {
		t.Errorf("reported %q, read %q", reported, want)
	}
}

// A dropped part has no events of requests (B14 and law 5 of docs/dialect.md, section 6).
func TestDroppedRequestsHaveNoEvents(t *testing.T) {
	in := resultMarker + "\n" + startMarker + "\ntool_name:「始」x「末」,\na:「始」1「末」\n" + endMarker +
		startMarker + "\ntool_name:「始」y「末」\n" + endMarker
	events, _ := feed(t, vcp.Protocol{}, in, nil, parser.Options{Finish: protocol.FinishStop})
	for _, e := range events {
		if e.Request != "" {
			t.Errorf("an event of a dropped request was sent: %+v", e)
		}
	}
}

// A request past a default limit could not be read back (law 6 of docs/dialect.md, section 6).
func TestFormatRefusesWhatPassesALimit(t *testing.T) {
	var many []protocol.Argument // with the tool's name, one field more than the limit
	for i := range scan.MaxFields {
		many = append(many, protocol.Argument{Name: fmt.Sprintf("a%dx", i), Value: "v"})
	}
	long := strings.Repeat("x", scan.MaxBlockBytes)
	for name, r := range map[string]protocol.ToolRequest{
		"too many fields": {ToolName: "x", Arguments: many},
		"too many bytes":  {ToolName: "x", Arguments: []protocol.Argument{{Name: "a", Value: long}}},
	} {
		if _, err := (vcp.Protocol{}).FormatToolRequests([]protocol.ToolRequest{r}); err == nil {
			t.Errorf("%s: the request was written, want an error", name)
		}
	}
}

// A request past a limit is not stored, so it does not become reasoning with the text around it.
// See C3, B15, and laws 1 and 2 of docs/dialect.md, section 6.
func TestARequestPastALimitDoesNotBecomeReasoning(t *testing.T) {
	in := "thought" + startMarker + "\ntool_name:「始」x「末」\n" + endMarker + "\n</think>\nanswer\n"
	o := parser.Options{Finish: protocol.FinishStop, Limits: parser.Limits{BlockBytes: 30}}
	reply := parse(t, vcp.Protocol{}, in, o)
	if q := reply.Requests[0]; q.Status != parser.StatusInvalid || q.Err.Code != scan.CodeLimitExceeded {
		t.Errorf("the request is %s (%v), want invalid with the code %s", q.Status, q.Err, scan.CodeLimitExceeded)
	}
	if want := "thought\n"; reply.Reasoning != want {
		t.Errorf("the reasoning is %q, want %q", reply.Reasoning, want)
	}
	checkConservation(t, vcp.Protocol{}, in, o)
	checkChunks(t, vcp.Protocol{}, in, o, allCuts(in))
}

// After the last request that is read, a START without a field or in a code span is text, in a
// stream too (B7, B15, C9, and law 1 of docs/dialect.md, section 6).
func TestAStartAfterTooManyRequestsIsText(t *testing.T) {
	many := strings.Repeat(nameless+"\n", scan.MaxBlocks+2)
	for name, last := range map[string]string{
		"without a field":                 startMarker + " begins one.\n" + strings.Repeat("More. ", 1000),
		"in a code span":                  "`" + startMarker + "` begins one.\n" + strings.Repeat("More. ", 1000),
		"in a code span around a request": "`" + nameless + "` is one.\n" + strings.Repeat("More. ", 1000),
	} {
		t.Run(name, func(t *testing.T) {
			in := many + last
			o := parser.Options{Finish: protocol.FinishStop}
			want := strings.Repeat("\n", scan.MaxBlocks+2) + last
			if got := parse(t, vcp.Protocol{}, in, o).Text.String(); got != want {
				t.Errorf("the text is %q, want %q", got, want)
			}
			checkConservation(t, vcp.Protocol{}, in, o)
			checkChunks(t, vcp.Protocol{}, in, o, cutsEvery(1, in), cutsEvery(900, in))
		})
	}
}

// A request past the limit of its size is in no code span, so that a stream need not keep it (B15,
// C9, and law 1 of docs/dialect.md, section 6).
func TestARequestPastTheLimitOfItsSizeIsInNoCodeSpan(t *testing.T) {
	in := "`" + startMarker + "k:「始」" + strings.Repeat("long ", 2000) + "「末」" + endMarker + "` is one.\n"
	o := parser.Options{Finish: protocol.FinishStop, Limits: parser.Limits{BlockBytes: 5000}}
	reply := parse(t, vcp.Protocol{}, in, o)
	if got, want := reply.Text.String(), "`` is one.\n"; got != want {
		t.Errorf("the text is %q, want %q", got, want)
	}
	if err := reply.Requests[0].Err; err == nil || err.Code != scan.CodeLimitExceeded {
		t.Errorf("the request's error is %v, want %s", err, scan.CodeLimitExceeded)
	}
	checkConservation(t, vcp.Protocol{}, in, o)
	checkChunks(t, vcp.Protocol{}, in, o, cutsEvery(1, in), cutsEvery(900, in))
}

// See the law of chunk invariance (docs/dialect.md, section 6).
func TestAValueThatRunsPastItsQuoteReadsTheSameInPieces(t *testing.T) {
	in := "> " + startMarker + "\n> tool_name:「始」x「末」\n> v:「始」a\n\nb:「始」c「末」\n" + endMarker + "\n</think>\nanswer\n"
	checkChunks(t, vcp.Protocol{}, in, parser.Options{Finish: protocol.FinishStop}, allCuts(in))
}

// These inputs once broke the law of chunk invariance (docs/dialect.md, section 6).
func TestRareRepliesDoNotDependOnHowTheyAreCut(t *testing.T) {
	for name, c := range map[string]struct {
		level scan.Tolerance
		in    string
	}{
		"two closers on one line": {scan.Strict, nameless + "\n<think>\na</think></think> b\n"},
		"a key too long after bare fields": {
			scan.Greedy, "tool_name:「始」a「末」\n" + strings.Repeat("x", 130) + ":「始」c「末」\n",
		},
		"bare fields far indented":  {scan.Greedy, strings.Repeat(" ", 55) + "tool_name:「始」a「末」\n"},
		"bare fields with a bullet": {scan.Greedy, "tool_name:「始」x\n- e:「始」y「末」\n"},
		"a forgotten closer in a quote": {
			scan.Greedy, "> " + startMarker + "\ntool_name:「始」x「末」\nv:「始」a\n\nk:「始」v「末」\n" + endMarker + "\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := parser.Options{Tolerance: c.level, Finish: protocol.FinishStop}
			checkChunks(t, vcp.Protocol{}, c.in, o, allCuts(c.in))
		})
	}
}

// The bytes of a block over a limit are forgotten while it is read, wherever it began.
func TestBlocksOverALimitAreReadInPieces(t *testing.T) {
	blocks := map[protocol.Protocol]string{
		vcp.Protocol{}: startMarker + "\ntool_name:「始」a_b「末」\n" + strings.Repeat("path:「始」aaaaaaaaaa「末」\n", 300),
		hermes.Protocol{}: `<tool_call>{"name":"a_b","arguments":{` +
			strings.Repeat("\"path\":\n \"aaaaaaaaaa\",\n", 300) + `"":` + "\n ",
		qwencoder.Protocol{}: "<tool_call>\n<function=a_b>\n" +
			strings.Repeat("<parameter=path>\naaaaaaaaaa\n</parameter>\n", 300),
	}
	for proto, block := range blocks {
		for _, place := range []string{"", "<think>\n", "> ", "```\n", "- ```\n", "`"} {
			for _, limits := range []parser.Limits{{BlockBytes: 100}, {Fields: 5}, {}} {
				input := place + block + "<think>\n</think>\n"
				o := parser.Options{Finish: protocol.FinishStop, Limits: limits}
				checkChunks(t, proto, input, o, cutsEvery(1, input), cutsEvery(100, input), cutsEvery(1000, input))
			}
		}
	}
}

// Emphasis alone on a line is held back until it is known whether a result follows it, also if the
// stream is cut within one of its characters.
func TestEmphasisThatIsCutWithinACharacterIsHeldBack(t *testing.T) {
	o := parser.Options{Finish: protocol.FinishStop}
	for _, s := range subjects {
		for _, input := range []string{
			"x\n\u3000<tool_response>{", "x\n\ufeff<tool_response>{", "x\n*\u3000<tool_response>\n{}",
			"x\n\u3000\u3000<<<[TOOL_RESULT]>>>", "x\n\u3000\n\ufeffy", "\u3000",
		} {
			checkChunks(t, s.proto, input, o, cutsEvery(1, input), cutsEvery(2, input), cutsEvery(3, input))
		}
	}
}

// The parser reads long lines between fields in parts.
func TestAPartOfALongRunOfBackticksClosesNoCodeSpan(t *testing.T) {
	o := parser.Options{Finish: protocol.FinishStop}
	for run := 380; run < 520; run++ {
		in := "`` " + startMarker + " tool_name:「始」a_b「末」 " + strings.Repeat("`", run) + " c:「始」d「末」" + endMarker + " x\n"
		if got := parse(t, vcp.Protocol{}, in, o).Requests[0].Status; got != parser.StatusReady {
			t.Errorf("after a run of %d backticks the request is %s, want %s", run, got, parser.StatusReady)
		}
	}
}
