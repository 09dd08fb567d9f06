package terminal

import (
	"github.com/vcpgo/vcp/executor"
	"github.com/vcpgo/vcp/protocol"
)

// warningsOf says what changed in the method, and which words of the call came from foreign text.
func (p phrases) warningsOf(call *executor.Question) (list []string) {
	if call.Change != "" {
		list = append(list, p.Say("This method changed: %s", call.Change))
	}
	found := call.Provenance
	if found == nil {
		return list
	}
	if found.CopiedFrom != nil {
		source := p.source(*found.CopiedFrom)
		list = append(list, p.Say("This request occurs in %s. Allow it only if you want it.", source))
	}
	for _, a := range found.Arguments {
		list = append(list, p.Say("%s: this %s came from %s: %s",
			nameText(a.Argument), p.kind(a.Kind), p.source(a.Source), a.Value))
	}
	return list
}

func (p phrases) kind(k executor.ValueKind) string {
	switch k {
	case executor.KindURL:
		return "URL"
	case executor.KindPath:
		return p.Say("path")
	case executor.KindAddress:
		return p.Say("address")
	case executor.KindCommand:
		return p.Say("command")
	}
	return string(k)
}

// source names the source of a text, as protocol.Source.String does in English.
func (p phrases) source(s protocol.Source) string {
	unnamed, named := p.Say("foreign text"), p.Say("foreign text %s", s.Name)
	switch s.Origin {
	case protocol.OriginTool:
		unnamed, named = p.Say("the result of a tool"), p.Say("the result of %s", s.Name)
	case protocol.OriginImport:
		unnamed, named = p.Say("an imported message"), p.Say("an imported message %s", s.Name)
	case protocol.OriginFile:
		unnamed, named = p.Say("a file"), p.Say("the file %s", s.Name)
	case protocol.OriginPerson:
		unnamed, named = p.Say("a message of another person"), p.Say("a message of %s", s.Name)
	}
	if s.Name == "" {
		return unnamed
	}
	return named
}
