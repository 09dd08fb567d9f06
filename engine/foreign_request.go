package engine

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/engine/internal/provenance"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// A model may repeat whatever it reads. So it is never told how to write a request that it may have
// copied from foreign text: text of tools, files and other people. Nor is it shown such a request
// in a form that runs.

// markCharacters are the characters that marks begin or end with, in any known form of requests.
// "&" begins an escape in HTML, and a backslash one in JSON; both may stand for such a character.
const markCharacters = "{}<>＜＞《》「」&\\"

// containsMarkCharacters reports whether a text may contain a mark or a part of one.
func containsMarkCharacters(text string) bool { return strings.ContainsAny(text, markCharacters) }

// foreignTexts are the foreign texts of a conversation, prepared for mayBeForeign.
type foreignTexts struct {
	messages int  // number of messages that were read
	marked   bool // a text contains what could be a part of a mark
	names    provenance.NameIndex
}

// read reads the messages of a conversation that contain foreign text, unless it has read them
// already.
func (f *foreignTexts) read(messages []protocol.Message) {
	if len(messages) == f.messages {
		return
	}
	var texts []string
	for i := range messages {
		texts = append(texts, textsOf(&messages[i])...)
	}
	*f = foreignTexts{
		messages: len(messages), marked: slices.ContainsFunc(texts, containsMarkCharacters),
		names: provenance.IndexNames(slices.Values(texts)),
	}
}

// textsOf returns the foreign texts of a message. It omits the braces around the arguments of a
// native call, because they would count as parts of a mark.
func textsOf(m *protocol.Message) (texts []string) {
	if isForeign(m) {
		texts = allTexts(m)
	} else {
		if m.Origin != protocol.OriginEngine {
			texts = append(texts, m.Content)
		}
		for i := range m.Results {
			texts = append(texts, m.Results[i].Result)
		}
	}
	for i := range m.ToolCalls {
		c := &m.ToolCalls[i]
		texts = append(texts, c.Name, strings.TrimSuffix(strings.TrimPrefix(c.Arguments, "{"), "}"))
	}
	return texts
}

// mayBeForeign reports whether the model may have copied a request from foreign text. It may if
// foreign text contains the request, as package provenance finds it. It also may if one foreign
// text names the method and the same or another text contains what could be a part of a mark: two
// messages may contain one half of a request each. The texts of visible methods count as
// markedTexts.mayContain says.
func (r *runBase) mayBeForeign(f *foreignTexts, definitions *markedTexts, req *protocol.ToolRequest) bool {
	names := []string{req.ToolName}
	method := r.session.view.method(req)
	if method != nil {
		names = append(names, method.FullName)
	}
	if f.marked && slices.ContainsFunc(names, f.names.Contains) || definitions.mayContain(req, method) {
		return true
	}
	request := executor.Request{ToolRequest: *req}
	return method != nil && r.session.conversation.CopiedFrom(request, method, func() executor.Digest {
		digest, _ := r.settings.executor.Digest(&r.session.conversation, request)
		return digest
	}) != nil
}

// markedTexts are the texts in the definitions of visible methods that may contain a request.
type markedTexts struct {
	descriptions []string // descriptions that contain what could be a part of a mark
	inParameters bool     // the texts of some parameters contain marks
}

// findMarkedTexts examines all visible methods.
func (r *runBase) findMarkedTexts() *markedTexts {
	t := &markedTexts{}
	for _, e := range r.session.engine.options.Registry.Entries() {
		if !r.session.Visible(e) {
			continue
		}
		if containsMarkCharacters(e.Method.Description) {
			t.descriptions = append(t.descriptions, e.Method.Description)
		}
		t.inParameters = t.inParameters || r.parametersContainMarks(e)
	}
	return t
}

// mayContain reports whether the texts may contain a request for the method. They may if one of the
// descriptions contains the name of the requested method. A "\u" counts as the name, because it
// could escape the name. They also may if the texts of parameters contain marks.
func (t *markedTexts) mayContain(req *protocol.ToolRequest, method *tool.Entry) bool {
	names := []string{req.ToolName, `\u`}
	if method != nil {
		names = append(names, method.FullName, method.Method.Name)
	}
	return t.inParameters || slices.ContainsFunc(t.descriptions, func(text string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(text, name) })
	})
}

// parametersContainMarks reports whether the texts of a method's parameters contain marks.
func (r *runBase) parametersContainMarks(e *tool.Entry) bool {
	for _, p := range e.Definition(r.settings.language()).Parameters {
		if r.containsMarks(p.Description) || r.containsMarks(string(p.Default)) || r.containsMarks(string(p.Schema)) ||
			slices.ContainsFunc(p.Enum, func(value json.RawMessage) bool { return r.containsMarks(string(value)) }) {
			return true
		}
	}
	return false
}

// containsMarks reports whether a text of a tool contains marks, so that a request must not contain
// it unchanged.
func (r *runBase) containsMarks(text string) bool {
	return r.settings.protocol.Neutralize(text) != text
}
