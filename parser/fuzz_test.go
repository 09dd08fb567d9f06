package parser_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vcpgo/vcp/internal/golden"
	"github.com/vcpgo/vcp/internal/longtest"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

func atLevel(o parser.Options, level scan.Tolerance) parser.Options {
	o.Tolerance = level
	return o
}

func repaired(r parser.Reply) bool {
	return slices.ContainsFunc(r.Requests, func(q parser.Request) bool { return len(q.Repairs) > 0 })
}

func uses(r parser.Reply, repair string) bool {
	return slices.ContainsFunc(r.Requests, func(q parser.Request) bool {
		return slices.ContainsFunc(q.Repairs, func(x parser.Repair) bool { return x.Name == repair })
	})
}

// seedAll seeds a fuzzer with drawn replies and with the inputs of the corpus.
func seedAll(f *testing.F) {
	seed(f)
	rnd := rand.New(rand.NewPCG(8, 9))
	for range longtest.Count(10, 50) {
		f.Add(drawVCP(f, rnd).text, rnd.Uint64())
	}
	for _, s := range subjects {
		for _, c := range seedCases(f, s.corpus) {
			f.Add(c.Input, rnd.Uint64())
		}
	}
}

// seedCases returns the short cases, whose inputs are seeds. In "make test" they are a sample.
func seedCases(f *testing.F, dir string) []golden.Case {
	cases := slices.DeleteFunc(loadCorpus(f, dir), func(c golden.Case) bool { return len(c.Input) >= 4<<10 })
	return longtest.Sample(100, cases)
}

// checkLevels checks that input which safe does not repair reads the same at the level strict.
func checkLevels(t testing.TB, proto protocol.Protocol, input string, o parser.Options) {
	t.Helper()
	strict, safe := parse(t, proto, input, atLevel(o, scan.Strict)), parse(t, proto, input, atLevel(o, scan.Safe))
	if repaired(safe) {
		return
	}
	if d := cmp.Diff(strict, safe, replyOptions); d != "" {
		t.Fatalf("safe repairs nothing, and strict and safe differ (-strict +safe):\n%s\ninput %q, options %+v", d, input, o)
	}
}

// FuzzStrictEqualsSafe checks that clean input reads the same at the levels strict and safe.
func FuzzStrictEqualsSafe(f *testing.F) {
	seedAll(f)
	f.Fuzz(func(t *testing.T, input string, random uint64) {
		o := drawOptions(rand.New(rand.NewPCG(random, 0)))
		drawLimited(random, &o)
		for _, s := range subjects {
			checkLevels(t, s.proto, input, o)
		}
	})
}

// FuzzReadyAtSafeIsReadyAtGreedy checks that greedy neither loses nor changes a ready request.
// There are two exceptions. Replies with fields outside of blocks are omitted: if greedy finds such
// a field and it is never closed, the rest of the reply becomes its value (B12). If greedy ends a
// value early (V7, V11), a fabricated result may follow whose END makes earlier requests doubtful
// (B14).
func FuzzReadyAtSafeIsReadyAtGreedy(f *testing.F) {
	seedAll(f)
	f.Fuzz(func(t *testing.T, input string, random uint64) {
		o := drawOptions(rand.New(rand.NewPCG(random, 0)))
		drawLimited(random, &o)
		for _, s := range subjects {
			checkReadyAtGreedy(t, s.proto, input, o)
		}
	})
}

func checkReadyAtGreedy(t testing.TB, proto protocol.Protocol, input string, o parser.Options) {
	t.Helper()
	safe, greedy := parse(t, proto, input, atLevel(o, scan.Safe)), parse(t, proto, input, atLevel(o, scan.Greedy))
	if uses(greedy, "bare_fields") {
		return
	}
	doubtful := func(q *parser.Request) bool {
		return q.Status == parser.StatusInvalid && q.Err.Code == scan.CodeStrayCloser &&
			uses(greedy, "missing_value_end") && len(greedy.Dropped) > 0
	}
	for _, want := range safe.Ready() {
		if !slices.ContainsFunc(greedy.Requests, func(got parser.Request) bool {
			return got.Span == want.Span && cmp.Equal(got.ToolRequest, want.ToolRequest, replyOptions) &&
				(got.Status == parser.StatusReady || doubtful(&got))
		}) {
			t.Fatalf("ready at safe, but not at greedy: %+v\ngreedy: %s\ninput %q, options %+v",
				want, greedy.AppendJSON(nil), input, o)
		}
	}
}

