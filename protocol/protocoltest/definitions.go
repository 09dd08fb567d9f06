package protocoltest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// definitions draws definitions.
func (s *subject) definitions() []protocol.ToolDefinition {
	var list []protocol.ToolDefinition
	for i := range 1 + s.rnd.IntN(3) {
		d := protocol.ToolDefinition{
			ToolName: fmt.Sprintf("tool%d_method%d", s.rnd.IntN(100), i), Description: s.hostile(true),
		}
		if s.rnd.IntN(3) == 0 {
			d.Examples = []protocol.ToolRequest{s.request()}
		}
		for k := range s.rnd.IntN(4) {
			p := protocol.Parameter{
				Name: fmt.Sprintf("parameter%d", k), Type: pick(s.rnd, []string{"", "string", "integer", "array", "object"}), Required: s.rnd.IntN(2) == 0,
				Description: s.hostile(true),
			}
			p.Nullable = p.Type != "" && s.rnd.IntN(3) == 0
			switch s.rnd.IntN(5) {
			case 0:
				p.Default = json.RawMessage(`"</a> \u003cb"`)
			case 1:
				p.Enum = []json.RawMessage{json.RawMessage("1"), json.RawMessage(`"<x>"`)}
			case 2:
				p.Schema = json.RawMessage(`{"type":"array","items":{"type":"string","enum":["<a>"]},"maxItems":3}`)
			case 3:
				p.Schema = json.RawMessage(`{"minimum":1,"x":"<a>"}`)
			}
			d.Parameters = append(d.Parameters, p)
		}
		list = append(list, d)
	}
	return list
}

func definesAll(s *subject) error {
	if text := s.GenerateToolDefinitions(nil, protocol.PromptOptions{}); text != "" {
		return fmt.Errorf("no definitions give %q, and are to give nothing", text)
	}
	for range draws {
		list := s.definitions()
		for _, language := range []string{"", "en", "zh"} {
			text := s.GenerateToolDefinitions(list, protocol.PromptOptions{Language: language})
			for _, d := range list {
				if !strings.Contains(text, d.ToolName) {
					return fmt.Errorf("in the language %q the method %q is not named in %q", language, d.ToolName, text)
				}
				for _, p := range d.Parameters {
					if !strings.Contains(text, p.Name) {
						return fmt.Errorf("in the language %q the parameter %q of %q is not named in %q", language, p.Name, d.ToolName, text)
					}
				}
			}
		}
	}
	return nil
}

func definitionsReadBack(s *subject) error {
	reader, ok := s.Protocol.(protocol.Reader)
	if !ok {
		return nil // it is optional
	}
	for range draws {
		list := s.definitions()
		text := "before\n" + s.GenerateToolDefinitions(list, protocol.PromptOptions{}) + "\nafter"
		got, err := reader.ParseToolDefinitions(text)
		if err != nil {
			return fmt.Errorf("definitions do not read back: %w\ntext %q", err, text)
		}
		if len(got) != len(list) {
			return fmt.Errorf("%d definitions read back as %d\ntext %q", len(list), len(got), text)
		}
		for i := range list {
			if what := differs(&list[i], &got[i]); what != "" {
				return fmt.Errorf("a definition reads back with another %s\nwritten %+v\nread    %+v\ntext    %q", what, list[i], got[i], text)
			}
		}
	}
	return nil
}

// differs names the difference between two definitions; "" for none. JSON is compared by its
// meaning, and examples like requests.
func differs(written, read *protocol.ToolDefinition) string {
	switch {
	case written.ToolName != read.ToolName:
		return "name"
	case written.Description != read.Description:
		return "description"
	case len(written.Parameters) != len(read.Parameters):
		return "number of parameters"
	case len(written.Examples) != len(read.Examples):
		return "number of examples"
	}
	for i := range written.Parameters {
		if !reflect.DeepEqual(meaning(written.Parameters[i]), meaning(read.Parameters[i])) {
			return "parameter " + written.Parameters[i].Name
		}
	}
	for i := range written.Examples {
		if !sameRequest(&written.Examples[i], &read.Examples[i]) {
			return "example"
		}
	}
	return ""
}

// meaning returns a parameter as values that can be compared.
func meaning(p protocol.Parameter) any {
	text, err := json.Marshal(p)
	if err != nil {
		return err.Error()
	}
	var v any
	_ = json.Unmarshal(text, &v) // it has just been marshalled
	return v
}
