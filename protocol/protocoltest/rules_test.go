package protocoltest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// Each of these protocols is the correct one with a single defect, which breaks one rule. No defect
// of a protocol breaks the rule "every byte is accounted for once": the parser keeps it.

type correct = vcp.Protocol

// loud has an ID in capitals.
type loud struct{ correct }

func (loud) ID() string { return "VCP" }

// silent has no messages for errors.
type silent struct{ correct }

func (silent) ErrorMessage(scan.ErrorCode, protocol.PromptOptions) string { return "" }

// trimming writes values without the white space around them.
type trimming struct{ correct }

func (trimming) FormatToolRequests(requests []protocol.ToolRequest) (string, error) {
	requests = slices.Clone(requests)
	for i := range requests {
		requests[i].Arguments = slices.Clone(requests[i].Arguments)
		for k := range requests[i].Arguments {
			requests[i].Arguments[k].Value = strings.TrimSpace(requests[i].Arguments[k].Value)
		}
	}
	return correct{}.FormatToolRequests(requests)
}

// raw writes results without neutralizing them.
type raw struct{ correct }

func (raw) FormatToolResults(results []protocol.ToolResult) string {
	var b strings.Builder
	for _, r := range results {
		b.WriteString("Result of " + r.ToolName + ":\n" + r.Result + "\n")
	}
	return b.String()
}

// forgetful reads results without their suggestions.
type forgetful struct{ correct }

func (forgetful) ParseToolResults(text string) ([]protocol.ToolResult, error) {
	results, err := correct{}.ParseToolResults(text)
	for i := range results {
		results[i].Suggestion = ""
	}
	return results, err
}

// terse defines only the first parameter.
type terse struct{ correct }

func (terse) GenerateToolDefinitions(definitions []protocol.ToolDefinition, o protocol.PromptOptions) string {
	definitions = slices.Clone(definitions)
	for i := range definitions {
		definitions[i].Parameters = definitions[i].Parameters[:min(1, len(definitions[i].Parameters))]
	}
	return correct{}.GenerateToolDefinitions(definitions, o)
}

// restless numbers its prompts.
type restless struct {
	correct
	n *int
}

func (r restless) GenerateToolDefinitions(definitions []protocol.ToolDefinition, o protocol.PromptOptions) string {
	if len(definitions) == 0 {
		return ""
	}
	*r.n++
	return fmt.Sprintf("Prompt %d\n%s", *r.n, correct{}.GenerateToolDefinitions(definitions, o))
}

// wrapping is a protocol whose scanners are wrapped.
type wrapping struct {
	correct
	wrap func(scan.Scanner, scan.Options) scan.Scanner
}

func (w wrapping) NewScanner(o scan.Options) scan.Scanner {
	return w.wrap(w.correct.NewScanner(o), o)
}

type wrapped struct{ scan.Scanner }

// hasty reads the end of a piece as text, although more input could change it.
type hasty struct{ wrapped }

func (h hasty) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	n, tok, err := h.Scanner.Scan(src, from, atEOF)
	if errors.Is(err, scan.ErrShort) && from < len(src) {
		h.Abort(-(len(src) - from))
		return len(src) - from, &scan.Token{Kind: scan.TokenText}, nil
	}
	return n, tok, err
}

// slow returns nothing before the end of the text.
type slow struct{ wrapped }

func (s slow) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	if !atEOF {
		return 0, nil, scan.ErrShort
	}
	return s.Scanner.Scan(src, from, atEOF)
}

// frozen examines all of the remaining input for each token.
type frozen struct {
	scan.Scanner
	examined int
}

func (f *frozen) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	f.examined += len(src) - from
	return f.Scanner.Scan(src, from, atEOF)
}

func (f *frozen) Examined() int { return f.examined }

// shouting adds an exclamation mark to each value that it reads.
type shouting struct{ wrapped }

func (s shouting) Requests(fields []scan.Field) []scan.Reading {
	readings := s.Scanner.Requests(fields)
	for i := range readings {
		arguments := slices.Clone(readings[i].Arguments)
		for k := range arguments {
			arguments[k].Value += "!"
		}
		readings[i].Arguments = arguments
	}
	return readings
}

// careless ignores errors in the fields.
type careless struct{ wrapped }

func (c careless) Requests(fields []scan.Field) []scan.Reading {
	readings := c.Scanner.Requests(fields)
	for i := range readings {
		readings[i].Err = nil
	}
	return readings
}

// fragile fails at the second request.
type fragile struct {
	wrapped
	seen *int
}

func (f fragile) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	n, tok, err := f.Scanner.Scan(src, from, atEOF)
	if err == nil && tok.Kind == scan.TokenRequestEnd {
		if *f.seen++; *f.seen == 2 {
			return 0, nil, errors.New("a second request")
		}
	}
	return n, tok, err
}

