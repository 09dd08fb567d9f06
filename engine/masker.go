package engine

import (
	"regexp"
	"slices"

	"github.com/vcpgo/vcp/internal/secrets"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// A masker masks the secrets in a reply: the values of secret arguments, wherever the reply
// contains them. What is masked depends on what the model wrote, not on what runs. If any method
// has secret arguments:
//
//   - a request that could be read and names a method without secret arguments stays as it is;
//   - a request that is ready to run and names a method with secret arguments is written anew, with
//     its secrets masked, because its text may contain more than was read;
//   - any other request that the parser found is masked as a whole;
//   - in all other text, secrets.Unread finds and masks what may be a secret in a request that the
//     parser did not find.
type masker struct {
	view     *view
	protocol protocol.Protocol
	unread   secrets.Unread
	blocks   []maskedBlock // in the order of the reply
	values   []string      // secrets that are masked wherever they occur
	names    []string      // texts that the model wrote as names, which may contain secrets
}

// maskedBlock is a block of requests that the parser read.
type maskedBlock struct {
	written, masked string
	quoted          bool // people see it
}

// newMasker returns a masker for the replies that a model writes in the protocol p. If p is nil, a
// block with secrets is masked as a whole.
func newMasker(v *view, p protocol.Protocol) *masker {
	m := &masker{view: v, protocol: p}
	for _, e := range v.engine.options.Registry.Entries() {
		if e.MayHaveSecrets() {
			m.unread.Methods = append(m.unread.Methods, e.FullName)
			m.unread.Names = append(m.unread.Names, secrets.NewNames(e.Method.SecretParameters)...)
		}
	}
	slices.Sort(m.unread.Names)
	m.unread.Names = slices.Compact(m.unread.Names)
	return m
}

// active reports whether any method has secret arguments. If not, there is nothing to mask.
func (m *masker) active() bool { return len(m.unread.Methods) > 0 }

// addValues adds the values of a request's secret arguments, and the names that may contain
// secrets.
func (m *masker) addValues(req *protocol.ToolRequest) {
	method := m.method(req)
	if method != nil {
		m.values = append(m.values, method.RequestSecrets(req.Arguments).Values()...)
	}
	_, names := m.withoutNames(req, method)
	m.names = append(m.names, names...)
}

// writtenName matches what may be the name of a method or an argument, rather than a part of a
// request. Its limit is tool.MaxNameBytes.
var writtenName = regexp.MustCompile(`^[\pL\pM\pN_.:/ -]{0,128}$`)

// withoutNames returns a request in which tool.Masked replaces each name and the label, if they do
// not match writtenName, and returns what it replaced. The names of arguments that the method
// declares stay. A request for a method without secret arguments stays as it is.
func (m *masker) withoutNames(
	req *protocol.ToolRequest, method *tool.Entry,
) (masked protocol.ToolRequest, names []string) {
	masked = *req
	if method != nil && !method.MayHaveSecrets() {
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

// lacksSecrets reports whether a request names a method without secret arguments.
func (m *masker) lacksSecrets(req *protocol.ToolRequest) bool {
	method := m.method(req)
	return method != nil && !method.MayHaveSecrets()
}

// method returns the method that a request names, visible or not.
func (m *masker) method(req *protocol.ToolRequest) *tool.Entry {
	if method := m.view.method(req); method != nil {
		return method
	}
	resolution, _ := m.view.engine.options.Registry.Find(req.ToolName, req.Command, nil)
	return resolution.Entry
}
