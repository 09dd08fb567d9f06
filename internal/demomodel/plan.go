package demomodel

import (
	"cmp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

const (
	// enoughWords is how much the words alone must speak for a method, where no value is sure: one word of its name, or two rarer
	// ones of its description.
	enoughWords = 1.2
	// maxCalls bounds the requests of one turn.
	maxCalls = 8
	// maxQuestion bounds what is read of a question, in bytes, and maxParts in how many parts: the rules are made for what people
	// type, and their work grows faster than the text.
	maxQuestion = 2 << 10
	maxParts    = 24
)

// An attempt is a method tried on a part of a question.
type attempt struct {
	method *method
	args   map[string]fit // by parameter
	words  float64
	score  float64
	// missing is the first required parameter without a value.
	missing *parameter
}

// evident reports whether the part asks for the method at all.
func (a *attempt) evident() bool { return a.words >= enoughWords || a.sure() }

func (a *attempt) sure() bool {
	for _, f := range a.args {
		if f.sure {
			return true
		}
	}
	return false
}

// try fills the parameters of a method from a part of a question, the best fits first; no word is used twice.
func (c catalogue) try(m *method, v *values) *attempt {
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
			}
			offers = append(offers, offer{f, p})
		}
	}
	slices.SortStableFunc(offers, func(a, b offer) int { return cmp.Compare(b.score, a.score) })
	a := &attempt{method: m, args: make(map[string]fit), words: c.wordScore(m, v.tokens)}
	a.score = a.words
	for _, o := range offers {
		if _, filled := a.args[o.p.Name]; filled || a.uses(o.span) {
			continue
		}
		a.args[o.p.Name] = o.fit
		a.score += o.score
	}
	for i := range m.parameters {
		if p := &m.parameters[i]; p.Required && a.missing == nil {
			if _, ok := a.args[p.Name]; !ok {
				a.missing = p
			}
		}
	}
	a.score -= a.unused(v)
	return a
}

func (a *attempt) uses(s span) bool {
	for _, f := range a.args {
		if f.overlaps(s) {
			return true
		}
	}
	return false
}

// unused counts what the user wrote with care and the method has no use for.
func (a *attempt) unused(v *values) float64 {
	n := 0
	for _, list := range [][]value{v.quoted, v.arithmetic, v.globs, v.urls, v.emails, v.dates, v.json} {
		for _, x := range list {
			if !a.uses(x.span) {
				n++
			}
		}
	}
	for _, x := range v.paths {
		if !a.uses(x.span) {
			n++
		}
	}
	return float64(n)
}

