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

// Deliberately wrong protocols: each keeps all of a right one but for one thing, and breaks the
// rule that it is made to break. That every byte is accounted for is kept by the parser whatever
// the protocol does; its rule shows that with the protocol's own tokens.

type rightful = vcp.Protocol

type loud struct{ rightful }

func (loud) ID() string { return "VCP" }

type silent struct{ rightful }

func (silent) ErrorMessage(scan.ErrorCode, protocol.PromptOptions) string { return "" }

// trimming writes values without the white space around them.
type trimming struct{ rightful }

func (trimming) FormatToolRequests(requests []protocol.ToolRequest) (string, error) {
	requests = slices.Clone(requests)
	for i := range requests {
		requests[i].Arguments = slices.Clone(requests[i].Arguments)
		for k := range requests[i].Arguments {
			requests[i].Arguments[k].Value = strings.TrimSpace(requests[i].Arguments[k].Value)
		}
	}
	return rightful{}.FormatToolRequests(requests)
}

// raw writes results as they are.
type raw struct{ rightful }

func (raw) FormatToolResults(results []protocol.ToolResult) string {
	var b strings.Builder
	for _, r := range results {
		b.WriteString("Result of " + r.ToolName + ":\n" + r.Result + "\n")
	}
	return b.String()
}

// forgetful reads results without their suggestions.
type forgetful struct{ rightful }

func (forgetful) ParseToolResults(text string) ([]protocol.ToolResult, error) {
	results, err := rightful{}.ParseToolResults(text)
	for i := range results {
		results[i].Suggestion = ""
	}
	return results, err
}

// terse defines only the first parameter.
type terse struct{ rightful }

func (terse) GenerateToolDefinitions(definitions []protocol.ToolDefinition, o protocol.PromptOptions) string {
	definitions = slices.Clone(definitions)
	for i := range definitions {
		definitions[i].Parameters = definitions[i].Parameters[:min(1, len(definitions[i].Parameters))]
	}
	return rightful{}.GenerateToolDefinitions(definitions, o)
}

// restless numbers its prompts.
type restless struct {
	rightful
	n *int
}

func (r restless) GenerateToolDefinitions(definitions []protocol.ToolDefinition, o protocol.PromptOptions) string {
	if len(definitions) == 0 {
		return ""
	}
	*r.n++
	return fmt.Sprintf("Prompt %d\n%s", *r.n, rightful{}.GenerateToolDefinitions(definitions, o))
}

// wrapping is a protocol whose scanners are wrapped.
type wrapping struct {
	rightful
	wrap func(scan.Scanner, scan.Options) scan.Scanner
}

func (w wrapping) NewScanner(o scan.Options) scan.Scanner {
	return w.wrap(w.rightful.NewScanner(o), o)
}

type wrapped struct{ scan.Scanner }

// hasty takes what is at hand for all that there is.
type hasty struct{ wrapped }

func (h hasty) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	n, tok, err := h.Scanner.Scan(src, from, atEOF)
	if errors.Is(err, scan.ErrShort) && from < len(src) {
		h.Abort(-(len(src) - from))
		return len(src) - from, &scan.Token{Kind: scan.TokenText}, nil
	}
	return n, tok, err
}

// slow waits for the end of the text.
type slow struct{ wrapped }

func (s slow) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	if !atEOF {
		return 0, nil, scan.ErrShort
	}
	return s.Scanner.Scan(src, from, atEOF)
}

// frozen looks at all of the input for each token.
type frozen struct {
	scan.Scanner
	examined int
}

func (f *frozen) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	f.examined += len(src) - from
	return f.Scanner.Scan(src, from, atEOF)
}

func (f *frozen) Examined() int { return f.examined }

// shouting reads values in capitals.
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

// careless takes no offence at anything in the fields.
type careless struct{ wrapped }

func (c careless) Requests(fields []scan.Field) []scan.Reading {
	readings := c.Scanner.Requests(fields)
	for i := range readings {
		readings[i].Err = nil
	}
	return readings
}

// fragile fails if a request follows another.
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

// moody reads nothing at the level strict.
type moody struct{ wrapped }

func (m moody) Requests(fields []scan.Field) []scan.Reading {
	readings := m.Scanner.Requests(fields)
	for i := range readings {
		readings[i].Err = &scan.RequestError{Code: scan.CodeBadKey, Message: "not at this level"}
	}
	return readings
}

// bold writes a request in a way that ends the code around it.
type bold struct{ rightful }

func (bold) FormatToolRequests(requests []protocol.ToolRequest) (string, error) {
	text, err := rightful{}.FormatToolRequests(requests)
	return strings.Repeat("~", 40) + "\n" + text, err
}

// boundless writes any number of requests.
type boundless struct{ rightful }

