package engine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vcpgo/vcp/parser"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/tool"
)

// maxContinued is how often the model is asked to continue one reply that the token limit truncated
// in a request.
const maxContinued = 2

// truncatedBlock is the block of requests in which a reply was truncated.
type truncatedBlock struct {
	requests   []parser.Request  // one, or several if the block is a batch
	truncation parser.Truncation // where the last whole field ends
	between    string            // the separators between the last whole field and the lost field
	lost       lostField
}

// lostField describes what the model had begun to write after the last whole field: another field,
// or the end of the request. That text is removed before the model continues, so the continuation
// must write it again. Otherwise the request would lack something that the model meant.
type lostField struct {
	// field is the index of the lost field: the number of whole fields in the block. Unless end is
	// set, the field that the continuation writes there must have the name and the role below.
	field int
	name  string
	role  scan.FieldRole
	// argument is the name of the lost field if it is an argument, else "".
	argument string
	// brackets are the brackets before the name. In JSON they show which object the field belongs
	// to.
	brackets string
	// If the lost field names a method of a tool, prefix is the part of the name that the model had
	// written. method is the only visible method whose name begins with prefix. If the field names
	// no method, both are empty.
	method *tool.Entry
	prefix string
	// end is the part of the request's end that the model had written. If it is set, no field may
	// follow.
	end string
}

// truncated returns the block in which the token limit truncated the reply. It returns nil if the
// reply was not truncated after a whole field of a block, or contains a fabricated result. It also
// returns nil if it is unclear what the model had begun to write, because then no continuation
// could be checked.
func (r *reader) truncated(reply *parser.Reply) *truncatedBlock {
	if !r.finished || r.finish != protocol.FinishLength || r.fabricated || len(reply.Requests) == 0 {
		return nil
	}
	q := &reply.Requests[len(reply.Requests)-1]
	if q.Status != parser.StatusIncomplete || q.Truncation == nil || q.Truncation.At <= q.Span.Start {
		return nil
	}
	rest := string(r.raw[q.Truncation.At:])
	lost, ok := r.base.findLost(q, rest)
	if !ok {
		return nil
	}
	begun := strings.TrimLeft(rest, separators)
	first := slices.IndexFunc(reply.Requests, func(o parser.Request) bool { return o.Span.Start == q.Span.Start })
	return &truncatedBlock{
		requests: reply.Requests[first:], truncation: *q.Truncation,
		between: rest[:len(rest)-len(begun)], lost: lost,
	}
}

const (
	brackets   = "{}[]"
	separators = blanks + ","
	decoration = "*`'\"->#" // characters that models write before a name
)

// findLost returns what the model had begun to write after the last whole field of a truncated
// request. rest is the text after that field. ok is false if the model had begun nothing or
// another call, if it is ambiguous what the model had begun, or if the lost field names the tool.
func (r *runBase) findLost(q *parser.Request, rest string) (l lostField, ok bool) {
	if n := len(q.Fields); n > 0 && q.Fields[n-1].Open {
		f := &q.Fields[n-1]
		l = lostField{field: n - 1, name: f.Name, role: f.Role, brackets: bracketsBefore(rest, f.Start-q.Truncation.At)}
		if f.Role == scan.FieldToolName || f.Name == "" {
			return l, false
		}
		if isCommand(f.Name) && !r.namesMethod(q.ToolName) {
			l.prefix = strings.TrimSpace(f.Value)
			l.method = r.onlyMethod(q.ToolName, l.prefix)
			return l, l.method != nil
		}
		l.argument = q.Truncation.Argument
		return l, true
	}
	l.field = len(q.Fields)
	begun := strings.TrimLeft(rest, separators)
	undecorated := strings.TrimLeft(begun, decoration)
	if startsName(undecorated) {
		l.brackets = bracketsBefore(rest, len(rest)-len(undecorated))
		l.name = r.onlyArgument(q, undecorated)
		l.argument = l.name
		return l, l.name != ""
	}
	end := strings.TrimLeft(begun, separators+brackets)
	before := begun[:len(begun)-len(end)] // separators and brackets
	switch {
	case undecorated == "", end == "": // ambiguous: a field or another call may follow
	case end == "<", end[0] == '<' && startsName(end[1:]): // ambiguous: the tag of a field or of the end
	case strings.ContainsAny(before, "{["), before != "" && startsName(strings.TrimLeft(end, decoration)):
		// another call has begun
	default:
		l.end = begun
	}
	return l, l.end != ""
}

