package reference_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vcpgo/vcp/internal/golden"
	"github.com/vcpgo/vcp/parser/internal/reference"
)

var (
	levels   = map[string]reference.Level{"": reference.Safe, "strict": reference.Strict, "safe": reference.Safe, "greedy": reference.Greedy}
	policies = map[string]reference.Policy{
		"": reference.Skip, "skip": reference.Skip, "ignore": reference.Skip, "run": reference.Run, "auto": reference.Auto,
		"run_if_nothing_else": reference.RunIfNothingElse,
	}
)

// TestCorpusOfTheParserIsReadAsItsCasesExpect reads the cases of the parser.
func TestCorpusOfTheParserIsReadAsItsCasesExpect(t *testing.T) {
	for _, s := range []struct {
		dir  string
		read func(string, reference.Options) reference.Reply
	}{
		{"vcp", reference.Read},
		{"hermes", reference.ReadHermes},
	} {
		t.Run(s.dir, func(t *testing.T) {
			cases, err := golden.Load("../../../testdata/" + s.dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range cases {
				for _, level := range append([]string{c.Options.Tolerance}, c.Options.AlsoLevels...) {
					t.Run(c.Name+"/"+level, func(t *testing.T) {
						got := asJSON(t, s.read(c.Input, optionsOf(&c, level)))
						var want any
						if err := json.Unmarshal(c.Want, &want); err != nil {
							t.Fatal(err)
						}
						if d := cmp.Diff(want, got); d != "" {
							t.Errorf("%s\nwanted and read differ (-want +got):\n%s", c.Header, d)
						}
					})
				}
			}
		})
	}
}

func optionsOf(c *golden.Case, level string) reference.Options {
	return reference.Options{
		Level: levels[level], Disabled: c.Options.Disabled, Limits: reference.Limits(c.Options.Limits),
		Quoted: policies[c.Options.Quoted], Reasoning: policies[c.Options.Reasoning],
		FinishStop: c.Options.Finish == nil || *c.Options.Finish == "stop",
	}
}

// validText returns s with U+FFFD in place of each byte that is not UTF-8, as JSON shows it.
func validText(s string) string { return string([]rune(s)) }

// asJSON returns a reply in the form of the cases.
func asJSON(t *testing.T, r reference.Reply) any {
	t.Helper()
	type object = map[string]any
	span := func(s reference.Span) []int { return []int{s.Start, s.End} }
	requests, dropped, notices := []object{}, []object{}, []object{}
	for _, q := range r.Requests {
		args, repairs := []object{}, []object{}
		for _, a := range q.Arguments {
			o := object{"name": a.Name, "value": validText(a.Text), "form": "plain"}
			if a.JSON {
				o["form"] = "json"
			}
			if o["value"] != a.Text {
				o["valueBase64"] = []byte(a.Text)
			}
			args = append(args, o)
		}
		for _, p := range q.Repairs {
			repairs = append(repairs, object{"name": p.Name, "span": span(p.Span)})
		}
		var code any
		if q.Code != "" {
			code = object{"code": q.Code}
		}
		requests = append(requests, object{
			"requestId": q.ID, "label": q.Label, "toolName": q.ToolName, "arguments": args, "span": span(q.Span),
			"status": q.Status, "repairs": repairs, "error": code,
		})
	}
	for _, s := range r.Dropped {
		dropped = append(dropped, object{"span": span(s), "reason": "fabricated_result"})
	}
	for _, n := range r.Notices {
		notices = append(notices, object{"code": n.Code, "span": span(n.Span)})
	}
	b, err := json.Marshal(object{
		"requests": requests, "text": validText(r.Text), "reasoning": validText(r.Reasoning), "dropped": dropped, "notices": notices,
	})
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	return v
}
