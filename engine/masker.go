package engine

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/forms"
	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/internal/work"
	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// A masker masks the secrets in a reply: the values of secret arguments, wherever the reply
// contains them. What is masked depends on what the model wrote, not on what runs. If any method
// has secret arguments:
//
//   - a request that was read and names a method without secret arguments stays as it is;
//   - a request that runs and names a method with secret arguments is written anew, with its
//     secrets masked, because its text may contain more than was read;
//   - all other text is that of requests that were not read, as far as secrets.Unread finds them.
type masker struct {
	view     *view
	protocol protocol.Protocol
	unread   secrets.Unread
	blocks   []maskedBlock // in the order of the reply
	values   []string      // secrets that are masked wherever they occur
	names    []string      // texts in place of names, which may contain secrets
}

// maskedBlock is a block of requests that were read.
type maskedBlock struct {
	written, masked string
	quoted          bool // people see it
}

// newMasker returns a masker for the replies of a model that writes in a protocol, which may be
// nil.
func newMasker(v *view, p protocol.Protocol) *masker {
	m := &masker{view: v, protocol: p}
	for _, e := range v.engine.options.Registry.Entries() {
		if len(e.Method.SecretParameters) > 0 {
			m.unread.Methods = append(m.unread.Methods, e.FullName)
			m.unread.Names = append(m.unread.Names, secrets.NewNames(e.Method.SecretParameters)...)
		}
	}
	slices.Sort(m.unread.Names)
	m.unread.Names = slices.Compact(m.unread.Names)
	return m
}

// active reports whether a method has secret arguments.
func (m *masker) active() bool { return len(m.unread.Methods) > 0 }

// find finds the secrets in the requests of a reply.
func (m *masker) find(iteration *Iteration) {
	if !m.active() {
		return
	}
	for i := range iteration.Requests {
		m.addValues(&iteration.Requests[i].ToolRequest)
	}
	list := iteration.Reply.Requests
	for i := 0; i < len(list); {
		n := i + 1
		for n < len(list) && list[n].Span == list[i].Span {
			n++
		}
		for k := range list[i:n] {
			m.addValues(&list[i+k].ToolRequest)
		}
		if block := list[i].RawBlock; block != "" {
			m.blocks = append(m.blocks, maskedBlock{block, m.block(list[i:n]), isQuoted(&list[i])})
		}
		i = n
	}
}

// addValues adds the secrets of a request.
func (m *masker) addValues(req *protocol.ToolRequest) {
	method := m.method(req)
	if method != nil {
		m.values = append(m.values, method.RequestSecrets(req.Arguments).Values()...)
	}
	_, names := m.withoutNames(req, method)
	m.names = append(m.names, names...)
}

// writtenName matches what may be the name of a method or an argument, rather than a part of a
// request.
var writtenName = regexp.MustCompile(`^[\pL\pM\pN_.:/ -]{0,128}$`)

// withoutNames returns a request with Masked in place of each name that does not look like a name,
// and returns those texts, too. A request for a method without secret arguments keeps its names.
func (m *masker) withoutNames(req *protocol.ToolRequest, method *tool.Entry) (masked protocol.ToolRequest, names []string) {
	masked = *req
	if method != nil && len(method.Method.SecretParameters) == 0 {
		return masked, nil
	}
	hide := func(written *string) {
		if !writtenName.MatchString(*written) {
			names, *written = append(names, *written), tool.Masked
		}
	}
	hide(&masked.ToolName)
	hide(&masked.Command)
	hide(&masked.Label)
	masked.Arguments = slices.Clone(masked.Arguments)
	for i := range masked.Arguments {
		if method == nil || !method.Declares(masked.Arguments[i].Name) {
			hide(&masked.Arguments[i].Name)
		}
	}
	return masked, names
}

