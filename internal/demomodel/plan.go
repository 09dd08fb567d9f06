package demomodel

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
)

const enoughWords = 1.2 // the minimum score of the words if a method is chosen without a sure value

// An attempt is a method, and the values in a part of a question that fit its parameters.
type attempt struct {
	method       *method
	args         []fit      // one for each parameter; its text is "" if no value fits
	words, score float64    // the score of the question's words, and the score with the values
	missing      *parameter // the first required parameter without a value
}

func (a *attempt) ready() bool { return a != nil && a.missing == nil }

func (a *attempt) uses(s span) bool {
	return slices.ContainsFunc(a.args, func(f fit) bool { return f.overlaps(s) })
}

// evident reports whether the part asks for the method. A method that may change something runs
// only if the user names that change, or writes arithmetic for it. A method that reads runs unless
// the user asks for a change that the method does not name.
func (a *attempt) evident(v *values) bool {
	sure := slices.ContainsFunc(a.args, func(f fit) bool { return f.sure })
	calculates := slices.ContainsFunc(a.args, func(f fit) bool { return f.kind == kindArithmetic && f.sure })
	said, negated := a.method.action.mentioned(v.tokens)
	words := a.words
	if slices.ContainsFunc(a.args, func(f fit) bool { return f.named }) {
		words += nameWeight
	}
	return (words >= enoughWords || sure) && (a.method.reads && !a.method.lacksChange(v.tokens) || calculates || said.end > 0 && !negated)
}

// try returns an attempt with the best values for a method's parameters. No word is used twice.
func (c catalog) try(m *method, v *values) *attempt {
	var offers []fit
	for i := range m.parameters {
		p := &m.parameters[i]
		for _, f := range m.fits(p, v) {
			f.parameter = i
			// Any value is better than none, but the value of an optional text is often a guess.
			if f.score += 0.1; !p.Required && p.kind == kindText {
				f.score /= 2
			}
			offers = append(offers, f)
		}
	}
	slices.SortStableFunc(offers, func(a, b fit) int { return cmp.Compare(b.score, a.score) })
	a := &attempt{method: m, args: make([]fit, len(m.parameters)), words: c.wordScore(m, v.tokens)}
	a.score = a.words
	for _, f := range offers {
		if a.args[f.parameter].text == "" && !a.uses(f.span) {
			a.args[f.parameter] = f
			a.score += f.score
		}
	}
	for i := len(a.args) - 1; i >= 0; i-- {
		if p := &m.parameters[i]; p.Required && a.args[i].text == "" {
			a.missing = p
		}
	}
	for _, x := range v.all {
		if x.isDistinct() && !a.uses(x.span) { // the method cannot use x, so the question may mean another method
			a.score--
		}
	}
	return a
}

// best returns the attempt with the method that a part asks for, or nil if it asks for no method.
// Missing values lower the score of a method.
func (c catalog) best(v *values, s span) (best *attempt) {
	v = v.within(s)
	for _, m := range c {
		a := c.try(m, v)
		if !a.ready() {
			a.score -= 1.5
		}
		if a.evident(v) && (best == nil || a.score > best.score) {
			best = a
		}
	}
	return best
}

// request writes an attempt as a request, its arguments in the order of the definition.
func (a *attempt) request() protocol.ToolRequest {
	r := protocol.ToolRequest{ToolName: a.method.ToolName}
	for i, p := range a.method.parameters {
		arg := protocol.Argument{Name: p.Name, Value: a.args[i].text}
		if p.kind == kindList {
			arg.Form = protocol.FormJSON
		}
		if arg.Value != "" {
			r.Arguments = append(r.Arguments, arg)
		}
	}
	return r
}

// A plan is what a question asks for.
type plan struct {
	requests   []protocol.ToolRequest
	incomplete []*attempt // without a value for a required parameter
	unused     []string   // numbers, dates and questions that no request contains
	partly     bool       // the question asks for more than one plan can hold
}

func (c catalog) plan(question string) plan {
	out := plan{partly: len(question) > maxQuestion}
	v := findValues(text.TruncateBytes(question, maxQuestion))
	if slices.ContainsFunc(c, func(m *method) bool {
		return slices.ContainsFunc(m.parameters, func(p parameter) bool { return p.kind == kindZone })
	}) {
		v.findZones()
	}
	parts := v.parts()
	if len(parts) > maxParts {
		parts, out.partly = parts[:maxParts], true
	}
	var steps []step
	for _, p := range parts {
		steps = c.next(steps, v, p)
	}
	for _, s := range steps {
		switch {
		case s.attempt == nil:
			out.unused = append(out.unused, questionForm.FindAllString(v.text[s.start:s.end], 1)...)
		case s.missing != nil:
			out.incomplete = append(out.incomplete, s.attempt)
		default:
			out.add(s.request())
			inStep := v.within(s.span)
			for _, x := range inStep.of(kindNumber, kindDate) {
				if written := v.text[x.start:x.end]; !s.uses(x.span) && strings.ContainsAny(written, "0123456789") {
					out.unused = append(out.unused, written)
				}
			}
			for _, other := range s.again(inStep) {
				out.add(other)
			}
		}
	}
	return out
}

