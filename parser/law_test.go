package parser_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// same reports whether two replies are equal, except for Request.Fields.
func same(a, b *parser.Reply) bool {
	return a.Text.Equal(b.Text) && a.Reasoning == b.Reasoning && a.Finish == b.Finish &&
		slices.Equal(a.Dropped, b.Dropped) && slices.Equal(a.Notices, b.Notices) &&
		slices.EqualFunc(a.Requests, b.Requests, func(q, r parser.Request) bool {
			return q.ID == r.ID && q.ToolName == r.ToolName && q.Command == r.Command && q.Label == r.Label &&
				q.RawBlock == r.RawBlock && q.Span == r.Span && q.Status == r.Status && truncationOf(&q) == truncationOf(&r) &&
				slices.Equal(q.Arguments, r.Arguments) && slices.Equal(q.Repairs, r.Repairs) &&
				(q.Err == nil) == (r.Err == nil) && (q.Err == nil || *q.Err == *r.Err)
		})
}

var replyOptions = cmp.Options{cmpopts.IgnoreUnexported(parser.Request{}), cmpopts.EquateEmpty()}

// checkChunks checks the law of chunk invariance (docs/dialect.md, section 6, law 2).
func checkChunks(t testing.TB, proto protocol.Protocol, input string, o parser.Options, cuttings ...[]int) {
	t.Helper()
	wantEvents, want := feed(t, proto, input, nil, o)
	for _, cuts := range cuttings {
		gotEvents, got := feed(t, proto, input, cuts, o)
		// Comparing by reflection is slow, so it is used only for the message of a failure.
		if !same(&want, &got) {
			t.Fatalf("cut at %v the reply differs (-whole +cut):\n%s\ninput: %q", cuts, cmp.Diff(want, got, replyOptions), input)
		}
		if !slices.Equal(wantEvents, gotEvents) {
			t.Fatalf("cut at %v the events differ (-whole +cut):\n%s\ninput: %q", cuts, cmp.Diff(wantEvents, gotEvents), input)
		}
	}
	text, err := parser.ParseToolRequests(proto, input, o)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, text, replyOptions); d != "" {
		t.Fatalf("a stream of one piece and ParseToolRequests differ (-stream +text):\n%s\ninput: %q", d, input)
	}
}

// checkConservation checks the law of conservation (docs/dialect.md, section 6, law 1): text,
// reasoning, its tags, requests and dropped parts are the input, in order and each byte once.
func checkConservation(t testing.TB, proto protocol.Protocol, input string, o parser.Options) {
	t.Helper()
	p, err := parser.New(proto, o)
	if err != nil {
		t.Fatal(err)
	}
	p.Feed(nil, []byte(input))
	_, reply := p.Close(nil, o.Finish)
	text, reasoning := "", ""
	at := 0
	requests, inner := map[parser.Span]bool{}, map[parser.Span]bool{}
	for _, part := range parser.InputParts(p) {
		if part.Span.Start != at || part.Span.End < at {
			t.Fatalf("the part %v does not begin at %d: %q", part.Span, at, input)
		}
		at = part.Span.End
		switch part.Kind {
		case "text":
			text += input[part.Span.Start:part.Span.End]
		case "reasoning":
			reasoning += input[part.Span.Start:part.Span.End]
		case "inner":
			reasoning += input[part.Span.Start:part.Span.End]
			inner[part.Span] = true
		case "request":
			requests[part.Span] = true
		}
	}
	if at != len(input) {
		t.Fatalf("the parts end at %d of %d: %q", at, len(input), input)
	}
	if text != reply.Text.String() {
		t.Fatalf("text is %q, want %q; input %q", reply.Text, text, input)
	}
	// The reply joins the sections of reasoning by line breaks.
	if strings.ReplaceAll(reasoning, "\n", "") != strings.ReplaceAll(reply.Reasoning, "\n", "") {
		t.Fatalf("reasoning is %q, want %q; input %q", reply.Reasoning, reasoning, input)
	}
	for _, q := range reply.Requests {
		if inner[q.Span] {
			continue
		}
		if taken := q.Status != parser.StatusQuoted && q.Status != parser.StatusReasoning; taken != requests[q.Span] {
			t.Fatalf("the %s request %s at %v is taken out of the text: %t, want %t; input %q",
				q.Status, q.ID, q.Span, requests[q.Span], taken, input)
		}
		if q.RawBlock != "" && q.RawBlock != input[q.Span.Start:q.Span.End] {
			t.Fatalf("the raw block of request %s is not the text of its span: %q", q.ID, input)
		}
	}
}

