package engine

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/engine/internal/provenance"
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// A session remembers the foreign text that its model has read: text of tools, files and other
// people. So a request that such a text contains does not run without approval, and a person who is
// asked sees which values come only from foreign text. Package engine/internal/provenance defines
// when a request counts as copied.

// sources remembers what the model of a session has read, and from whom. It is safe for concurrent
// use.
type sources struct {
	memory   *provenance.Memory
	registry *tool.Registry
}

// newSources returns empty sources. It sets the functions of c that tell the executor what comes
// from foreign text.
func newSources(e *Engine, c *executor.Conversation) sources {
	memory := provenance.New(provenance.Options{
		Protocols: e.options.Protocols,
		Identify: func(req protocol.ToolRequest) (string, bool) {
			digest, ok := e.settings.Load().executor.Digest(c, executor.Request{ToolRequest: req})
			return string(digest), ok
		},
		Resolve: func(req protocol.ToolRequest) (protocol.ToolRequest, bool) {
			resolved, ok := e.settings.Load().executor.Resolve(c, executor.Request{ToolRequest: req})
			return resolved.ToolRequest, ok
		},
		Calls: func(fullName string) []string { return calledBy(e.options.Registry, fullName) },
	})
	c.CopiedFrom = func(req executor.Request, method *tool.Entry, digest func() executor.Digest) *protocol.Source {
		if isResultsTool(method) { // the engine's notes tell the model to call it
			return nil
		}
		source, ok := memory.Copied(req.ToolRequest, method.FullName, func() string { return string(digest()) })
		if !ok {
			return nil
		}
		return &source
	}
	c.ForeignArguments = func(_ *tool.Entry, masked json.RawMessage) (list []executor.ForeignArgument) {
		for _, v := range memory.Values(masked) {
			list = append(list, executor.ForeignArgument{
				Argument: v.Argument, Kind: executor.ValueKind(v.Kind), Value: v.Text, Source: v.Source,
			})
		}
		return list
	}
	return sources{memory: memory, registry: e.options.Registry}
}

// calledBy returns the full names of the methods that a method may call. It returns none unless the
// method is composite, which means that its handler calls other methods.
func calledBy(registry *tool.Registry, fullName string) (names []string) {
	method, ok := registry.Lookup(fullName)
	if !ok || !method.Method.Composite {
		return nil
	}
	for _, other := range registry.Entries() {
		if other != method && !isResultsTool(other) { // the engine's notes tell the model to call results_read
			names = append(names, other.FullName)
		}
	}
	return names
}

// remember remembers messages, as Session.Remember says.
func (s *sources) remember(msgs ...protocol.Message) {
	// Foreign text is remembered only from the last messages, about maxBytes of it. With more, the
	// memory would drop the oldest text. If remember then got the same messages again, it would add
	// that text as the newest.
	const maxBytes = provenance.MaxForeign - provenance.MaxForeign/16
	first := len(msgs)
	for size := 0; first > 0 && size < maxBytes; {
		first--
		size += foreignBytes(&msgs[first])
	}
	names := map[string]string{} // of native calls, by ID
	var live strings.Builder     // what the user wrote in this turn
	for i := range msgs {
		m := &msgs[i]
		switch origin := originOf(m); origin {
		case protocol.OriginUser:
			if i > 0 && originOf(&msgs[i-1]) == protocol.OriginUser {
				live.WriteByte('\n')
			} else {
				live.Reset()
			}
			live.WriteString(m.Content)
			s.memory.AddTrusted(m.Content)
		case protocol.OriginApplication:
			s.memory.AddTrusted(m.Content)
		case protocol.OriginModel:
			for _, c := range m.ToolCalls {
				names[c.ID] = callName(c.Name, json.RawMessage(c.Arguments))
			}
		case protocol.OriginEngine:
		default:
			if i >= first {
				s.rememberMessage(m, origin, names)
			}
		}
		if i >= first && !isForeign(m) {
			for j := range m.Results {
				r := &m.Results[j]
				s.rememberResult(r, shortName(strings.TrimSpace(r.ToolName+" "+r.About)))
			}
		}
	}
	if live.Len() > 0 {
		s.memory.SetLive(live.String())
	}
}

// originOf returns who wrote a message.
func originOf(m *protocol.Message) protocol.Origin {
	if m.Origin != "" {
		return m.Origin
	}
	switch m.Role {
	case protocol.RoleSystem:
		return protocol.OriginApplication
	case protocol.RoleAssistant:
		return protocol.OriginModel
	case protocol.RoleTool:
		return protocol.OriginTool
	default:
		return protocol.OriginUser
	}
}