// FuzzNoPanic checks that no input, option or cut causes a failure.
func FuzzNoPanic(f *testing.F) {
	seedAll(f)
	f.Fuzz(func(t *testing.T, input string, random uint64) {
		for _, s := range subjects {
			checkNoFailure(t, s.proto, input, random)
		}
	})
}

func checkNoFailure(t testing.TB, proto protocol.Protocol, input string, random uint64) {
	repairs := proto.Repairs()
	rnd := rand.New(rand.NewPCG(random, 0))
	o := drawOptions(rnd)
	for range rnd.IntN(4) {
		o.Disabled = append(o.Disabled, pick(rnd, repairs).Name)
	}
	if rnd.IntN(2) == 0 {
		o.Limits = parser.Limits{
			BlockBytes: rnd.IntN(200), Blocks: rnd.IntN(4), Fields: rnd.IntN(5), KeyBytes: rnd.IntN(12),
		}
	}
	if rnd.IntN(2) == 0 {
		o.TakesArgument = func(string, string) bool { return rnd.IntN(2) == 0 }
	}
	parse(t, proto, input, o)
	events, _ := feed(t, proto, input, someCuts(rnd, input), o)
	for _, e := range events {
		if e.Kind == parser.EventError {
			t.Fatalf("the protocol failed; input %q, options %+v", input, o)
		}
	}
}

// asPlainText returns string arguments as plain text, because a protocol may write them as JSON.
func asPlainText(arguments []protocol.Argument) []protocol.Argument {
	plain := slices.Clone(arguments)
	for i, a := range plain {
		var text string
		if a.Form == protocol.FormJSON && json.Unmarshal([]byte(a.Value), &text) == nil {
			plain[i].Form, plain[i].Value = protocol.FormPlain, text
		}
	}
	return plain
}

// checkRoundTrip checks law 6 of docs/dialect.md, section 6, for requests: formatted requests read
// back unchanged at every level, alone or with prose around them.
func checkRoundTrip(t testing.TB, proto protocol.Protocol, rnd *rand.Rand, requests []protocol.ToolRequest) {
	t.Helper()
	text, err := proto.FormatToolRequests(requests)
	if err != nil {
		return // the formatter refused the requests
	}
	proseBefore, proseAfter := "", ""
	if rnd.IntN(2) == 0 {
		proseBefore, proseAfter = pick(rnd, paragraphs), "\n"+pick(rnd, paragraphs)
	}
	input := proseBefore + text + proseAfter
	for _, level := range levels {
		reply := parse(t, proto, input, parser.Options{Tolerance: level, Finish: pick(rnd, finishes)})
		var got []protocol.ToolRequest
		for _, q := range reply.Requests {
			if q.Status != parser.StatusReady || len(q.Repairs) > 0 {
				t.Fatalf("at %v request %s is %s %v, repairs %v; input %q", level, q.ID, q.Status, q.Err, q.Repairs, input)
			}
			q.Arguments = asPlainText(q.Arguments)
			got = append(got, q.ToolRequest)
		}
		if d := cmp.Diff(requests, got, replyOptions); d != "" {
			t.Fatalf("at %v the requests differ (-written +read):\n%s\ninput %q", level, d, input)
		}
	}
}

