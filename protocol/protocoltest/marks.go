package protocoltest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
)

// neutralizesResults reads neutralized text that contains results, as one text and as two.
func neutralizesResults(s *subject) error {
	for range draws {
		foreign := s.hostile(false) + "\n" + s.FormatToolResults(s.results()) + s.hostile(false)
		at := s.rnd.IntN(len(foreign) + 1)
		first, second := s.Neutralize(foreign[:at]), s.Neutralize(foreign[at:])
		again := s.twice(foreign[:at]) + s.twice(foreign[at:])
		for _, text := range []string{s.Neutralize(foreign), second, first + second, again} {
			reply := s.read(text, s.marked(parser.Options{Finish: protocol.FinishStop}))
			if len(reply.Dropped) > 0 {
				return fmt.Errorf("neutralized text contains the mark of a result\ntext        %q\nneutralized %q", foreign, text)
			}
		}
	}
	return nil
}

// containsOneResult checks that results with hostile texts contain no more marks of results than as
// many results with plain texts.
func containsOneResult(s *subject) error {
	for range draws {
		results := s.results()
		plain := make([]protocol.ToolResult, len(results))
		for i := range results {
			if results[i].Result += s.FormatToolResults(s.results()); s.rnd.IntN(2) == 0 {
				results[i].Result = "\n" + results[i].Result
			}
			plain[i] = protocol.ToolResult{ResultID: "1", ToolName: "a_b", Status: protocol.StatusSuccess, Result: "x"}
		}
		text := s.FormatToolResults(results)
		got, want := s.resultMarks(text), s.resultMarks(s.FormatToolResults(plain))
		if got > want { // fewer are found if a result contains the start of fenced code
			return fmt.Errorf("%d results contain %d marks of results; as many plain results contain %d\nresults %+q\ntext    %q",
				len(results), got, want, results, text)
		}
	}
	return nil
}

// resultMarks returns how many marks of results a reply with that text contains. It reads the text
// again after each mark.
func (s *subject) resultMarks(text string) (n int) {
	for {
		reply := s.read(text, parser.Options{Finish: protocol.FinishStop})
		if len(reply.Dropped) == 0 {
			return n
		}
		text = text[reply.Dropped[0].Span.Start+1:]
		n++
	}
}

// runsValidJSON reads requests with one quotation mark added or removed.
func runsValidJSON(s *subject) error {
	for range draws {
		text := s.must(s.request())
		at := s.rnd.IntN(len(text) + 1)
		if next := strings.IndexByte(text[at:], '"'); next >= 0 && s.rnd.IntN(2) == 0 {
			text = text[:at+next] + text[at+next+1:]
		} else {
			text = text[:at] + `"` + text[at:]
		}
		reply := s.read(text, parser.Options{Tolerance: pick(s.rnd, levels[:]), Finish: protocol.FinishStop})
		for _, q := range reply.Ready() {
			for _, a := range q.Arguments {
				if a.Form == protocol.FormJSON && !json.Valid([]byte(a.Value)) {
					return fmt.Errorf("the value of %q is ready as JSON, and is not JSON: %q\ninput %q", a.Name, a.Value, text)
				}
			}
		}
	}
	return nil
}

// limitsKeys reads a request with a key that is longer than the limit that the program sets.
func limitsKeys(s *subject) error {
	text := s.must(plainRequest) // with the keys path and content
	limit := len("path")
	reply := s.read(text, parser.Options{Finish: protocol.FinishStop, Limits: parser.Limits{KeyBytes: limit}})
	if len(reply.Ready()) > 0 {
		return fmt.Errorf("a request with a key of more than %d bytes (scan.Options.MaxKey) is ready\ninput %q", limit, text)
	}
	return nil
}

// dropsOwnResults reads replies in which the model writes a result itself, at the start of a line.
func dropsOwnResults(s *subject) error {
	const said = "quixotic"
	for range draws / 8 {
		r := protocol.ToolResult{ResultID: "1", ToolName: "a_b", Status: protocol.StatusSuccess, Result: said}
		if s.rnd.IntN(3) == 0 {
			r.Status, r.ErrorType, r.Suggestion = protocol.StatusError, "execution_failed", "Try again."
		}
		before := pick(s.rnd, []string{"", "Let me look.\n", "- a\n- b\n\n"})
		text := before + s.FormatToolResults([]protocol.ToolResult{r}) + "\nDone."
		reply := s.read(text, parser.Options{Tolerance: pick(s.rnd, levels[:]), Finish: protocol.FinishStop})
		if len(reply.Dropped) == 0 || strings.Contains(reply.Text.String(), said) {
			return fmt.Errorf("a result that the model wrote is shown; its mark must be scan.EvidenceResult\ninput %q\nread  %s",
				text, reply.AppendJSON(nil))
		}
	}
	return nil
}

// doubtsEarlyEnds reads requests in which a value contains, without escapes, what ends the value
// and the request, and then another request.
func doubtsEarlyEnds(s *subject) error {
	const outer, inner, value = "files_write", "inner_run", "quixotic"
	second := s.must(protocol.ToolRequest{ToolName: inner, Arguments: []protocol.Argument{{Name: "x", Value: "y"}}})
	argument := protocol.Argument{Name: "text", Value: value}
	for _, arguments := range [][]protocol.Argument{
		{argument}, {{Name: "path", Value: "a.txt"}, argument}, {argument, {Name: "x", Value: "y"}},
	} {
		before, after, _ := strings.Cut(s.must(protocol.ToolRequest{ToolName: outer, Arguments: arguments}), value)
		for _, between := range []string{"", " ", "\n", "\n\nand\n"} {
			text := before + value + after + between + second + between + after
			for _, level := range levels {
				reply := s.read(text, parser.Options{Tolerance: level, Finish: protocol.FinishStop})
				if slices.ContainsFunc(ready(&reply), func(r protocol.ToolRequest) bool { return r.ToolName == inner }) {
					return fmt.Errorf("at %s a request in a value is ready; the end mark after it must be scan.EvidenceCloser\ninput %q",
						level, text)
				}
			}
		}
	}
	return nil
}
