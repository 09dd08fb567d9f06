package reference_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/parser/internal/reference"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/hermes"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/protocol/vcp"
)

// A subject is a protocol and its reference.
type subject struct {
	name     string
	protocol protocol.Protocol
	read     func(string, reference.Options) reference.Reply
	kinds    []kind
	// readyOnly compares only the requests that run. The parser and the reference still differ in
	// how they report some spliced requests at the edges of limits on length. None of these
	// requests runs. If VCP_REFERENCE_WHOLE is set, whole replies are compared all the same.
	readyOnly bool
}

var subjects = []subject{
	{"vcp", vcp.Protocol{}, reference.Read, vcpKinds, false},
	{"hermes", hermes.Protocol{}, reference.ReadHermes, hermesKinds, false},
	{"spliced vcp", vcp.Protocol{}, reference.Read, []kind{{"cases", splices("vcp")}}, true},
	{"spliced hermes", hermes.Protocol{}, reference.ReadHermes, []kind{{"cases", splices("hermes")}}, true},
}

// drawOptions draws a way to read a reply.
func drawOptions(r *rand.Rand) reference.Options {
	return reference.Options{
		Level:      reference.Level(r.IntN(3)),
		Quoted:     []reference.Policy{reference.Skip, reference.Run, reference.Auto}[r.IntN(3)],
		Reasoning:  []reference.Policy{reference.Skip, reference.Run, reference.RunIfNothingElse}[r.IntN(3)],
		FinishStop: r.IntN(4) > 0,
	}
}

// parse reads a reply with the parser, and returns it in the form of the reference.
func (s subject) parse(text string, o reference.Options) (reference.Reply, error) {
	po := parser.Options{Disabled: o.Disabled, Limits: parser.Limits(o.Limits), Finish: protocol.FinishLength}
	if o.FinishStop {
		po.Finish = protocol.FinishStop
	}
	po.Tolerance = map[reference.Level]scan.Tolerance{
		reference.Strict: scan.Strict, reference.Safe: scan.Safe, reference.Greedy: scan.Greedy,
	}[o.Level]
	po.Quoted = map[reference.Policy]parser.QuotedPolicy{
		reference.Skip: parser.QuotedSkip, reference.Run: parser.QuotedRun, reference.Auto: parser.QuotedAuto,
	}[o.Quoted]
	po.Reasoning = map[reference.Policy]parser.ReasoningPolicy{
		reference.Skip: parser.ReasoningIgnore, reference.Run: parser.ReasoningRun,
		reference.RunIfNothingElse: parser.ReasoningRunIfNothingElse,
	}[o.Reasoning]
	reply, err := parser.ParseToolRequests(s.protocol, text, po)
	if err != nil {
		return reference.Reply{}, err
	}
	return fromJSON(reply.AppendJSON(nil))
}

// fromJSON reads the output of vcp parse, in which the command is one of the arguments.
func fromJSON(b []byte) (reference.Reply, error) {
	type span [2]int
	var v struct {
		Requests []struct {
			RequestID, Label, ToolName, Status string
			Span                               span
			Error                              *struct{ Code string }
			Arguments                          []struct {
				Name, Value, Form string
				ValueBase64       []byte
			}
			Repairs []struct {
				Name string
				Span span
			}
		}
		Text, Reasoning string
		Dropped         []struct{ Span span }
		Notices         []struct {
			Code string
			Span span
		}
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return reference.Reply{}, err
	}
	spanOf := func(s span) reference.Span { return reference.Span{Start: s[0], End: s[1]} }
	out := reference.Reply{Text: v.Text, Reasoning: v.Reasoning}
	for _, q := range v.Requests {
		got := reference.Request{ID: q.RequestID, ToolName: q.ToolName, Label: q.Label, Span: spanOf(q.Span), Status: q.Status}
		for _, a := range q.Arguments {
			text := a.Value
			if a.ValueBase64 != nil {
				text = string(a.ValueBase64)
			}
			got.Arguments = append(got.Arguments, reference.Argument{Name: a.Name, Text: text, JSON: a.Form == "json"})
		}
		for _, p := range q.Repairs {
			got.Repairs = append(got.Repairs, reference.Repair{Name: p.Name, Span: spanOf(p.Span)})
		}
		if q.Error != nil {
			got.Code = q.Error.Code
		}
		out.Requests = append(out.Requests, got)
	}
	for _, d := range v.Dropped {
		out.Dropped = append(out.Dropped, spanOf(d.Span))
	}
	for _, n := range v.Notices {
		if n.Code == string(parser.NoticeForeignRequest) { // the reference does not read other forms
			continue
		}
		out.Notices = append(out.Notices, reference.Notice{Code: n.Code, Span: spanOf(n.Span)})
	}
	return out, nil
}

// difference describes the difference between the parser and the reference. It returns "" if they
// agree.
func (s subject) difference(text string, o reference.Options) string {
	got, err := s.parse(text, o)
	if err != nil {
		return err.Error()
	}
	want := s.read(text, o)
	for i := range want.Requests {
		want.Requests[i].Command = "" // the parser lists the command among the arguments
	}
	if s.readyOnly && os.Getenv("VCP_REFERENCE_WHOLE") == "" {
		want, got = ready(want), ready(got)
	}
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got, cmpopts.EquateEmpty())
}

