package protocoltest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

func definesAll(s *subject) error {
	if text := s.GenerateToolDefinitions(nil, protocol.PromptOptions{}); text != "" {
		return fmt.Errorf("the text for an empty list of definitions is %q; it must be empty", text)
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
						return fmt.Errorf("in the language %q the parameter %q of %q is not named in %q",
							language, p.Name, d.ToolName, text)
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
		return nil // the interface is optional
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
			if what := difference(&list[i], &got[i]); what != "" {
				return fmt.Errorf("a definition reads back with another %s\nwritten %+v\nread    %+v\ntext    %q",
					what, list[i], got[i], text)
			}
		}
	}
	return nil
}

// difference names the difference between two definitions. It returns "" if they are equal. JSON is
// compared by its meaning, and examples like requests.
func difference(written, read *protocol.ToolDefinition) string {
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
	_ = json.Unmarshal(text, &v) // text is what Marshal wrote
	return v
}
