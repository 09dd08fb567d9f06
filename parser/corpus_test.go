package parser_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vcpgo/vcp/internal/golden"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

var update = flag.Bool("update", false, "rewrite what the cases of the corpus expect, after a deliberate change")

const vcpCorpus = "../testdata/vcp"

func loadCorpus(t testing.TB, dir string) []golden.Case {
	t.Helper()
	cases, err := golden.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// options returns the options of a case at one of its levels.
func options(t testing.TB, c *golden.Case, level string) parser.Options {
	t.Helper()
	o := parser.Options{
		Disabled: c.Options.Disabled, Limits: parser.Limits(c.Options.Limits), Finish: protocol.FinishStop,
	}
	var err error
	if o.Tolerance, err = scan.ParseTolerance(level); err != nil {
		t.Fatal(err)
	}
	if c.Options.Finish != nil {
		o.Finish = protocol.FinishReason(*c.Options.Finish)
		if o.Finish == "unknown" {
			o.Finish = protocol.FinishUnknown
		}
	}
	if o.Quoted, err = parser.ParseQuotedPolicy(c.Options.Quoted); err != nil {
		t.Fatal(err)
	}
	if o.Reasoning, err = parser.ParseReasoningPolicy(c.Options.Reasoning); err != nil {
		t.Fatal(err)
	}
	return o
}

func TestCorpusIsReadAsItsCasesExpect(t *testing.T) {
	for _, s := range subjects {
		t.Run(s.proto.ID(), func(t *testing.T) { checkCorpus(t, s) })
	}
}

func checkCorpus(t *testing.T, s subject) {
	for _, c := range loadCorpus(t, s.corpus) {
		for _, level := range append([]string{c.Options.Tolerance}, c.Options.AlsoLevels...) {
			t.Run(c.Name+"/"+level, func(t *testing.T) {
				o := options(t, &c, level)
				reply, err := parser.ParseToolRequests(s.proto, c.Input, o)
				if err != nil {
					t.Fatal(err)
				}
				got := reduced(t, c.Input, reply.AppendJSON(nil))
				var want any
				if err := json.Unmarshal(c.Want, &want); err != nil {
					t.Fatalf("want.json: %v", err)
				}
				if d := cmp.Diff(want, got); d != "" {
					if *update {
						if err := c.Update(indent(t, got)); err != nil {
							t.Fatal(err)
						}
						return
					}
					t.Errorf("%s\nwanted and read differ (-want +got):\n%s", c.Header, d)
				}
			})
		}
	}
}

// reduced removes the parts of a reply that cases omit: the version, messages, the raw block, args
// and the counts of repairs. It checks them, apart from the messages of notices.
func reduced(t testing.TB, input string, reply []byte) any {
	t.Helper()
	var v struct {
		Requests []map[string]any `json:"requests"`
		Rest     map[string]any   `json:"-"`
	}
	if err := json.Unmarshal(reply, &v); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(reply, &v.Rest); err != nil {
		t.Fatal(err)
	}
	if v.Rest["version"] != float64(parser.JSONVersion) {
		t.Errorf("version is %v, want %d", v.Rest["version"], parser.JSONVersion)
	}
	delete(v.Rest, "version")
	checkCounts(t, v.Requests, v.Rest["repairCounts"])
	delete(v.Rest, "repairCounts")
	requests := make([]any, 0, len(v.Requests))
	for _, q := range v.Requests {
		checkRedundant(t, input, q)
		if e, ok := q["error"].(map[string]any); ok {
			if e["message"] == "" {
				t.Errorf("the error %v has no message", e["code"])
			}
			delete(e, "message")
		}
		delete(q, "rawBlock")
		delete(q, "args")
		requests = append(requests, q)
	}
	v.Rest["requests"] = requests
	for _, n := range v.Rest["notices"].([]any) {
		delete(n.(map[string]any), "message")
	}
	return v.Rest
}

// checkRedundant compares a request's rawBlock with its span, and args with arguments.
func checkRedundant(t testing.TB, input string, q map[string]any) {
	t.Helper()
	span := q["span"].([]any)
	raw := input[int(span[0].(float64)):int(span[1].(float64))]
	if e, ok := q["error"].(map[string]any); ok && e["code"] == string(scan.CodeLimitExceeded) && q["rawBlock"] == "" {
		raw = "" // a block over a limit is not stored
	}
	if want := string([]rune(raw)); q["rawBlock"] != want { // JSON has U+FFFD for each byte that is not UTF-8
		t.Errorf("rawBlock is %q, but the span contains %q", q["rawBlock"], want)
	}
	args := map[string]any{}
	for _, a := range q["arguments"].([]any) {
		a := a.(map[string]any)
		if _, twice := args[a["name"].(string)]; !twice {
			args[a["name"].(string)] = a["value"]
		}
	}
	if d := cmp.Diff(args, q["args"]); d != "" {
		t.Errorf("args and arguments differ (-arguments +args):\n%s", d)
	}
}

// checkCounts compares the counts of repairs with the repairs that the requests list. Requests of a
// batch share the repairs of their block, which count once.
func checkCounts(t testing.TB, requests []map[string]any, got any) {
	t.Helper()
	want := map[string]any{}
	seen := map[string]bool{}
	for _, q := range requests {
		for _, r := range q["repairs"].([]any) {
			r := r.(map[string]any)
			name := r["name"].(string)
			if entry := fmt.Sprint(name, r["span"]); !seen[entry] {
				seen[entry] = true
				count, _ := want[name].(float64)
				want[name] = count + 1
			}
		}
	}
	if d := cmp.Diff(any(want), got); d != "" {
		t.Errorf("repairs and their counts differ (-listed +counted):\n%s", d)
	}
}

func indent(t testing.TB, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestCorpusDoesNotDependOnHowItIsCut(t *testing.T) {
	for _, s := range subjects {
		t.Run(s.proto.ID(), func(t *testing.T) { checkCorpusCuts(t, s) })
	}
}

func checkCorpusCuts(t *testing.T, s subject) {
	for _, c := range loadCorpus(t, s.corpus) {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			for i, level := range append([]string{c.Options.Tolerance}, c.Options.AlsoLevels...) {
				o := options(t, &c, level)
				checkConservation(t, s.proto, c.Input, o)
				if i > 0 { // more cuts at the other levels would find the same errors again
					checkChunks(t, s.proto, c.Input, o, someCuts(rand.New(rand.NewPCG(6, 7)), c.Input))
					continue
				}
				checkChunks(t, s.proto, c.Input, o, cuttings(c.Input)...)
			}
		})
	}
}