func (boundless) FormatToolRequests(requests []protocol.ToolRequest) (string, error) {
	var all []string
	for i := range requests {
		text, err := rightful{}.FormatToolRequests(requests[i : i+1])
		if err != nil {
			return "", err
		}
		all = append(all, text)
	}
	return strings.Join(all, "\n"), nil
}

// curt says that it cannot write something, and not what.
type curt struct{ rightful }

func (curt) FormatToolRequests(requests []protocol.ToolRequest) (string, error) {
	text, err := rightful{}.FormatToolRequests(requests)
	if err != nil {
		return "", errors.New("no")
	}
	return text, nil
}

// scribbling writes to what it has read.
type scribbling struct{ wrapped }

func (s scribbling) Scan(src []byte, from int, atEOF bool) (int, *scan.Token, error) {
	n, tok, err := s.Scanner.Scan(src, from, atEOF)
	if err == nil && n > 0 {
		src[from] ^= 1
	}
	return n, tok, err
}

// trusting does not neutralize foreign text.
type trusting struct{ rightful }

func (trusting) Neutralize(text string) string { return text }

// verbose writes descriptions as they are.
type verbose struct{ rightful }

func (verbose) GenerateToolDefinitions(definitions []protocol.ToolDefinition, o protocol.PromptOptions) string {
	text := rightful{}.GenerateToolDefinitions(definitions, o)
	for _, d := range definitions {
		text += "\n" + d.ToolName + ": " + d.Description + "\n"
	}
	return text
}

// blunt stops a reply at anything.
type blunt struct{ rightful }

func (blunt) StopSequences() []string { return []string{"a", "b", "c", "d", "e"} }

// shared is a protocol with one scanner for all replies.
type shared struct {
	rightful
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
		{"values told otherwise than they are read", "events stay true", wrapper(func(w wrapped) scan.Scanner { return shouting{w} })},
		{"any number of requests", "requests that cannot be read back are refused", boundless{}},
		{"no word on what is refused", "requests that cannot be read back are refused", curt{}},
		{"a scanner that writes", "a scanner does not change its input", wrapper(func(w wrapped) scan.Scanner { return scribbling{w} })},
		{"foreign text as it is", "neutralized text contains no request", trusting{}},
		{"five stop sequences", "a few texts stop a reply", blunt{}},
		{"another reading at strict", "clean requests read the same at every level", wrapping{wrap: func(s scan.Scanner, o scan.Options) scan.Scanner {
			if o.Tolerance == scan.Strict {
				return moody{wrapped{s}}
			}
			return s
		}}},
		{"a request that ends with the input", "a request that is cut never runs", wrapper(func(w wrapped) scan.Scanner { return eager{w, new(bool)} })},
		{"a request that closes a fence", "a request that is shown is not run", bold{}},
		{"half a mark is text", "reading does not depend on how the input is cut", wrapper(func(w wrapped) scan.Scanner { return hasty{w} })},
		{"a second request is an error", "no input makes it fail", wrapper(func(w wrapped) scan.Scanner { return fragile{w, new(int)} })},
		{"an argument with two values", "a request that runs has each argument once", wrapper(func(w wrapped) scan.Scanner { return careless{w} })},
		{"text at its end", "text is not held back", wrapper(func(w wrapped) scan.Scanner { return slow{w} })},
		{"all of the input for each token", "the work grows with the input", wrapper(func(w wrapped) scan.Scanner { return &frozen{Scanner: w} })},
		{"results as they are", "results contain no request", raw{}},
		{"descriptions as they are", "definitions contain no request but their examples", verbose{}},
		{"suggestions forgotten", "results read back as they were written", forgetful{}},
		{"parameters left out", "definitions name every method and parameter", terse{}},
		{"parameters left out, read back", "definitions read back as they were written", terse{}},
		{"a number in each prompt", "the same input writes the same text", restless{n: new(int)}},
		{"one scanner for all", "replies that are read at the same time do not mix", shared{scanner: rightful{}.NewScanner(scan.Options{})}},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := slices.IndexFunc(rules, func(r rule) bool { return r.name == c.rule })
			if at < 0 {
				t.Fatalf("no rule %q", c.rule)
			}
			err := rules[at].verdict(c.proto)
			if err == nil {
				t.Fatalf("it keeps the rule %q", c.rule)
			}
			if text := err.Error(); !strings.Contains(text, c.rule) || !strings.Contains(text, rules[at].why) {
				t.Errorf("the failure does not say which rule is broken and why it is one:\n%s", text)
			}
		})
	}
}

func TestWorkThatIsNotCountedIsNotJudged(t *testing.T) {
	uncounted := wrapper(func(w wrapped) scan.Scanner { return w }) // a scanner without Examined
	if err := linearWork(newSubject(uncounted)); !errors.Is(err, errUncounted) {
		t.Errorf("got %v, want %v", err, errUncounted)
	}
}
