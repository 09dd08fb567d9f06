package protocoltest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

func roundTrip(s *subject) error {
	for range draws {
		requests := []protocol.ToolRequest{s.request(), s.request()}[:1+s.rnd.IntN(2)]
		text, err := s.FormatToolRequests(requests)
		if err != nil {
			return fmt.Errorf("FormatToolRequests refuses requests with plain names and UTF-8 values: %w\n%+q", err, requests)
		}
		if err := s.readsBack(requests, text); err != nil {
			return err
		}
		// Any name is refused or reads back.
		odd := protocol.ToolRequest{
			ToolName: s.hostile(false), Command: pick(s.rnd, []string{"", "", "list"}), Label: s.hostile(false),
			Arguments: []protocol.Argument{
				{Name: s.hostile(false), Value: s.hostile(false)},
				{Name: pick(s.rnd, []string{"x", "name", "tool_name", "id"}), Value: "y"},
			},
		}
		if text, err = s.FormatToolRequests([]protocol.ToolRequest{odd}); err != nil {
			continue
		}
		if err := s.readsBack([]protocol.ToolRequest{odd}, text); err != nil {
			return err
		}
	}
	return nil
}

// refusesOrReadsBack checks requests over a limit, and names that some protocols do not allow.
// FormatToolRequests either returns a *protocol.FormatError or writes text that reads back.
func refusesOrReadsBack(s *subject) error {
	many := slices.Repeat([]protocol.ToolRequest{{ToolName: "a_b"}}, scan.MaxBlocks+1)
	wide := protocol.ToolRequest{ToolName: "a_b"}
	for i := range scan.MaxFields + 1 {
		wide.Arguments = append(wide.Arguments, protocol.Argument{Name: "x" + strconv.Itoa(i) + "y", Value: "v"})
	}
	with := func(arguments ...protocol.Argument) protocol.ToolRequest {
		return protocol.ToolRequest{ToolName: "a_b", Arguments: arguments}
	}
	long := with(protocol.Argument{Name: "x", Value: strings.Repeat("v", scan.MaxBlockBytes)})
	cases := [][]protocol.ToolRequest{many, {wide}, {long}, {{}}, {{ToolName: " "}}}
	carrier, carries := s.Protocol.(protocol.ArgumentCarrier)
	tooLong := strings.Repeat("x", scan.MaxKeyBytes+1)
	for _, name := range []string{"", "path", "a b", "name", "tool_name", "id", "request_id", "command", tooLong} {
		request := []protocol.ToolRequest{
			with(protocol.Argument{Name: "x", Value: "w"}, protocol.Argument{Name: name, Value: "v"}),
		}
		if !carries || !carrier.CarriesArgument(name) {
			cases = append(cases, request)
			continue
		}
		text, err := s.FormatToolRequests(request)
		if err == nil {
			err = s.readsBack(request, text)
		}
		if err != nil {
			return fmt.Errorf("CarriesArgument(%q) is true, but the argument does not read back: %w", name, err)
		}
	}
	for _, requests := range cases {
		text, err := s.FormatToolRequests(requests)
		var refused *protocol.FormatError
		switch {
		case err == nil && s.readsBack(requests, text) != nil:
			return fmt.Errorf("%d requests, the first %.200q, are written and do not read back",
				len(requests), fmt.Sprint(requests[0]))
		case err != nil && !errors.As(err, &refused):
			return fmt.Errorf("%.200q is refused with an error that is not a *protocol.FormatError: %w",
				fmt.Sprint(requests[0]), err)
		}
	}
	return nil
}

// changesNothing checks that a scanner does not change its input.
func changesNothing(s *subject) error {
	for range draws {
		text, o := s.reply(), s.options()
		checker := &inputChecker{Protocol: s.Protocol}
		checked := &subject{Protocol: checker, rnd: s.rnd}
		checked.feed(text, someOffsets(s.rnd, text), o)
		if checker.changed {
			return fmt.Errorf("the scanner has written to the text that it reads\ninput %q", text)
		}
	}
	return nil
}

// inputChecker is a protocol that checks whether its scanners change their input.
type inputChecker struct {
	protocol.Protocol
	changed bool
}

func (c *inputChecker) NewScanner(o scan.Options) scan.Scanner {
	return &inputCheckingScanner{c.Protocol.NewScanner(o), c}
}

type inputCheckingScanner struct {
	scan.Scanner
	checker *inputChecker
}

func (s *inputCheckingScanner) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	before := bytes.Clone(src)
	n, tok, err := s.Scanner.Scan(src, from, atEOF)
	s.checker.changed = s.checker.changed || !bytes.Equal(before, src)
	return n, tok, err
}

func (s *inputCheckingScanner) Extend(src []byte, from int) bool {
	before := bytes.Clone(src)
	extender, ok := s.Scanner.(scan.Extender)
	ok = ok && extender.Extend(src, from)
	s.checker.changed = s.checker.changed || !bytes.Equal(before, src)
	return ok
}

// readsBack checks that written requests read back, with text around them.
func (s *subject) readsBack(requests []protocol.ToolRequest, text string) error {
	around := pick(s.rnd, surroundings)
	input := around[0] + text + around[1]
	o := parser.Options{
		Tolerance: pick(s.rnd, levels[:]), Finish: pick(s.rnd, finishes[:]), TakesArgument: declaredIn(requests),
	}
	reply := s.read(input, o)
	got := ready(&reply)
	if len(got) != len(requests) || len(got) != len(reply.Requests) {
		return fmt.Errorf("%d requests were written, %d are found, and %d are ready at %s\n%+q\ninput %q\nread %s",
			len(requests), len(reply.Requests), len(got), o.Tolerance, requests, input, reply.AppendJSON(nil))
	}
	for i := range got {
		if !sameRequest(&requests[i], &got[i]) {
			return fmt.Errorf("a request reads back as another\nwritten %+q\nread    %+q\ninput   %q", requests[i], got[i], input)
		}
		if repairs := reply.Requests[i].Repairs; len(repairs) > 0 {
			return fmt.Errorf("a written request needs the repairs %v\ninput %q", repairs, input)
		}
	}
	return nil
}

// declaredIn returns a function for parser.Options.TakesArgument: each method declares the
// arguments that requests have for it.
func declaredIn(requests []protocol.ToolRequest) func(toolName, argument string) bool {
	return func(toolName, argument string) bool {
		named := func(a protocol.Argument) bool { return a.Name == argument }
		return slices.ContainsFunc(requests, func(r protocol.ToolRequest) bool {
			return r.ToolName == toolName && slices.ContainsFunc(r.Arguments, named)
		})
	}
}
