package engine

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// maskBlock returns the text of a block with secrets masked. list contains the requests of the
// block.
func (m *masker) maskBlock(list []parser.Request) string {
	masked := make([]protocol.ToolRequest, len(list))
	secret := false
	for i := range list {
		q := &list[i]
		method := m.method(&q.ToolRequest)
		if method == nil || q.Status == parser.StatusInvalid || q.Status == parser.StatusIncomplete {
			return tool.Masked
		}
		masked[i] = q.ToolRequest
		if !method.MayHaveSecrets() {
			continue
		}
		if secret = true; q.Status != parser.StatusReady {
			return tool.Masked // a quoted request cannot be written anew in its quotation
		}
		masked[i], _ = m.withoutNames(&q.ToolRequest, method)
		masked[i].Arguments, _ = method.MaskWritten(masked[i].Arguments)
	}
	if !secret {
		return list[0].RawBlock
	}
	if m.protocol == nil {
		return tool.Masked
	}
	text, err := m.protocol.FormatToolRequests(masked)
	if err != nil {
		return tool.Masked
	}
	return strings.TrimRight(text, "\n")
}

// maskMessage masks the secrets in the native calls of a reply's message. It replaces
// message.ToolCalls by a copy.
func (m *masker) maskMessage(message *protocol.Message) {
	message.ToolCalls = slices.Clone(message.ToolCalls)
	for i := range message.ToolCalls {
		call := &message.ToolCalls[i]
		if !writtenName.MatchString(call.Name) {
			call.Name = tool.Masked
		}
		req, err := call.Request()
		if err != nil {
			call.Arguments = "{}" // arguments that cannot be read may contain secrets
			continue
		}
		method := m.method(&req)
		if _, secret := method.MaskWritten(req.Arguments); secret {
			call.Arguments = string(method.MaskRequest(req.Arguments))
		}
	}
}

// maskRequest returns a request as it is recorded, with secrets masked.
func (m *masker) maskRequest(req executor.Request) RecordedRequest {
	r := RecordedRequest{Request: req}
	method := m.method(&req.ToolRequest)
	if method != nil {
		r.Method = method.FullName
	}
	if m.active() {
		var names []string
		r.ToolRequest, names = m.withoutNames(&req.ToolRequest, method)
		r.Arguments, r.Masked = method.MaskWritten(r.Arguments)
		r.Masked = r.Masked || len(names) > 0
	}
	return r
}

// maskLabels masks the secrets in the labels of requests, which maskRequest has made of written. It
// returns the requests whose labels contained one, by ID. The engine's ID names their results.
func (m *masker) maskLabels(masked []RecordedRequest, written []executor.Request) map[string]RecordedRequest {
	if !m.active() {
		return nil
	}
	labels := make([]*string, len(masked))
	for i := range masked {
		labels[i] = &masked[i].Label
	}
	secrets.Cover(slices.Concat(m.values, m.names), labels...)
	changed := map[string]RecordedRequest{}
	for i := range masked {
		if r := &masked[i]; r.Label != written[i].Label {
			r.ResultID = shortID(r.ID)
			changed[r.ID] = *r
		}
	}
	return changed
}

// coverResult masks values in the texts of a result that may repeat them from the request.
func coverResult(r *executor.Result, values []string) {
	if len(values) == 0 {
		return
	}
	fields := []*string{&r.ToolName, &r.Label, &r.About, &r.Suggestion, &r.Note, &r.ToolResult.Result}
	r.Problems = slices.Clone(r.Problems)
	for i := range r.Problems {
		p := &r.Problems[i]
		fields = append(fields, &p.Path, &p.Expected, &p.Received, &p.Nearest)
	}
	details, isJSON := r.Details.(json.RawMessage)
	written := string(details)
	fields = append(fields, &written)
	secrets.Cover(values, fields...)
	if isJSON && written != string(details) {
		if r.Details = json.RawMessage(written); !json.Valid([]byte(written)) {
			r.Details = nil // for example, a masked number is not JSON
		}
	}
}
