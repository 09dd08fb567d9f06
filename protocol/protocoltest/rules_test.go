package protocoltest

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

func moodyAtStrict(s scan.Scanner, o scan.Options) scan.Scanner {
	if o.Tolerance == scan.Strict {
		return moody{wrapped{s}}
	}
	return s
}

func TestAWrongProtocolBreaksItsRule(t *testing.T) {
	for _, c := range []struct {
		name, rule string
		proto      protocol.Protocol
	}{
		{"an ID in capitals", "it names itself, its repairs and its errors", loud{}},
		{"no messages", "it names itself, its repairs and its errors", silent{}},
		{"values written without white space", "requests read back as they were written", trimming{}},
		{
			"values read with an exclamation mark", "requests read back as they were written",
			wrapper(func(w wrapped) scan.Scanner { return shouting{w} }),
		},
		{
			"values with an exclamation mark that no event had", "events stay true",
			wrapper(func(w wrapped) scan.Scanner { return shouting{w} }),
		},
		{"any number of requests", "requests that cannot be read back are refused", boundless{}},
		{"an error that does not name what is refused", "requests that cannot be read back are refused", curt{}},
		{
			"a scanner that changes its input", "a scanner does not change its input",
			wrapper(func(w wrapped) scan.Scanner { return scribbling{w} }),
		},
		{"foreign text that is not neutralized", "neutralized text contains no request", trusting{}},
		{"five stop sequences", "at most four texts stop a reply, and no request contains one", blunt{}},
		{"an error at strict only", "clean requests read the same at every level", wrapping{wrap: moodyAtStrict}},
		{
			"a request that ends with the input", "a truncated request never runs",
			wrapper(func(w wrapped) scan.Scanner { return eager{w, new(bool)} }),
		},
		{"a request that closes a fence", "a request that is shown is not run", bold{}},
		{
			"half a mark read as text", "reading does not depend on how the input is split",
			wrapper(func(w wrapped) scan.Scanner { return hasty{w} }),
		},
		{
			"a failure at the second request", "no input makes it fail",
			wrapper(func(w wrapped) scan.Scanner { return fragile{w, new(int)} }),
		},
		{
			"an argument with two values", "a request that runs has each argument once",
			wrapper(func(w wrapped) scan.Scanner { return careless{w} }),
		},
		{"text returned only at the end of the input", "text is not held back", wrapper(func(w wrapped) scan.Scanner { return slow{w} })},
		{
			"all of the input examined for each token", "the work grows with the input",
			wrapper(func(w wrapped) scan.Scanner { return &frozen{Scanner: w} }),
		},
		{"results that are not neutralized", "results contain no request", raw{}},
		{"results in results", "results contain no result but their own", nested{}},
		{
			"a value that is no JSON", "a JSON value that runs is JSON",
			wrapper(func(w wrapped) scan.Scanner { return literal{w} }),
		},
		{"a limit of keys that is ignored", "a request with a key over the limit does not run", generous{}},
		{"results in foreign text that are not neutralized", "neutralized text contains no result", gullible{}},
		{
			"the mark of a result read as text", "a result that a model writes is dropped",
			wrapper(func(w wrapped) scan.Scanner { return blind{w, scan.EvidenceResult} }),
		},
		{
			"an end mark in text read as text", "a request in a value that ends early does not run",
			wrapper(func(w wrapped) scan.Scanner { return blind{w, scan.EvidenceCloser} }),
		},
		{"descriptions that are not neutralized", "definitions contain no request but their examples", verbose{}},
		{"results read without suggestions", "results read back as they were written", forgetful{}},
		{"parameters omitted", "definitions name every method and parameter", terse{}},
		{"definitions read back without the omitted parameters", "definitions read back as they were written", terse{}},
		{"a number in each prompt", "the same input writes the same text", restless{n: new(int)}},
		{
			"one scanner for all", "replies that are read at the same time do not mix",
			shared{scanner: correct{}.NewScanner(scan.Options{})},
		},
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