// add plans a request once.
func (p *plan) add(r protocol.ToolRequest) {
	if !hasRequest(p.requests, r) {
		p.requests = append(p.requests, r)
	}
	if len(p.requests) > maxCalls {
		p.requests, p.partly = p.requests[:maxCalls], true
	}
}

// hasRequest reports whether one of the requests calls the same method with the same arguments.
func hasRequest(requests []protocol.ToolRequest, r protocol.ToolRequest) bool {
	return slices.ContainsFunc(requests, func(o protocol.ToolRequest) bool {
		return o.ToolName == r.ToolName && slices.Equal(o.Arguments, r.Arguments)
	})
}

// A step is a part of a question and the attempt for it, which is nil if no method fits.
type step struct {
	span
	*attempt
}

// next adds a part to the steps so far: as a new step, or to the last step.
func (c catalog) next(steps []step, v *values, p span) []step {
	alone := c.best(v, p)
	if len(steps) == 0 {
		return append(steps, step{p, alone})
	}
	last := &steps[len(steps)-1]
	bothHave := func(f fit) bool { return f.end > 0 && alone.args[f.parameter].end > 0 } // a value from the question
	if alone.ready() && (last.attempt == nil || last.method != alone.method || slices.ContainsFunc(last.args, bothHave)) {
		return append(steps, step{p, alone})
	}
	isQuestion := alone == nil && questionForm.MatchString(v.text[p.start:p.end])
	together := span{last.start, p.end}
	joint := c.best(v, together)
	// The part joins the last step if they make a better request together. A part that is a
	// question must add a value to the request, so that the plan does not ignore the question.
	if joint != nil && (last.attempt == nil || joint.ready() && (!last.ready() || joint.method == last.method)) && (!isQuestion || joint.uses(p)) {
		*last = step{together, joint}
		return steps
	}
	return append(steps, step{p, alone})
}

// again repeats the request with each other value of the same kind: "read a.txt and b.txt".
func (a *attempt) again(v *values) (requests []protocol.ToolRequest) {
	for i, f := range a.args {
		for _, x := range v.of(f.kind) {
			if (solid[x.kind] || x.kind == kindName || x.kind == kindZone) && !a.uses(x.span) {
				b := attempt{method: a.method, args: slices.Clone(a.args)}
				b.args[i].value = x
				requests = append(requests, b.request())
			}
		}
	}
	return requests
}

var (
	// separators are between two parts of a question.
	separators = regexp.MustCompile(`(?i)[?!;\n，。；？！]|[.,](?:\s|$)|然后|并且|以及|还有|另外|同时|接着|再|\b(?:and then|and also|as well as|and|then|also) `)
	// questionForm matches a part with a question word; in English, the part begins with the word.
	questionForm = regexp.MustCompile(`(?i)^(?:who|whose|what|which|when|where|why|how)\b.*|.*(?:谁|什么|哪|怎|为何).*`)
	// partForm matches the text between two NUL bytes, which parts writes in place of separators.
	partForm = regexp.MustCompile(`[^\x00\s,][^\x00]*`)
	// listForm matches the text between two values of a list.
	listForm = regexp.MustCompile(`^(?:, ?|、)?(?:and |和)?$|^ and $`)
)

// parts splits a question, but not within values, brackets, and lists of values of one kind.
func (v *values) parts() []span {
	masked := []byte(v.text) // with x in places that are not split, and NUL for separators
	depth, previous := 0, value{}
	for _, x := range v.all {
		if !x.isDistinct() && x.kind != kindName {
			continue
		}
		if previous.kind != x.kind || x.kind == kindArithmetic || !listForm.Match(masked[min(previous.end, x.start):x.start]) {
			previous.end = x.start // no list, so the text before x may be split
		}
		copy(masked[previous.end:], strings.Repeat("x", max(0, x.end-previous.end)))
		previous = x
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
	masked = separators.ReplaceAllFunc(masked, func(s []byte) []byte { return make([]byte, len(s)) })
	var found []span
	for _, at := range partForm.FindAllIndex(masked, -1) {
		found = append(found, span{at[0], at[0] + len(strings.TrimRight(v.text[at[0]:at[1]], " \t\r\n,"))})
	}
	return found
}