// isForeign reports whether all of a message is foreign text: it was imported, or it comes from a
// file or another person. Then no field of the message can be trusted. For example, the error type
// of an imported result does not prove that the engine wrote its text.
func isForeign(m *protocol.Message) bool {
	switch originOf(m) {
	case protocol.OriginUser, protocol.OriginApplication, protocol.OriginModel, protocol.OriginEngine,
		protocol.OriginTool:
		return false
	default:
		return true
	}
}

// allTexts returns all texts of a message that is foreign text, in the order in which a model is
// shown them, without the arguments of native calls. It omits labels that cannot contain a request,
// such as the names of methods: a name alone would make each further call of the method suspect.
func allTexts(m *protocol.Message) (list []string) {
	add := func(text string) {
		if text != "" {
			list = append(list, text)
		}
	}
	addLabels := func(texts ...string) {
		for _, text := range texts {
			if !plainName(text) {
				add(text)
			}
		}
	}
	if containsMarkCharacters(m.Source) { // a model is shown the source if a call is refused
		add(m.Source)
	}
	for i := range m.Results {
		r := &m.Results[i]
		addLabels(r.ResultID, r.ToolName, string(r.Status), r.About, r.ErrorType, r.Suggestion, r.Note)
		add(r.Result)
	}
	addLabels(m.ToolCallID)
	add(m.Content)
	for i := range m.ToolCalls {
		addLabels(m.ToolCalls[i].ID, m.ToolCalls[i].Name)
	}
	return list
}

// foreignBytes returns the length of what may be foreign text in a message.
func foreignBytes(m *protocol.Message) int {
	n := 0
	if !isForeign(m) {
		for i := range m.Results {
			n += len(m.Results[i].Result)
		}
		if originOf(m) == protocol.OriginTool {
			n += len(m.Content)
		}
		return n
	}
	for _, text := range allTexts(m) {
		n += len(text)
	}
	for i := range m.ToolCalls {
		n += len(m.ToolCalls[i].Arguments)
	}
	return n
}

// rememberMessage remembers a message that is foreign text, or the result of a native call. names
// are the names of native calls, by ID.
func (s *sources) rememberMessage(m *protocol.Message, origin protocol.Origin, names map[string]string) {
	source := protocol.Source{Origin: origin, Name: m.Source}
	if source.Name == "" && m.Role == protocol.RoleTool {
		source.Name = names[m.ToolCallID]
	}
	content := m.Content
	if isForeign(m) {
		content = strings.Join(allTexts(m), "\n")
	}
	s.memory.AddForeign(source, content, m.Examples...)
	for _, c := range m.ToolCalls {
		if req, err := c.Request(); err == nil {
			s.memory.AddForeign(source, c.Arguments, req)
		} else {
			s.memory.AddForeign(source, c.Arguments)
		}
	}
}

// rememberResults remembers what tools returned.
func (s *sources) rememberResults(results []executor.Result) {
	for i := range results {
		r := &results[i]
		arguments := r.Arguments
		if method, ok := s.registry.Lookup(r.Method); ok && arguments != nil {
			arguments = method.MaskArguments(arguments)
		}
		s.rememberResult(&r.ToolResult, callName(r.ToolName, arguments))
	}
}

// ownErrors are the types of errors whose text the engine writes. Such a text repeats at most names
// that the model wrote, or what a person said about a call, and no text of a tool.
var ownErrors = []string{
	executor.ErrorToolNotFound, executor.ErrorMethodNotFound, executor.ErrorNotCallable, executor.ErrorToolDisabled,
	executor.ErrorMalformedRequest, executor.ErrorPermissionDenied, executor.ErrorTimeout, executor.ErrorLimitExceeded,
	executor.ErrorCanceled, executor.ErrorUnknown,
}

// rememberResult remembers the text of a result, unless the engine wrote it. The other fields that
// a model is shown contain no text of the tool.
func (s *sources) rememberResult(r *protocol.ToolResult, name string) {
	if !slices.Contains(ownErrors, r.ErrorType) {
		s.memory.AddForeign(protocol.Source{Origin: protocol.OriginTool, Name: name}, r.Result)
	}
}

// maxCallName limits what callName returns, in characters.
const maxCallName = 80

// callName names a call for people by its method and its first argument that is text, such as
// "files_read notes.txt".
func callName(method string, arguments json.RawMessage) string {
	if value := orderedjson.FirstText(arguments); value != "" {
		method += " " + value
	}
	return shortName(method)
}

func shortName(name string) string {
	return text.TruncateRunes(text.OneLine(text.Valid(name)), maxCallName)
}
