package demomodel

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

const (
	// enoughWords is how much words must speak for a method without a sure value: one word of its
	// name, or two rare ones of its description.
	enoughWords = 1.2
	// maxCalls limits the requests of one reply.
	maxCalls = 8
	// maxQuestion limits what is read of a question, in bytes, and maxParts in how many parts: the
	// work grows faster than the text.
	maxQuestion = 2 << 10
	maxParts    = 24
)

// An attempt is a method with the arguments that a part of a question has for it.
type attempt struct {
	method  *method
	args    map[string]fit // by parameter
	words   float64        // how much the words speak for the method
	score   float64
	missing *parameter // the first required parameter without a value
}

func (a *attempt) ready() bool { return a != nil && a.missing == nil }

func (a *attempt) sure() bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(a.args)), func(f fit) bool { return f.sure })
}

// evident reports whether the part asks for the method. A method that may change something runs
// only if the user says what it does.
func (a *attempt) evident(v *values) bool {
	calculates := slices.ContainsFunc(a.method.parameters, func(p parameter) bool { return p.kind == kindArithmetic && a.args[p.Name].sure })
	return (a.words >= enoughWords || a.sure()) && (a.method.reads || calculates || a.method.spoken(v.tokens))
}

func (a *attempt) uses(s span) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(a.args)), func(f fit) bool { return f.overlaps(s) })
}

// try fills the parameters of a method, the best fits first. No word is used twice.
func (c catalog) try(m *method, v *values) *attempt {
	type offer struct {
		fit
		p *parameter
	}
	var offers []offer
	for i := range m.parameters {
		p := &m.parameters[i]
		for _, f := range m.fits(p, v) {
			if p.Required {
				f.score += 0.1
			} else if p.kind == kindText {
				f.score /= 2
			}
			offers = append(offers, offer{f, p})
		}
	}
	slices.SortStableFunc(offers, func(a, b offer) int { return cmp.Compare(b.score, a.score) })
	a := &attempt{method: m, args: map[string]fit{}, words: c.wordScore(m, v.tokens)}
	a.score = a.words
	for _, o := range offers {
		if _, filled := a.args[o.p.Name]; !filled && !a.uses(o.span) {
			a.args[o.p.Name] = o.fit
			a.score += o.score
		}
	}
	for i := range m.parameters {
		if p := &m.parameters[i]; p.Required && a.missing == nil && a.args[p.Name].text == "" {
			a.missing = p
		}
	}
	for _, x := range v.written() {
		if !a.uses(x.span) {
			a.score--
		}
	}
	return a
}

// best returns the method that a part asks for, or nil. If all that speak up lack a value, it is
// the one for which most speaks.
func (c catalog) best(v *values, s span) *attempt {
	v = v.within(s)
	var found, lacking *attempt
	for _, m := range c {
		a := c.try(m, v)
		switch {
		case !a.evident(v):
		case !a.ready():
			if lacking == nil || a.score > lacking.score {
				lacking = a
			}
		case found == nil || a.score > found.score:
			found = a
		}
	}
	if found == nil || lacking != nil && !found.sure() && lacking.words > 1.5*found.words {
		return lacking
	}
	return found
}

// request writes an attempt as a request, its arguments in the order of the definition.
func (a *attempt) request() protocol.ToolRequest {
	r := protocol.ToolRequest{ToolName: a.method.ToolName}
	for _, p := range a.method.parameters {
		if f, ok := a.args[p.Name]; ok {
			arg := protocol.Argument{Name: p.Name, Value: f.text}
			if p.kind == kindList || p.kind == kindObject {
				arg.Form = protocol.FormJSON
			}
			r.Arguments = append(r.Arguments, arg)
		}
	}
	return r
}

// A plan is what a question asks for.
type plan struct {
	requests []protocol.ToolRequest
	lacking  []*attempt // asked for without what they need
	partly   bool       // the question asks for more than is planned at once
}

func (c catalog) plan(question string) plan {
	var out plan
	if len(question) > maxQuestion {
		question, out.partly = strings.ToValidUTF8(question[:maxQuestion], ""), true
	}
	v := findValues(question)
	parts := v.parts()
	if len(parts) > maxParts {
		parts, out.partly = parts[:maxParts], true
	}
	var steps []step
	for _, p := range parts {
		steps = c.next(steps, v, p)
	}
	for _, a := range steps {
		switch {
		case a.attempt == nil:
		case a.missing != nil:
			out.lacking = append(out.lacking, a.attempt)
		default:
			for _, b := range a.again(v.within(a.span)) {
				out.add(b.request())
			}
		}
	}
	if a := c.best(v, span{0, len(question)}); len(out.requests) == 0 && len(steps) > 1 && a.ready() {
		out.add(a.request())
	}
	return out
}