func TestGeneratedRepliesDoNotDependOnHowTheyAreCut(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range longtest.Count(300, 3000) {
		for _, s := range subjects {
			for _, pieces := range [][]string{s.pieces, wholeLines(s.call)} {
				input, o := drawFrom(rnd, pieces), drawOptions(rnd)
				checkChunks(t, s.proto, input, o, allCuts(input), someCuts(rnd, input))
				checkConservation(t, s.proto, input, o)
				o.Limits = drawLimits(rnd, 1)
				checkChunks(t, s.proto, input, o, allCuts(input), someCuts(rnd, input))
				checkConservation(t, s.proto, input, o)
			}
		}
	}
}

// Long replies are checked too, because a stream forgets text that was read, and long replies
// exceed limits.
func TestLongGeneratedRepliesDoNotDependOnHowTheyAreCut(t *testing.T) {
	rnd := rand.New(rand.NewPCG(20, 21))
	for range longtest.Count(40, 400) {
		for _, s := range subjects {
			for _, pieces := range [][]string{s.pieces, wholeLines(s.call)} {
				input, o := drawLong(rnd, pieces), drawOptions(rnd)
				if rnd.IntN(2) == 0 {
					o.Limits = drawLimits(rnd, pick(rnd, []int{1, 20}))
				}
				checkChunks(t, s.proto, input, o,
					someCuts(rnd, input), []int{len(input) / 2}, cutsEvery(500+rnd.IntN(500), input))
				checkConservation(t, s.proto, input, o)
			}
		}
	}
}

// seed seeds a fuzzer with drawn replies. "make test" uses fewer, because its other tests draw
// replies in the same way.
func seed(f *testing.F) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range longtest.Count(20, 200) {
		for _, s := range subjects {
			f.Add(drawFrom(rnd, s.pieces), rnd.Uint64())
			f.Add(drawFrom(rnd, wholeLines(s.call)), rnd.Uint64())
		}
	}
	for range longtest.Count(4, 20) {
		for _, s := range subjects {
			f.Add(drawLong(rnd, s.pieces), rnd.Uint64())
			f.Add(drawLong(rnd, wholeLines(s.call)), rnd.Uint64())
		}
	}
}

// FuzzChunkInvariance checks that events and reply do not depend on how the input was cut
// (docs/dialect.md, section 6, law 2).
func FuzzChunkInvariance(f *testing.F) {
	seedAll(f)
	f.Fuzz(func(t *testing.T, input string, random uint64) {
		rnd := rand.New(rand.NewPCG(random, 0))
		o := drawOptions(rnd)
		for _, s := range subjects {
			checkChunks(t, s.proto, input, o, someCuts(rnd, input))
		}
		if drawLimited(random, &o) {
			for _, s := range subjects {
				checkChunks(t, s.proto, input, o, someCuts(rnd, input))
			}
		}
	})
}

// FuzzConservation checks that every byte of the input is accounted for exactly once
// (docs/dialect.md, section 6, law 1).
func FuzzConservation(f *testing.F) {
	seedAll(f)
	f.Fuzz(func(t *testing.T, input string, random uint64) {
		o := drawOptions(rand.New(rand.NewPCG(random, 0)))
		for _, s := range subjects {
			checkConservation(t, s.proto, input, o)
		}
		if drawLimited(random, &o) {
			for _, s := range subjects {
				checkConservation(t, s.proto, input, o)
			}
		}
	})
}