// eager ends a request at the end of the input.
type eager struct {
	wrapped
	open *bool
}

func (e eager) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	n, tok, err := e.Scanner.Scan(src, from, atEOF)
	if err != nil {
		return n, tok, err
	}
	switch tok.Kind {
	case scan.TokenFieldEnd:
		*e.open = true
	case scan.TokenRequestStart, scan.TokenRequestEnd, scan.TokenField:
		*e.open = false
	case scan.TokenNone:
		if *e.open {
			*e.open = false
			e.Abort(0)
			return 0, &scan.Token{Kind: scan.TokenRequestEnd}, nil
		}
	}
	return n, tok, err
}

// moody refuses every request. The test wraps only scanners of the level strict in it.
type moody struct{ wrapped }

func (m moody) Requests(fields []scan.Field) []scan.Reading {
	readings := m.Scanner.Requests(fields)
	for i := range readings {
		readings[i].Err = &scan.RequestError{Code: scan.CodeBadKey, Message: "not at this level"}
	}
	return readings
}

// bold writes a request with a line before it that ends fenced code.
type bold struct{ correct }

func (bold) FormatToolRequests(requests []protocol.ToolRequest) (string, error) {
	text, err := correct{}.FormatToolRequests(requests)
	return strings.Repeat("~", 40) + "\n" + text, err
}

// boundless writes any number of requests.
type boundless struct{ correct }

func (boundless) FormatToolRequests(requests []protocol.ToolRequest) (string, error) {
	var all []string
	for i := range requests {
		text, err := correct{}.FormatToolRequests(requests[i : i+1])
		if err != nil {
			return "", err
		}
		all = append(all, text)
	}
	return strings.Join(all, "\n"), nil
}

// curt returns an error that does not name the argument that it cannot write.
type curt struct{ correct }

func (curt) FormatToolRequests(requests []protocol.ToolRequest) (string, error) {
	text, err := correct{}.FormatToolRequests(requests)
	if err != nil {
		return "", errors.New("no")
	}
	return text, nil
}

// scribbling changes its input.
type scribbling struct{ wrapped }

func (s scribbling) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	n, tok, err := s.Scanner.Scan(src, from, atEOF)
	if err == nil && n > 0 {
		src[from] ^= 1
	}
	return n, tok, err
}

// trusting does not neutralize foreign text.
type trusting struct{ correct }

func (trusting) Neutralize(text string) string { return text }

// nested writes the text of a result as it is.
type nested struct{ correct }

func (nested) FormatToolResults(results []protocol.ToolResult) string {
	var b strings.Builder
	for _, r := range results {
		b.WriteString("<<<[TOOL_RESULT]>>>\n" + r.Result + "\n<<<[END_TOOL_RESULT]>>>\n")
	}
	return b.String()
}

// literal says of each argument that it is JSON.
type literal struct{ wrapped }

func (l literal) Requests(fields []scan.Field) []scan.Reading {
	readings := l.Scanner.Requests(fields)
	for i := range readings {
		arguments := slices.Clone(readings[i].Arguments)
		for k := range arguments {
			arguments[k].JSON = true
		}
		readings[i].Arguments = arguments
	}
	return readings
}

// generous ignores the limit of keys.
type generous struct{ correct }

func (g generous) NewScanner(o scan.Options) scan.Scanner {
	o.MaxKey = 0
	return g.correct.NewScanner(o)
}

// gullible neutralizes requests, but not results.
type gullible struct{ correct }

func (gullible) Neutralize(text string) string {
	return strings.ReplaceAll(correct{}.Neutralize(text), "<<<[TOOL_RESULT_ESCAPE]>>>", "<<<[TOOL_RESULT]>>>")
}

// blind reads a kind of evidence as text.
type blind struct {
	wrapped
	evidence scan.Evidence
}

func (b blind) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	n, tok, err := b.Scanner.Scan(src, from, atEOF)
	if err == nil && tok.Kind == scan.TokenEvidence && tok.Evidence == b.evidence {
		tok = &scan.Token{Kind: scan.TokenText}
	}
	return n, tok, err
}

// verbose writes descriptions without neutralizing them.
type verbose struct{ correct }

func (verbose) GenerateToolDefinitions(definitions []protocol.ToolDefinition, o protocol.PromptOptions) string {
	text := correct{}.GenerateToolDefinitions(definitions, o)
	for _, d := range definitions {
		text += "\n" + d.ToolName + ": " + d.Description + "\n"
	}
	return text
}

// blunt has five stop sequences.
type blunt struct{ correct }

func (blunt) StopSequences() []string { return []string{"a", "b", "c", "d", "e"} }

// shared is a protocol with one scanner for all replies.
type shared struct {
	correct
	scanner scan.Scanner
}