// add plans a request once.
func (p *plan) add(r protocol.ToolRequest) {
	switch {
	case slices.ContainsFunc(p.requests, func(o protocol.ToolRequest) bool { return sameRequest(o, r) }):
	case len(p.requests) < maxCalls:
		p.requests = append(p.requests, r)
	default:
		p.partly = true
	}
}

// sameRequest reports whether two requests call the same method with the same arguments.
func sameRequest(a, b protocol.ToolRequest) bool {
	return a.ToolName == b.ToolName && slices.Equal(a.Arguments, b.Arguments)
}

// A step is a stretch of a question and what it asks for; nil if that is nothing.
type step struct {
	span
	*attempt
}

// next adds a part of a question to the steps so far: as a step of its own, or as more of the step before it.
func (c catalog) next(steps []step, v *values, p span) []step {
	own := c.best(v, p)
	if len(steps) == 0 {
		return append(steps, step{p, own})
	}
	last := &steps[len(steps)-1]
	if own.ready() && (last.attempt == nil || last.method != own.method || last.sharesArgument(own)) {
		return append(steps, step{p, own})
	}
	together := span{last.start, p.end}
	joint := c.best(v, together)
	if joint != nil && (last.attempt == nil || joint.ready() && (!last.ready() || joint.method == last.method)) {
		*last = step{together, joint}
		return steps
	}
	return append(steps, step{p, own})
}

// sharesArgument reports whether the user wrote a value for the same parameter twice.
func (a *attempt) sharesArgument(b *attempt) bool {
	return slices.ContainsFunc(a.method.parameters, func(p parameter) bool { return a.args[p.Name].end > 0 && b.args[p.Name].end > 0 })
}

// again returns the attempt once more for each other value of the same kind: "read a.txt and b.txt".
func (a *attempt) again(v *values) []*attempt {
	all := []*attempt{a}
	for name, f := range a.args {
		for _, x := range v.of(f.kind) {
			if repeatable[f.kind] && !a.uses(x.span) {
				b := *a
				b.args = maps.Clone(a.args)
				b.args[name] = fit{value: x}
				all = append(all, &b)
			}
		}
	}
	return all
}

var repeatable = map[kind]bool{kindPath: true, kindMaybePath: true, kindQuoted: true, kindName: true, kindZone: true}

// separator ends a part of a question: the end of a sentence or a clause, or a word that joins two.
var separator = regexp.MustCompile(`(?i)([?!;\n，。；？！])|([.,])(?:\s|\p{Han}|$)|(然后|并且|以及|还有|另外|同时|接着|再)|\b(and then|and also|as well as|and|then|also) `)

// parts separates a question, but not inside of values and brackets, nor between two values of one kind.
func (v *values) parts() []span {
	masked, depth, last := []byte(v.text), 0, value{}
	mask := func(s span) { copy(masked[s.start:s.end], strings.Repeat("x", s.end-s.start)) }
	for _, x := range v.all {
		if solid[x.kind] || x.kind == kindArithmetic || x.kind == kindName {
			if last.end > 0 && last.kind == x.kind && x.kind != kindArithmetic && listForm.Match(masked[last.end:max(last.end, x.start)]) {
				mask(span{last.end, x.start})
			}
			mask(x.span)
			last = x
		}
	}
	for i, b := range masked {
		switch {
		case b == '(':
			depth++
		case b == ')':
			depth = max(0, depth-1)
		case depth > 0:
			masked[i] = 'x'
		}
	}
	var found []span
	start := 0
	for _, at := range append(separator.FindAllSubmatchIndex(masked, -1), []int{len(v.text), len(v.text), len(v.text), len(v.text)}) {
		for g := 2; g < len(at); g += 2 {
			if at[g] < 0 {
				continue
			}
			part := v.text[start:at[g]]
			begin := start + len(part) - len(strings.TrimLeft(part, " \t\r\n,"))
			if part = strings.Trim(part, " \t\r\n,"); part != "" {
				found = append(found, span{begin, begin + len(part)})
			}
			start = at[g+1]
		}
	}
	return found
}

var listForm = regexp.MustCompile(`^(?:, ?|、)?(?:and |和)?$|^ and $`)