// ready returns a reply with only the requests that run, without their IDs and repairs.
func ready(all reference.Reply) (runs reference.Reply) {
	for _, q := range all.Requests {
		if q.Status == "ready" {
			q.ID, q.Repairs = "", nil
			runs.Requests = append(runs.Requests, q)
		}
	}
	return runs
}

// shrink removes pieces, then runes, as long as the parser and the reference still differ.
func (s subject) shrink(pieces []string, o reference.Options) string {
	differs := func(pieces []string) bool { return s.difference(strings.Join(pieces, ""), o) != "" }
	pieces = reduce(pieces, differs)
	return strings.Join(reduce(strings.Split(strings.Join(pieces, ""), ""), differs), "")
}

// reduce removes runs of pieces, long ones first, as long as the rest still has the property.
func reduce(pieces []string, has func([]string) bool) []string {
	for again := true; again; {
		again = false
		for n := len(pieces) / 2; n > 0; n /= 2 {
			for i := 0; i+n <= len(pieces); {
				rest := append(append([]string{}, pieces[:i]...), pieces[i+n:]...)
				if has(rest) {
					pieces, again = rest, true
				} else {
					i++
				}
			}
		}
	}
	return pieces
}

// simplest returns simpler options with which the parser and the reference still differ.
func (s subject) simplest(text string, o reference.Options) reference.Options {
	for _, try := range []func(*reference.Options){
		func(o *reference.Options) { o.FinishStop = true },
		func(o *reference.Options) { o.Quoted = reference.Skip },
		func(o *reference.Options) { o.Reasoning = reference.Skip },
		func(o *reference.Options) { o.Level = reference.Safe },
		func(o *reference.Options) { o.Level = reference.Strict },
	} {
		p := o
		try(&p)
		if s.difference(text, p) != "" {
			o = p
		}
	}
	return o
}

// check reports an error if the parser and the reference differ on an input.
func (s subject) check(t testing.TB, pieces []string, o reference.Options) {
	t.Helper()
	if s.difference(strings.Join(pieces, ""), o) == "" {
		return
	}
	text := s.shrink(pieces, o)
	o = s.simplest(text, o)
	got, _ := s.parse(text, o)
	t.Errorf("%s\n%q\nshape %q\nreference %s\nparser    %s", brief(o), text, shape(text), show(s.read(text, o)), show(got))
}

// TestTheParserAgreesWithTheReference reads inputs of each kind with the parser and the reference.
// VCP_REFERENCE_INPUTS sets the number of inputs of a kind, and VCP_REFERENCE_SEED the seed from
// which they are drawn.
func TestTheParserAgreesWithTheReference(t *testing.T) {
	inputs, seed := 4000, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("VCP_REFERENCE_INPUTS")); err == nil {
		inputs = n
	}
	if n, err := strconv.ParseUint(os.Getenv("VCP_REFERENCE_SEED"), 10, 64); err == nil {
		seed = n
	}
	for _, s := range subjects {
		for i, k := range s.kinds {
			t.Run(s.name+"/"+k.name, func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(seed, uint64(i)))
				for range inputs {
					s.check(t, k.draw(r), drawOptions(r))
				}
			})
		}
	}
}

// FuzzAgreement draws an input for each pair of seeds that the fuzzer makes.
func FuzzAgreement(f *testing.F) {
	f.Add(uint64(0), uint64(0))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		r := rand.New(rand.NewPCG(a, b))
		s := subjects[r.IntN(len(subjects))]
		s.check(t, s.kinds[r.IntN(len(s.kinds))].draw(r), drawOptions(r))
	})
}

// brief writes options in short.
func brief(o reference.Options) string {
	list := []string{[]string{"strict", "safe", "greedy"}[o.Level]}
	if o.Quoted != reference.Skip {
		list = append(list, map[reference.Policy]string{reference.Run: "quoted=run", reference.Auto: "quoted=auto"}[o.Quoted])
	}
	if o.Reasoning != reference.Skip {
		list = append(list, map[reference.Policy]string{reference.Run: "reasoning=run", reference.RunIfNothingElse: "reasoning=else"}[o.Reasoning])
	}
	if !o.FinishStop {
		list = append(list, "length")
	}
	return strings.Join(list, ",")
}

// show writes a reply on one line.
func show(r reference.Reply) string {
	var b strings.Builder
	for _, q := range r.Requests {
		fmt.Fprintf(&b, "%s", q.Status)
		if q.Code != "" {
			fmt.Fprintf(&b, "(%s)", q.Code)
		}
		fmt.Fprintf(&b, " %d-%d %s", q.Span.Start, q.Span.End, q.ToolName)
		for _, a := range q.Arguments {
			fmt.Fprintf(&b, " %s=%q", a.Name, a.Text)
		}
		if q.Label != "" {
			fmt.Fprintf(&b, " label %q", q.Label)
		}
		if len(q.Repairs) > 0 {
			fmt.Fprintf(&b, " %v", q.Repairs)
		}
		b.WriteString("; ")
	}
	fmt.Fprintf(&b, "text %q", r.Text)
	if r.Reasoning != "" {
		fmt.Fprintf(&b, " reasoning %q", r.Reasoning)
	}
	if r.Dropped != nil {
		fmt.Fprintf(&b, " dropped %v", r.Dropped)
	}
	if len(r.Notices) > 0 {
		fmt.Fprintf(&b, " notices %v", r.Notices)
	}
	return b.String()
}