// best returns the method that a part asks for, or nil. Where all that speak up lack a value, it is the one that says most.
func (c catalogue) best(v *values) *attempt {
	var found, lacking *attempt
	for _, m := range c {
		a := c.try(m, v)
		switch {
		case !a.evident():
		case a.missing != nil:
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
	for i := range a.method.parameters {
		p := &a.method.parameters[i]
		f, ok := a.args[p.Name]
		if !ok {
			continue
		}
		arg := protocol.Argument{Name: p.Name, Value: f.text}
		if p.kind == kindList || p.kind == kindObject {
			arg.Form = protocol.FormJSON
		}
		r.Arguments = append(r.Arguments, arg)
	}
	return r
}

// A plan is what the planner makes of a question.
type plan struct {
	requests []protocol.ToolRequest
	// lacking are methods that the question asks for without giving what they need.
	lacking []*attempt
	// partly is set where the question asks for more than is planned at once.
	partly bool
}

// plan finds a method for each part of a question. A part that asks for nothing by itself belongs to the one before it.
func (c catalogue) plan(question string) plan {
	var out plan
	if len(question) > maxQuestion {
		question, out.partly = strings.ToValidUTF8(question[:maxQuestion], ""), true
	}
	all := parts(question)
	if len(all) > maxParts {
		all, out.partly = all[:maxParts], true
	}
	var steps []step
	for _, p := range all {
		steps = c.next(steps, question, p)
	}
	for _, s := range steps {
		switch {
		case s.attempt == nil:
		case s.attempt.missing != nil:
			out.lacking = append(out.lacking, s.attempt)
		default:
			out.add(s.attempt.request())
		}
	}
	if len(out.requests) == 0 && len(steps) > 1 {
		if a := c.best(findValues(question)); a != nil && a.missing == nil {
			out.add(a.request())
		}
	}
	return out
}

// add plans a request, once.
func (p *plan) add(r protocol.ToolRequest) {
	switch {
	case slices.ContainsFunc(p.requests, func(o protocol.ToolRequest) bool { return sameRequest(o, r) }):
	case len(p.requests) < maxCalls:
		p.requests = append(p.requests, r)
	default:
		p.partly = true
	}
}

// A step is a stretch of a question and what it asks for.
type step struct {
	span
	attempt *attempt // nil where it asks for nothing
}

// next adds a part to the steps so far: as a step of its own, as more of the step before it, or as that step over again with
// another value.
func (c catalogue) next(steps []step, question string, p span) []step {
	v := findValues(question[p.start:p.end])
	own := c.best(v)
	if len(steps) == 0 {
		return append(steps, step{p, own})
	}
	last := &steps[len(steps)-1]
	ready := own != nil && own.missing == nil
	if ready && (last.attempt == nil || last.attempt.method != own.method || shareArgument(last.attempt, own)) {
		return append(steps, step{p, own})
	}
	together := span{last.start, p.end}
	joint := c.best(findValues(question[together.start:together.end]))
	switch {
	case joint == nil:
	case last.attempt == nil, last.attempt.missing != nil && joint.missing == nil:
		*last = step{together, joint}
		return steps
	case ready && joint.method == own.method, joint.missing == nil && joint.method == last.attempt.method && joint.fuller(last.attempt):
		*last = step{together, joint}
		return steps
	}
	if again := last.attempt.again(v); again != nil && (own == nil || own.missing != nil) {
		return append(steps, step{p, again})
	}
	return append(steps, step{p, own})
}

// fuller reports whether a has more arguments than b, or a longer list.
func (a *attempt) fuller(b *attempt) bool {
	if len(a.args) != len(b.args) {
		return len(a.args) > len(b.args)
	}
	for i := range a.method.parameters {
		p := &a.method.parameters[i]
		if p.kind == kindList && len(a.args[p.Name].text) > len(b.args[p.Name].text) {
			return true
		}
	}
	return false
}

func shareArgument(a, b *attempt) bool {
	for name, f := range b.args {
		// A value that stands for none given is none.
		if g, ok := a.args[name]; ok && f.end > 0 && g.end > 0 {
			return true
		}
	}
	return false
}

// again repeats an attempt with what a part has for its main parameter: "read a.txt and b.txt".
func (a *attempt) again(v *values) *attempt {
	if a == nil || a.missing != nil {
		return nil
	}
	var main *parameter
	for i := range a.method.parameters {
		p := &a.method.parameters[i]
		if f, ok := a.args[p.Name]; ok && f.end > 0 && p.kind != kindSwitch && (main == nil || f.score > a.args[main.Name].score) {
			main = p
		}
	}
	if main == nil {
		return nil
	}
	var chosen *fit
	for _, f := range a.method.fits(main, v) {
		if f.end > 0 && (chosen == nil || f.score > chosen.score) {
			chosen = &f
		}
	}
	if chosen == nil {
		words := slices.DeleteFunc(slices.Clone(v.tokens), func(t token) bool { return t.stop })
		if len(words) != 1 || main.kind != kindText && main.kind != kindPath && main.kind != kindPlace {
			return nil
		}
		chosen = &fit{value: value{span{words[0].start, words[0].end}, words[0].text}, score: 0.5}
	}
	b := *a
	b.args = make(map[string]fit, len(a.args))
	for name, f := range a.args {
		b.args[name] = f
	}
	b.args[main.Name] = *chosen
	return &b
}

func sameRequest(a, b protocol.ToolRequest) bool {
	return a.ToolName == b.ToolName && a.Command == b.Command &&
		slices.EqualFunc(a.Arguments, b.Arguments, func(x, y protocol.Argument) bool { return x.Name == y.Name && textOf(x) == textOf(y) })
}