// block returns the text of a block of requests without secrets.
func (m *masker) block(list []parser.Request) string {
	masked := make([]protocol.ToolRequest, len(list))
	secret := false
	for i := range list {
		q := &list[i]
		method := m.method(&q.ToolRequest)
		if method == nil || q.Status == parser.StatusInvalid || q.Status == parser.StatusIncomplete {
			return tool.Masked
		}
		masked[i] = q.ToolRequest
		if len(method.Method.SecretParameters) == 0 {
			continue
		}
		if secret = true; q.Status != parser.StatusReady {
			return tool.Masked // in its quotation it could not be written anew
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

// lacksSecrets reports whether a request names a method without secret arguments.
func (m *masker) lacksSecrets(req *protocol.ToolRequest) bool {
	method := m.method(req)
	return method != nil && len(method.Method.SecretParameters) == 0
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

func isQuoted(q *parser.Request) bool {
	return q.Status != parser.StatusReady && q.Status != parser.StatusInvalid && q.Status != parser.StatusIncomplete
}

// reply masks the secrets in a recorded reply, and in raw and text, which are to be its Raw and
// Text.
func (m *masker) reply(r *RecordedReply, raw, text *string) {
	if !m.active() {
		return
	}
	m.message(&r.Message)
	masked := map[string]*string{} // several texts are often the same
	var different []*string
	find := func(text string, onlyQuoted bool) {
		if masked[text] == nil {
			s := m.text(text, onlyQuoted)
			masked[text] = &s
			different = append(different, &s)
		}
	}
	find(*raw, false)
	find(*text, true)
	find(r.Reasoning, true)
	find(r.Message.Content, false)
	secrets.Cover(slices.Concat(m.values, m.names), different...)
	for _, text := range []*string{raw, text, &r.Reasoning, &r.Message.Content} {
		*text = *masked[*text]
	}
}

// text masks the requests in a text. A block that it does not find is masked as what was not read.
func (m *masker) text(s string, onlyQuoted bool) string {
	var b strings.Builder
	missing := 8 // how many blocks are searched for in vain
	for i := range m.blocks {
		block := &m.blocks[i]
		if onlyQuoted && !block.quoted || missing == 0 {
			continue
		}
		before, after, found := strings.Cut(s, block.written)
		if !found {
			work.Add(len(s))
			missing--
			continue
		}
		work.Add(len(before) + len(block.written))
		b.WriteString(m.unreadText(before))
		b.WriteString(block.masked)
		s = after
	}
	b.WriteString(m.unreadText(s))
	return b.String()
}

// unreadText masks the requests in a text that was not read.
func (m *masker) unreadText(s string) string {
	if strings.TrimSpace(s) == "" {
		return s
	}
	var parts [][2]int
	for at, block := range forms.Blocks(s) {
		parts = append(parts, [2]int{at, at + len(block)})
	}
	if len(m.view.unknownForm(s)) > 0 {
		parts = append(parts, [2]int{0, len(s)})
	}
	masked, values := m.unread.Mask(s, parts...)
	m.values = append(m.values, values...)
	return masked
}

// message masks the secrets in the native calls of a reply's message. It copies what it changes.
func (m *masker) message(message *protocol.Message) {
	message.ToolCalls = slices.Clone(message.ToolCalls)
	for i := range message.ToolCalls {
		call := &message.ToolCalls[i]
		if !writtenName.MatchString(call.Name) {
			call.Name = tool.Masked
		}
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
	if m.active() {
		var names []string
		r.ToolRequest, names = m.withoutNames(&req.ToolRequest, method)
		r.Arguments, r.Masked = method.MaskWritten(r.Arguments)
		r.Masked = r.Masked || len(names) > 0
	}
	return r
}

// recorded returns a reply that an application records, without secrets in its texts.
func (m *masker) recorded(given *RecordedReply) *RecordedReply {
	r := *given
	raw, text := r.Message.Content, r.Message.Content
	if r.Raw != nil {
		raw = *r.Raw
	}
	if r.Text != nil {
		text = *r.Text
	}
	m.reply(&r, &raw, &text)
	if r.Raw != nil {
		r.Raw = &raw
	}
	if r.Text != nil {
		r.Text = &text
	}
	return &r
}

// coverResult masks values in what the executor says about a request.
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
			r.Details = nil
		}
	}
}
