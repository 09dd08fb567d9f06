package engine

import (
	"slices"
	"strings"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// A masker masks the secrets in a reply: the values of secret arguments, wherever the reply
// contains them. A request that could not be read or that names no method is masked as a whole if
// any method has secret arguments, because any of its values may be secret.
type masker struct {
	view    *view
	active  bool // a method has secret arguments
	secrets []*tool.CallSecrets
	blocks  []string // to be masked as a whole
}

// find finds the secrets in the requests of a reply.
func (m *masker) find(iteration *Iteration) {
	hasSecrets := func(e *tool.Entry) bool { return len(e.Method.SecretParameters) > 0 }
	if m.active = slices.ContainsFunc(m.view.engine.options.Registry.Entries(), hasSecrets); !m.active {
		return
	}
	for i := range iteration.Requests {
		req := &iteration.Requests[i]
		if method := m.method(&req.ToolRequest); method != nil && req.Err == nil {
			m.secrets = append(m.secrets, method.RequestSecrets(req.Arguments))
		}
	}
	for _, q := range iteration.Reply.Requests {
		if q.Status == parser.StatusInvalid || q.Status == parser.StatusIncomplete || m.method(&q.ToolRequest) == nil {
			m.blocks = append(m.blocks, q.RawBlock)
		} else {
			m.secrets = append(m.secrets, m.method(&q.ToolRequest).RequestSecrets(q.Arguments))
		}
	}
	for _, n := range iteration.Reply.Notices {
		if n.Code == parser.NoticeMalformedRequest && n.Span.Start < n.Span.End && n.Span.End <= len(iteration.Raw) {
			m.blocks = append(m.blocks, iteration.Raw[n.Span.Start:n.Span.End])
		}
	}
}

// method returns the method that a request names, visible or not.
func (m *masker) method(req *protocol.ToolRequest) *tool.Entry {
	registry := m.view.engine.options.Registry
	for _, visible := range []func(*tool.Entry) bool{m.view.visible, nil} {
		if resolution, err := registry.Resolve(req.ToolName, req.Command, visible); err == nil {
			return resolution.Entry
		}
	}
	return nil
}

func (m *masker) text(s string) string {
	for _, block := range m.blocks {
		if block != "" {
			s = strings.ReplaceAll(s, block, tool.Masked)
		}
	}
	for _, secret := range m.secrets {
		s = secret.MaskText(s)
	}
	return s
}

// message masks the secrets in a reply's message. It copies what it changes.
func (m *masker) message(message *protocol.Message) {
	message.Content = m.text(message.Content)
	if !m.active {
		return
	}
	message.ToolCalls = slices.Clone(message.ToolCalls)
	for i := range message.ToolCalls {
		call := &message.ToolCalls[i]
		req, err := call.Request()
		if err != nil {
			call.Arguments = "{}"
		} else if method := m.method(&req); masks(method, req.Arguments) {
			call.Arguments = string(method.MaskRequest(req.Arguments))
		}
	}
}

func masks(method *tool.Entry, arguments []protocol.Argument) bool {
	_, masked := method.MaskWritten(arguments)
	return masked
}

func (m *masker) request(req executor.Request) RecordedRequest {
	r := RecordedRequest{Request: req}
	method := m.method(&req.ToolRequest)
	if method != nil {
		r.Method = method.FullName
	}
	if m.active {
		r.Arguments, r.Masked = method.MaskWritten(req.Arguments)
	}
	return r
}
