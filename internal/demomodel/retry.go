package demomodel

import (
	"slices"
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// retries returns the failed requests of an iteration with another spelling of a value, if their
// results quote one.
func retries(r iteration) []protocol.ToolRequest {
	var requests []protocol.ToolRequest
	for i, result := range r.results {
		if result.Status != protocol.StatusError {
			continue
		}
		request := r.request(i)
		text := result.Suggestion + "\n" + result.Result
		hints := findValues(strings.ToValidUTF8(text[:min(len(text), maxQuestion)], "")).of(kindQuoted, kindPath, kindMaybePath, kindCode)
		for j, a := range request.Arguments {
			better := nearest(textOf(a), hints)
			if better == "" {
				continue
			}
			request.Arguments = slices.Clone(request.Arguments)
			request.Arguments[j] = protocol.Argument{Name: a.Name, Value: better}
			if !slices.ContainsFunc(r.requests, func(o protocol.ToolRequest) bool { return sameRequest(o, request) }) {
				requests = append(requests, request)
			}
			break
		}
	}
	return requests
}

// nearest returns the hint that is another spelling of what was sent: the same without case and
// separators, a path that ends in it, or one that differs in one place by two letters at most.
func nearest(sent string, hints []value) string {
	fold := func(s string) string {
		return strings.ToLower(strings.NewReplacer(" ", "", "_", "", "-", "", ".", "").Replace(s))
	}
	for _, alike := range []func(hint string) bool{
		func(hint string) bool { return fold(hint) == fold(sent) },
		func(hint string) bool { return strings.HasSuffix(hint, "/"+sent) },
		func(hint string) bool {
			a, b := fold(hint), fold(sent)
			from, to := 0, 0
			for from < min(len(a), len(b)) && a[from] == b[from] {
				from++
			}
			for to < min(len(a), len(b))-from && a[len(a)-1-to] == b[len(b)-1-to] {
				to++
			}
			return len(b) >= 4 && max(len(a), len(b))-from-to <= min(2, len(b)/4)
		},
	} {
		for _, h := range hints {
			if h.text != sent && h.text != "" && alike(h.text) {
				return h.text
			}
		}
	}
	return ""
}