func (s shared) NewScanner(scan.Options) scan.Scanner { return wrapped{s.scanner} }

func wrapper(wrap func(wrapped) scan.Scanner) protocol.Protocol {
	return wrapping{wrap: func(s scan.Scanner, _ scan.Options) scan.Scanner { return wrap(wrapped{s}) }}
}

func TestAWrongProtocolBreaksItsRule(t *testing.T) {
	for _, c := range []struct {
		name, rule string
		proto      protocol.Protocol
	}{
		{"an ID in capitals", "it names itself, its repairs and its errors", loud{}},
		{"no messages", "it names itself, its repairs and its errors", silent{}},
		{"values written without white space", "requests read back as they were written", trimming{}},
		{"values read with an exclamation mark", "requests read back as they were written", wrapper(func(w wrapped) scan.Scanner { return shouting{w} })},
		{"values with an exclamation mark that no event had", "events stay true", wrapper(func(w wrapped) scan.Scanner { return shouting{w} })},
		{"any number of requests", "requests that cannot be read back are refused", boundless{}},
		{"an error that does not name what is refused", "requests that cannot be read back are refused", curt{}},
		{"a scanner that changes its input", "a scanner does not change its input", wrapper(func(w wrapped) scan.Scanner { return scribbling{w} })},
		{"foreign text that is not neutralized", "neutralized text contains no request", trusting{}},
		{"five stop sequences", "a few texts stop a reply", blunt{}},
		{"an error at strict only", "clean requests read the same at every level", wrapping{wrap: func(s scan.Scanner, o scan.Options) scan.Scanner {
			if o.Tolerance == scan.Strict {
				return moody{wrapped{s}}
			}
			return s
		}}},
		{"a request that ends with the input", "a truncated request never runs", wrapper(func(w wrapped) scan.Scanner { return eager{w, new(bool)} })},
		{"a request that closes a fence", "a request that is shown is not run", bold{}},
		{"half a mark read as text", "reading does not depend on how the input is split", wrapper(func(w wrapped) scan.Scanner { return hasty{w} })},
		{"a failure at the second request", "no input makes it fail", wrapper(func(w wrapped) scan.Scanner { return fragile{w, new(int)} })},
		{"an argument with two values", "a request that runs has each argument once", wrapper(func(w wrapped) scan.Scanner { return careless{w} })},
		{"text returned at its end", "text is not held back", wrapper(func(w wrapped) scan.Scanner { return slow{w} })},
		{"all of the input examined for each token", "the work grows with the input", wrapper(func(w wrapped) scan.Scanner { return &frozen{Scanner: w} })},
		{"results that are not neutralized", "results contain no request", raw{}},
		{"results in results", "results contain no result but their own", nested{}},
		{"a value that is no JSON", "a JSON value that runs is JSON", wrapper(func(w wrapped) scan.Scanner { return literal{w} })},
		{"a limit of keys that is ignored", "a request with a key over the limit does not run", generous{}},
		{"results in foreign text that are not neutralized", "neutralized text contains no result", gullible{}},
		{"the mark of a result read as text", "a result that a model writes is dropped", wrapper(func(w wrapped) scan.Scanner {
			return blind{w, scan.EvidenceResult}
		})},
		{"an end mark in text read as text", "a request in a value that ends early does not run", wrapper(func(w wrapped) scan.Scanner {
			return blind{w, scan.EvidenceCloser}
		})},
		{"descriptions that are not neutralized", "definitions contain no request but their examples", verbose{}},
		{"results read without suggestions", "results read back as they were written", forgetful{}},
		{"parameters omitted", "definitions name every method and parameter", terse{}},
		{"parameters omitted, read back", "definitions read back as they were written", terse{}},
		{"a number in each prompt", "the same input writes the same text", restless{n: new(int)}},
		{"one scanner for all", "replies that are read at the same time do not mix", shared{scanner: correct{}.NewScanner(scan.Options{})}},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := slices.IndexFunc(rules, func(r rule) bool { return r.name == c.rule })
			if at < 0 {
				t.Fatalf("no rule %q", c.rule)
			}
			err := rules[at].verdict(c.proto)
			if err == nil {
				t.Fatalf("rule %q is not broken", c.rule)
			}
			if text := err.Error(); !strings.Contains(text, c.rule) || !strings.Contains(text, rules[at].why) {
				t.Errorf("the failure does not say which rule is broken and why the rule exists:\n%s", text)
			}
		})
	}
}

func TestUncountedWorkIsNotChecked(t *testing.T) {
	uncounted := wrapper(func(w wrapped) scan.Scanner { return w }) // a scanner without Examined
	if err := linearWork(newSubject(uncounted)); !errors.Is(err, errUncounted) {
		t.Errorf("got %v, want %v", err, errUncounted)
	}
}