// A token may depend on text so far before it that the parser no longer keeps that text.
func TestTokensAfterDistantContextDoNotDependOnCuts(t *testing.T) {
	const (
		far  = scan.History + 76 // bytes: somewhat further back than a scanner looks
		head = "<<<[TOOL_REQUEST]>>>\ntool_name:「始」a_b「末」\nx:「始」"
		end  = "<<<[END_TOOL_REQUEST]>>>\n"
	)
	blanks := strings.Repeat(" ", far)
	for name, input := range map[string]string{
		"a key and an opener after blanks":       head + "v\n" + blanks + "m「始」q「末」\n" + end,
		"a key and an opener after broken bytes": head + "v\n" + strings.Repeat("\xe3", 10) + "m「始」q「末」\n" + end,
		"an end after blanks":                    head + "a," + blanks + end,
		"an end after line breaks":               head + "a「" + strings.Repeat("\n", far) + end,
		"a field after commas":                   head + "a" + strings.Repeat(",", far) + "\nm:「始」q「末」\n" + end,
		"a field after half a closer":            head + "a末}" + strings.Repeat(",", far) + "\nm:「始」q「末」\n" + end,
		"a field after blanks in a comment":      head + "v「末」\n#" + blanks + "m:「始」q「末」\n" + end,
		"a result after blanks":                  "abc" + blanks + "<<<[TOOL_RESULT]>>>\nfoo",
		"a result after broken bytes":            "abc\n" + strings.Repeat("\xe3", 30) + "<<<[TOOL_RESULT]>>>\nfoo",
		"a start after blanks":                   "abc" + blanks + "<<<[TOOL_REQUEST]>>>\n```\ntool_name:「始」a「末」",
		"an escaped start after blanks": "abc" + blanks + "&lt;&lt;&lt;[TOOL_REQUEST]&gt;&gt;&gt;\ntool_name:「始」a「末」\n" +
			"&lt;&lt;&lt;[END_TOOL_REQUEST]&gt;&gt;&gt;\n",
		"a body that begins with a brace":  "<<<[TOOL_REQUEST]>>>{" + blanks + "\ntool_name:「始」a「末」",
		"a bare value after blanks":        head + "v「末」\nabc_d: " + blanks + blanks + blanks + "x\ny:「始」q「末」" + end,
		"a bare value after long filler":   head + "v「末」\n" + strings.Repeat("some words\n", 300) + "abc_d: x\ny:「始」q「末」" + end,
		"a bare value after blank lines":   head + "v「末」\n" + strings.Repeat(" \n", 1500) + blanks + "abc_d: x\ny:「始」q「末」" + end,
		"a key too long for a bare value":  head + "v「末」\n" + strings.Repeat("abc_d", 900) + ": x\ny:「始」q「末」" + end,
		"a key and blanks at the very end": head + "v「末」\nabc_d: " + blanks + blanks + blanks,
		"a key and blanks without a value": head + "v「末」\nabc_d: " + blanks + blanks + blanks + "\ny:「始」q「末」" + end,
	} {
		t.Run(name, func(t *testing.T) {
			for _, level := range levels {
				for _, finish := range []protocol.FinishReason{protocol.FinishStop, protocol.FinishLength} {
					o := parser.Options{Tolerance: level, Finish: finish}
					checkChunks(t, vcp.Protocol{}, input, o,
						cutsEvery(1, input), cutsEvery(7, input), cutsEvery(100, input), cutsEvery(1000, input))
				}
			}
		})
	}
}

func cutsEvery(n int, input string) (cuts []int) {
	for i := n; i < len(input); i += n {
		cuts = append(cuts, i)
	}
	return cuts
}
