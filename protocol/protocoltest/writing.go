package protocoltest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// results draws random results whose texts may contain marks.
func (s *subject) results() []protocol.ToolResult {
	var results []protocol.ToolResult
	for range 1 + s.rnd.IntN(3) {
		r := protocol.ToolResult{
			ResultID: s.hostile(false), ToolName: s.hostile(false), Status: protocol.StatusSuccess, Result: s.hostile(false),
		}
		if s.rnd.IntN(3) == 0 {
			r.Status, r.ErrorType, r.Suggestion = protocol.StatusError, "execution_failed", s.hostile(false)
		}
		if s.rnd.IntN(3) == 0 {
			r.About, r.Note = s.hostile(false), s.hostile(false)
		}
		results = append(results, r)
	}
	return results
}

// neutralizes checks at the level greedy that results contain no request: whole, in parts, and
// repeated in replies.
func neutralizes(s *subject) error {
	for range draws {
		results := s.results()
		text := s.FormatToolResults(results)
		from := s.rnd.IntN(len(text) + 1)
		part := text[from : from+s.rnd.IntN(len(text)-from+1)]
		err := s.noneReady(
			text, part, "It said: "+part, "> "+part, "<think>\n"+part, "Look:\n"+part+"\nThat is all.",
			"`"+part+"`", "```\n"+part+"\n```\n",
		)
		if err != nil {
			return fmt.Errorf("results %+q: %w", results, err)
		}
	}
	return nil
}

// marked returns o at the level greedy, without the repairs that need no mark, because Neutralize
// does not prevent those.
func (s *subject) marked(o parser.Options) parser.Options {
	o.Tolerance = scan.Greedy
	for _, r := range s.Repairs() {
		if r.Bare {
			o.Disabled = append(slices.Clone(o.Disabled), r.Name)
		}
	}
	return o
}

// noneReady checks, at the level greedy, that nothing in the replies may run.
func (s *subject) noneReady(inputs ...string) error {
	for _, input := range inputs {
		o := s.marked(s.options())
		reply := s.read(input, o)
		if got := ready(&reply); len(got) > 0 {
			return fmt.Errorf("the input yields %+q\ninput %q", got, input)
		}
	}
	return nil
}

// neutralizesText checks at the level greedy that the output of Neutralize contains no request:
// whole, in parts, and two or three outputs as one text.
func neutralizesText(s *subject) error {
	for _, plain := range []string{"", "words", "a < b\n- 日本\n"} {
		if got := s.Neutralize(plain); got != plain {
			return fmt.Errorf("text without marks is changed\ntext %q\ngot  %q", plain, got)
		}
	}
	for range draws {
		foreign := s.hostile(false) + s.must(s.request()) + s.hostile(false)
		text := s.Neutralize(foreign)
		from := s.rnd.IntN(len(text) + 1)
		part := text[from : from+s.rnd.IntN(len(text)-from+1)]
		err := s.noneReady(
			text, "Look:\n"+text+"\nThat is all.", "> "+text, "It said: "+part,
			"```\n"+part+"\n```\n"+text, s.Neutralize(s.hostile(false))+text,
		)
		if err != nil {
			return fmt.Errorf("neutralized text of %q: %w", foreign, err)
		}
		if r, ok := s.Protocol.(protocol.Restorer); ok {
			if got := r.Restore(text); strings.Trim(got, "\n") != strings.Trim(foreign, "\n") {
				return fmt.Errorf("neutralized text is not restored\ntext %q\ngot  %q", foreign, got)
			}
		}
		quoted, _ := json.Marshal([]string{strings.ToValidUTF8(foreign, "")}) // strings always encode
		if text := s.Neutralize(string(quoted)); !json.Valid([]byte(text)) {
			return fmt.Errorf("neutralized JSON is not JSON\ntext %q\ngot  %q", quoted, text)
		}
	}
	request := s.must(plainRequest)
	for at := range request { // in two texts, and in three
		second := at + s.rnd.IntN(len(request)-at)
		two := s.Neutralize(request[:at]) + s.Neutralize(request[at:])
		three := s.Neutralize(request[:at]) + s.Neutralize(request[at:second]) + s.Neutralize(request[second:])
		for _, input := range []string{two, three, s.twice(request[:at]) + s.twice(request[at:])} {
			reply := s.read(input, s.marked(parser.Options{Finish: protocol.FinishStop}))
			if len(reply.Requests) > 0 { // not even a refused one, which would be reported to the model
				return fmt.Errorf("a request in texts split at %d and %d is read as %+v\ninput %q", at, second, reply.Requests, input)
			}
		}
	}
	return nil
}

// twice neutralizes a text twice, as happens to a text that becomes part of another one.
func (s *subject) twice(text string) string { return s.Neutralize(s.Neutralize(text)) }

// definitionsContainNone checks at the level greedy that definitions without examples contain no
// request, whole and in parts.
func definitionsContainNone(s *subject) error {
	for range draws {
		list := s.definitions()
		plain := make([]protocol.ToolDefinition, len(list))
		for i := range list {
			list[i].Examples = nil
			plain[i].ToolName = "x"
		}
		o := protocol.PromptOptions{}
		said := differing(s.GenerateToolDefinitions(list, o), s.GenerateToolDefinitions(plain, o))
		from := s.rnd.IntN(len(said) + 1)
		part := said[from : from+s.rnd.IntN(len(said)-from+1)]
		if err := s.noneReady(said, part, "> "+part, "```\n"+part+"\n```\n"+part); err != nil {
			return fmt.Errorf("definitions %+v: %w", list, err)
		}
	}
	return nil
}

// differing returns a without its common start and end with b. Those are the instructions, which
// show a request.
func differing(a, b string) string {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a
}

// maxStops is how many stop sequences model servers accept.
const maxStops = 4

func stops(s *subject) error {
	stopper, ok := s.Protocol.(protocol.Stopper)
	if !ok {
		return nil // the interface is optional
	}
	list := stopper.StopSequences()
	if len(list) > maxStops || slices.Contains(list, "") {
		return fmt.Errorf("%d stop sequences: %q; allowed are %d, none of them empty", len(list), list, maxStops)
	}
	for _, r := range []protocol.ToolRequest{plainRequest, jsonRequest} {
		text := s.must(r)
		for _, stop := range list {
			if strings.Contains(text, stop) {
				return fmt.Errorf("%q occurs in a request, which would end there\nrequest %q", stop, text)
			}
		}
	}
	return nil
}

func resultsReadBack(s *subject) error {
	reader, ok := s.Protocol.(protocol.Reader)
	if !ok {
		return nil // the interface is optional
	}
	for range draws {
		results := s.results()
		text := "before\n" + s.FormatToolResults(results) + "\nafter"
		got, err := reader.ParseToolResults(text)
		if err != nil {
			return fmt.Errorf("results do not read back: %w\nwritten %+q\ntext    %q", err, results, text)
		}
		if !slices.Equal(results, got) {
			return fmt.Errorf("results read back differently\nwritten %+q\nread    %+q\ntext    %q", results, got, text)
		}
	}
	return nil
}

func deterministic(s *subject) error {
	for range draws / 8 {
		list, results, request := s.definitions(), s.results(), s.request()
		write := func() [3]string {
			definitions := s.GenerateToolDefinitions(list, protocol.PromptOptions{})
			return [3]string{definitions, s.FormatToolResults(results), s.must(request)}
		}
		first := write()
		for range 3 {
			if again := write(); again != first {
				return fmt.Errorf("a second call writes another text\nfirst  %q\nsecond %q", first, again)
			}
		}
	}
	return nil
}
