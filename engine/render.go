package engine

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
)

// gate writes messages as a model is shown them. Every message of a ModelRequest passes through it
// once, so text from outside reaches a model in one way only: neutralized for the protocol in use.
// Until then results, examples and what others wrote are data.
//
// What is shown as it is: the words of the user and of the application, and what the model itself
// wrote in this protocol. A native call of the model is its own too: if the model calls in text,
// each is shown as one request.
type gate struct {
	protocol protocol.Protocol
	id       string // the protocol's
	native   bool   // the model calls tools by its API
	language string // of what the engine says
}

func (s *settings) gate(native bool) gate {
	return gate{protocol: s.protocol, id: s.protocol.ID(), native: native, language: s.discovery.Prompt.Language}
}

// arrange returns messages with the results of native calls in the form that the model knows. For
// one that calls in text they are results in text, adjacent ones in one message.
func (g *gate) arrange(messages []protocol.Message) []protocol.Message {
	fromTool := func(m protocol.Message) bool { return m.Role == protocol.RoleTool }
	if g.native || !slices.ContainsFunc(messages, fromTool) {
		return messages
	}
	list := make([]protocol.Message, 0, len(messages))
	names := map[string]string{} // of methods, by the ids of calls
	for i := 0; i < len(messages); i++ {
		m := messages[i]
		if m.Role != protocol.RoleTool {
			for _, c := range m.ToolCalls {
				names[c.ID] = c.Name
			}
			list = append(list, m)
			continue
		}
		outcome := protocol.Message{Role: protocol.RoleUser, Origin: protocol.OriginTool}
		for ; i < len(messages) && messages[i].Role == protocol.RoleTool; i++ {
			outcome.Results = append(outcome.Results, resultInText(&messages[i], names))
			for _, image := range messages[i].Images {
				image.At = 0
				outcome.Images = append(outcome.Images, image)
			}
		}
		i--
		list = append(list, outcome)
	}
	return list
}

func resultInText(m *protocol.Message, names map[string]string) protocol.ToolResult {
	r := protocol.ToolResult{RequestID: m.ToolCallID, ToolName: names[m.ToolCallID], Status: protocol.StatusSuccess, Result: m.Content}
	if m.Failed {
		r.Status, r.ErrorType = protocol.StatusError, executor.ErrorExecutionFailed
	}
	return r
}

// show makes text of a message that arrange returned.
func (g *gate) show(m *protocol.Message) {
	origin, results, examples, foreign := m.Origin, m.Results, m.Examples, m.Foreign(g.id)
	m.Origin, m.Protocol, m.Results, m.Examples = "", "", nil, nil
	if foreign {
		g.neutralize(m)
	}
	imported := origin == protocol.OriginImport
	switch calls := m.ToolCalls; {
	case !g.native && len(calls) > 0:
		m.ToolCalls = nil
		for i := range calls {
			m.Content = joinParagraphs(m.Content, g.callInText(calls[i], imported))
		}
	case imported:
		m.ToolCallID, m.ToolCalls = g.protocol.Neutralize(m.ToolCallID), slices.Clone(calls)
		for i := range m.ToolCalls {
			c := &m.ToolCalls[i]
			c.ID, c.Name, c.Arguments = g.protocol.Neutralize(c.ID), g.protocol.Neutralize(c.Name), g.protocol.Neutralize(c.Arguments)
		}
	}
	if len(results) > 0 {
		content := joinParagraphs(g.protocol.FormatToolResults(results), m.Content)
		moved := len(content) - len(m.Content)
		m.Content, m.Images = content, slices.Clone(m.Images)
		for i := range m.Images {
			m.Images[i].At += moved
		}
	}
	for i := range examples {
		if form, err := g.protocol.FormatToolRequests(examples[i : i+1]); err == nil {
			m.Content = joinParagraphs(m.Content, phrase(g.language, phraseCorrectForm)+"\n"+form)
		}
	}
}

// neutralize neutralizes the text of a message, and keeps its images in their places.
func (g *gate) neutralize(m *protocol.Message) {
	if len(m.Images) == 0 {
		m.Content = g.protocol.Neutralize(m.Content)
		return
	}
	var (
		b      strings.Builder
		images []protocol.Image
	)
	for piece := range m.Pieces() {
		if piece.Image == nil {
			b.WriteString(g.protocol.Neutralize(piece.Text))
			continue
		}
		image := *piece.Image
		image.At = b.Len()
		images = append(images, image)
	}
	m.Content, m.Images = b.String(), images
}

// callInText writes a native call as a request. What no request can hold is written as what it is,
// and so is a call of a name that no method has. Of an imported call the arguments are foreign text
// too.
func (g *gate) callInText(c protocol.ToolCall, imported bool) string {
	neutral := func(text string) string {
		if imported {
			text = g.protocol.Neutralize(text)
		}
		return text
	}
	req, err := c.Request()
	if err == nil && plainName(c.Name) {
		req.Label = neutral(c.ID)
		for i := range req.Arguments {
			a := &req.Arguments[i]
			if json.Unmarshal([]byte(a.Value), &a.Value) == nil { // in text a string is written as it is
				a.Form = protocol.FormPlain
			}
			a.Name, a.Value = neutral(a.Name), neutral(a.Value)
		}
		var text string
		if text, err = g.protocol.FormatToolRequests([]protocol.ToolRequest{req}); err == nil {
			return text
		}
	}
	return g.protocol.Neutralize("[" + c.Name + " " + c.Arguments + "]")
}

// plainName reports whether a method may have that full name.
func plainName(name string) bool {
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-./:", r)
	}
	return name != "" && len(name) <= maxPlainName && !strings.ContainsFunc(name, odd)
}

// maxPlainName bounds a name that is repeated to the model as one, in bytes.
const maxPlainName = 128

// Render returns messages as a model that calls in text is shown them: what is foreign is
// neutralized for the protocol in use, and results are text. It is for an application that calls
// its model itself, or writes a conversation down. Session.Run does it by itself, and takes
// messages that are not rendered.
func (s *Session) Render(messages []protocol.Message) []protocol.Message {
	g := s.engine.settings.Load().gate(false)
	list := slices.Clone(g.arrange(messages))
	for i := range list {
		g.show(&list[i])
	}
	return list
}