// FuzzRoundTrip checks that formatted requests read back unchanged, with any arguments. A tool's
// name has no white space around it, because reading trims names.
func FuzzRoundTrip(f *testing.F) {
	rnd := rand.New(rand.NewPCG(10, 11))
	for range longtest.Count(50, 200) {
		f.Add(pick(rnd, toolNames), "", "path", drawHostile(rnd, hostilePieces), "body", pick(rnd, harmlessValues), rnd.Uint64())
		f.Add(pick(rnd, toolNames), drawInput(rnd), "a", drawInput(rnd), "b", drawInput(rnd), rnd.Uint64())
	}
	f.Fuzz(func(t *testing.T, tool, command, key1, value1, key2, value2 string, random uint64) {
		tool = strings.TrimSpace(tool)
		requests := []protocol.ToolRequest{
			{
				ToolName: tool, Command: command,
				Arguments: []protocol.Argument{{Name: key1, Value: value1}, {Name: key2, Value: value2}},
			},
			{ToolName: tool, Label: value2, Arguments: []protocol.Argument{{Name: key2, Value: command + value1}}},
		}
		checkRoundTrip(t, vcp.Protocol{}, rand.New(rand.NewPCG(random, 0)), requests)
		requests[0].Command = "" // a call in the Hermes form has no command
		checkRoundTrip(t, hermes.Protocol{}, rand.New(rand.NewPCG(random, 0)), requests)
	})
}

// checkNeutralized checks neutralization (docs/dialect.md, section 7): results contain no request,
// and neither does a reply that quotes them or any part of them.
func checkNeutralized(t testing.TB, s *subject, rnd *rand.Rand, results []protocol.ToolResult) {
	t.Helper()
	text := s.proto.FormatToolResults(results)
	value := s.content(s.proto.FormatToolResults([]protocol.ToolResult{
		{ResultID: "1", ToolName: "a_b", Status: protocol.StatusSuccess, Result: results[len(results)-1].Result},
	}))
	from, to := rnd.IntN(len(value)+1), rnd.IntN(len(value)+1)
	part := value[min(from, to):max(from, to)]
	result := results[len(results)-1].Result
	from = rnd.IntN(len(result) + 1)
	replies := []string{
		s.proto.Neutralize(result), s.proto.Neutralize(result[:from]) + s.proto.Neutralize(result[from:]),
		text, pick(rnd, paragraphs) + text + "\n" + pick(rnd, paragraphs),
		"It said: " + value, "It said:\n" + part + pick(rnd, paragraphs), value, part, "> " + part, "<think>\n" + part,
		"```\n" + value + "\n```\n", "`" + part + "`",
	}
	o := parser.Options{
		Quoted: parser.QuotedPolicy(rnd.IntN(3)), Reasoning: parser.ReasoningPolicy(rnd.IntN(3)),
		Finish: pick(rnd, finishes),
	}
	drawLimited(rnd.Uint64(), &o)
	for _, r := range s.proto.Repairs() {
		if r.Bare { // a bare request contains no mark that could be neutralized
			o.Disabled = append(o.Disabled, r.Name)
		}
	}
	for _, input := range replies {
		if reply := parse(t, s.proto, input, atLevel(o, scan.Greedy)); len(reply.Ready()) > 0 {
			t.Fatalf("neutralized text yields %s\ninput %q\noptions %+v\nresults %+q", reply.AppendJSON(nil), input, o, results)
		}
	}
}

// FuzzNeutralized checks that no text that a tool returns becomes a request, not even at the level
// greedy.
func FuzzNeutralized(f *testing.F) {
	rnd := rand.New(rand.NewPCG(12, 13))
	for range longtest.Count(50, 200) {
		f.Add("clock_now", drawHostile(rnd, hostilePieces), drawInput(rnd), rnd.Uint64())
		f.Add(drawInput(rnd), drawVCP(f, rnd).text, drawHostile(rnd, hostilePieces), rnd.Uint64())
	}
	for _, s := range subjects {
		for _, c := range seedCases(f, s.corpus) {
			f.Add("clock_now", c.Input, "", rnd.Uint64())
		}
	}
	f.Fuzz(func(t *testing.T, tool, result, suggestion string, random uint64) {
		for i := range subjects {
			checkNeutralized(t, &subjects[i], rand.New(rand.NewPCG(random, 0)), []protocol.ToolResult{
				{ResultID: "1", ToolName: tool, Status: protocol.StatusSuccess, Result: result},
				{
					ResultID: suggestion, ToolName: tool, Status: protocol.StatusError,
					ErrorType: tool, Suggestion: suggestion, Result: result + tool,
				},
			})
		}
	})
}
