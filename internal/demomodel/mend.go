package demomodel

import (
	"slices"
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// mend returns corrected requests for those of the first round that failed in a way that their results tell how to correct. It
// goes by what the result quotes: another spelling of a value or a name that was sent.
func mend(c conversation) []protocol.ToolRequest {
	r := &c.rounds[0]
	known := newCatalogue(c.definitions)
	var requests []protocol.ToolRequest
	for i, result := range r.results {
		request, ok := r.request(i)
		if !ok || result.Status != protocol.StatusError {
			continue
		}
		if mended, ok := known.mendOne(c.question, request, result); ok && !slices.ContainsFunc(r.requests, func(o protocol.ToolRequest) bool { return sameRequest(o, mended) }) {
			requests = append(requests, mended)
		}
	}
	return requests
}

func (c catalogue) mendOne(question string, request protocol.ToolRequest, result protocol.ToolResult) (protocol.ToolRequest, bool) {
	text := result.Suggestion + "\n" + result.Result
	hints := hintsOf(strings.ToValidUTF8(text[:min(len(text), maxQuestion)], ""))
	mended := request
	mended.Arguments = slices.Clone(request.Arguments)
	for i, a := range mended.Arguments {
		if better, ok := nearest(textOf(a), hints); ok {
			mended.Arguments[i] = protocol.Argument{Name: a.Name, Value: better}
			return mended, true
		}
	}
	at := slices.IndexFunc(c, func(m *method) bool { return m.ToolName == request.ToolName })
	if at < 0 {
		return request, false
	}
	// A parameter that the result speaks of and the request does not have.
	for i := range c[at].parameters {
		p := &c[at].parameters[i]
		has := slices.ContainsFunc(request.Arguments, func(a protocol.Argument) bool { return a.Name == p.Name })
		if has || !slices.Contains(hints, p.Name) {
			continue
		}
		for _, f := range c[at].fits(p, findValues(question)) {
			mended.Arguments = append(mended.Arguments, protocol.Argument{Name: p.Name, Value: f.text})
			return mended, true
		}
	}
	return request, false
}

// hintsOf returns what a text quotes, and the paths and identifiers in it.
func hintsOf(text string) []string {
	v := findValues(text)
	var hints []string
	for _, q := range v.quoted {
		hints = append(hints, q.text)
	}
	for _, p := range v.paths {
		hints = append(hints, p.text)
	}
	for _, x := range v.codes {
		hints = append(hints, x.text)
	}
	return hints
}

// nearest returns the hint that is another spelling of a value: the same but for case and separators, one that ends in it as a path
// does, or one that is a letter or two away.
func nearest(value string, hints []string) (string, bool) {
	for _, h := range hints {
		if h != value && h != "" && fold(h) == fold(value) {
			return h, true
		}
	}
	for _, h := range hints {
		if strings.HasSuffix(h, "/"+value) {
			return h, true
		}
	}
	for _, h := range hints {
		if n := len([]rune(value)); h != value && n >= 4 && distance(fold(h), fold(value)) <= min(2, n/4) {
			return h, true
		}
	}
	return "", false
}

// fold takes case and separators out.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" _-.", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// distance is the number of letters to change, add or take away to get from a to b. Long texts are taken as far apart.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 100 || len(y) > 100 {
		return len(x) + len(y)
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		last := row[0]
		row[0] = i + 1
		for j := range y {
			cost := last
			if x[i] != y[j] {
				cost++
			}
			last = row[j+1]
			row[j+1] = min(cost, last+1, row[j]+1)
		}
	}
	return row[len(y)]
}