// isCommand reports whether a field with that name, such as "command" or "command2", says which
// method of a tool is called.
func isCommand(name string) bool { return strings.EqualFold(unnumbered(name), "command") }

// unnumbered returns a name without the number that distinguishes the requests of a batch.
func unnumbered(name string) string { return strings.TrimRight(name, "0123456789") }

// namesMethod reports whether toolName is the full name of a visible method.
func (r *runBase) namesMethod(toolName string) bool {
	e, ok := r.session.engine.options.Registry.Lookup(toolName)
	return ok && r.session.Visible(e)
}

// onlyMethod returns the visible method of the tool with a command name that begins with prefix. It
// returns nil if no method or several methods have such a name.
func (r *runBase) onlyMethod(toolID, prefix string) (only *tool.Entry) {
	hasPrefix := func(name string) bool { return strings.HasPrefix(name, prefix) }
	for _, e := range r.session.engine.options.Registry.Entries() {
		begins := slices.ContainsFunc(e.Method.CommandNames(), hasPrefix)
		switch {
		case e.Tool.ID != toolID || !begins || !r.session.Visible(e):
		case only != nil:
			return nil
		default:
			only = e
		}
	}
	return only
}

// onlyArgument returns the name of the argument that text begins with. If nothing follows the name
// in text, the name may be truncated. Arguments that the call already has do not count.
// onlyArgument returns "" if no argument or several arguments are possible, or if the method is not
// known. It also returns "" in a batch whose fields have numbers, because a number may follow the
// name.
func (r *runBase) onlyArgument(q *parser.Request, text string) (only string) {
	end := strings.IndexFunc(text, func(c rune) bool {
		return !unicode.In(c, unicode.L, unicode.M, unicode.Nd) && !strings.ContainsRune("_-./", c)
	})
	name, mayBeTruncated := text, true
	if end >= 0 {
		name, mayBeTruncated = text[:end], false
	}
	isNumbered := func(f parser.Field) bool { return isCommand(f.Name) && unnumbered(f.Name) != f.Name }
	if slices.ContainsFunc(q.Fields, isNumbered) {
		return ""
	}
	method, err := r.session.engine.options.Registry.Resolve(q.ToolName, q.Command, r.session.Visible)
	if err != nil {
		return ""
	}
	for _, p := range method.Entry.Method.Parameters.Properties() {
		switch {
		case hasArgument(q.Arguments, p.Name), p.Name != name && !(mayBeTruncated && strings.HasPrefix(p.Name, name)):
		case only != "":
			return ""
		default:
			only = p.Name
		}
	}
	return only
}

// startsName reports whether the first character of a text may begin the name of a field.
func startsName(text string) bool {
	c, _ := utf8.DecodeRuneInString(text)
	return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c)
}

// bracketsBefore returns the brackets in the first n bytes of a text.
func bracketsBefore(text string, n int) string {
	isNoBracket := func(c rune) bool { return !strings.ContainsRune(brackets, c) }
	return without(text[:min(max(0, n), len(text))], isNoBracket)
}

// without returns the text without the characters for which drop returns true. The text may be a
// whole reply, so without makes no list of its parts.
func without(text string, drop func(rune) bool) string {
	return strings.Map(func(c rune) rune {
		if drop(c) {
			return -1
		}
		return c
	}, text)
}

// resume resets the parser to the end of the last whole field. An event withdraws the value that
// was begun after that field. resume reports whether the parser can continue from there.
func (r *reader) resume(t *truncatedBlock) bool {
	events, ok := r.parser.Resume(nil)
	if !ok {
		return false
	}
	r.emit(events)
	r.raw = r.raw[:t.truncation.At]
	r.fed = len(r.raw)
	r.finished, r.finish = false, protocol.FinishUnknown
	return true
}

// continueReply asks the model to continue the reply from the end of the last whole field.
func (r *reader) continueReply(req ModelRequest, t *truncatedBlock) error {
	written := string(r.raw)
	req.Messages = append(slices.Clip(req.Messages),
		protocol.Message{Role: protocol.RoleAssistant, Content: written},
		protocol.Message{Role: protocol.RoleUser, Content: phraseContinue.in(r.base.settings.language())})
	r.overlap = newOverlap(written, t.requests[0].Span.Start, t.between)
	err := r.stream(req)
	r.feed(r.overlap.end())
	return err
}

func hasArgument(list []protocol.Argument, name string) bool {
	return slices.ContainsFunc(list, func(a protocol.Argument) bool { return a.Name == name })
}
