package demomodel

import (
	"slices"
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// retries returns the failed requests with another spelling of a value, if their results quote one.
func retries(r iteration) []protocol.ToolRequest {
	var requests []protocol.ToolRequest
	for i, result := range r.results {
		text, request := result.Suggestion+"\n"+result.Result, r.requests[i]
		hints := findValues(strings.ToValidUTF8(text[:min(len(text), maxQuestion)], "")).of(kindQuoted, kindPath, kindCode)
		for j, a := range request.Arguments {
			at := slices.IndexFunc(hints, func(h value) bool { return h.text != a.Value && respelled(h.text, a.Value) })
			if result.Status != protocol.StatusError || at < 0 {
				continue
			}
			request.Arguments = slices.Clone(request.Arguments)
			request.Arguments[j] = protocol.Argument{Name: a.Name, Value: hints[at].text}
			requests = append(requests, request)
			break
		}
	}
	return slices.DeleteFunc(requests, func(new protocol.ToolRequest) bool {
		return slices.ContainsFunc(r.requests, func(old protocol.ToolRequest) bool { return sameRequest(old, new) })
	})
}

// respelled reports whether a hint is another spelling of the value that was sent. It is a path
// that ends in it, or differs in one place by two letters at most. Case and separators do not
// count.
func respelled(hint, sent string) bool {
	fold := strings.NewReplacer(" ", "", "_", "", "-", "", ".", "")
	a, b := strings.ToLower(fold.Replace(hint)), strings.ToLower(fold.Replace(sent))
	from, to := 0, 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	for to < min(len(a), len(b))-from && a[len(a)-1-to] == b[len(b)-1-to] {
		to++
	}
	return strings.HasSuffix(hint, "/"+sent) || max(len(a), len(b))-from-to <= min(2, len(b)/4)
}
