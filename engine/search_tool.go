package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// The names of the search tool and its method, with which a model finds methods that its prompt
// does not list.
const (
	searchTool   = "tools"
	searchMethod = searchTool + "_search"
)

type searchInput struct {
	Query string `json:"query" jsonschema:"what the method should do, in a few words, such as: create calendar event" minLength:"1" maxLength:"1000"`
	Limit int    `json:"limit,omitempty" jsonschema:"how many methods to return" minimum:"1" maximum:"20" default:"5"`
}

// searchDetails say what was found.
type searchDetails struct {
	Methods []foundMethod `json:"methods"` // never nil
}

type foundMethod struct {
	FullName string  `json:"fullName"`
	Score    float64 `json:"score"`
}

// newSearchTool returns the search tool.
var newSearchTool = ownTool(
	tool.Tool{ID: searchTool, Title: "Tools", Description: "Finds methods that the prompt does not list."},
	"search", "Search for methods",
	"Finds methods that are not listed here, and returns their definitions. After that they can be called. "+
		"Search before you say that you cannot do something.",
	searchMethods)

// registerSearchTool registers the search tool, unless it is already registered.
func registerSearchTool(reg *tool.Registry) error {
	return registerOwn(reg, newSearchTool, searchMethod,
		"a prompt that does not list all methods needs the method tools_search", "set promptMethods and promptTokens to 0")
}

func isSearchTool(e *tool.Entry) bool { return e.FullName == searchMethod && isOwn(e) }

// searchMethods returns the definitions of at most in.Limit methods. The result has no other limit.
func searchMethods(ctx context.Context, in searchInput) (tool.Output, error) {
	s := callSessionFrom(ctx)
	if s == nil {
		return tool.Output{}, errors.New("methods can be searched only in a session")
	}
	language := callLanguage(ctx)
	found, methods := s.findMethods(in.Query, in.Limit)
	details := searchDetails{Methods: make([]foundMethod, 0, len(found))}
	if len(found) == 0 {
		text := phraseNoneFound.in(language, len(methods), in.Query, toolIDs(language, methods))
		return tool.Output{Details: details, Text: text}, nil
	}
	var text strings.Builder
	text.WriteString(phraseFound.in(language, len(found), len(methods)) + "\n")
	for _, m := range found {
		text.WriteByte('\n')
		describe(&text, language, m.Method.Definition(language))
		details.Methods = append(details.Methods, foundMethod{m.Method.FullName, m.Score})
	}
	return tool.Output{Text: text.String(), Details: details}, nil
}

// maxToolIDs is how many tools one result names.
const maxToolIDs = 100

// toolIDs returns the ids of the tools that the methods belong to, as a list with commas. If there
// are more than maxToolIDs, it returns the first ones and how many more there are.
func toolIDs(language string, methods []*tool.Entry) string {
	ids := map[string]bool{}
	for _, e := range methods {
		ids[e.Tool.ID] = true
	}
	list := slices.Sorted(maps.Keys(ids))
	if more := len(list) - maxToolIDs; more > 0 {
		return phraseAndMoreTools.in(language, strings.Join(list[:maxToolIDs], ", "), more)
	}
	return strings.Join(list, ", ")
}

// describe writes a definition as plain text. It does not use the form of the protocol, because the
// marks of the protocol would be escaped in a result.
func describe(b *strings.Builder, language string, d protocol.ToolDefinition) {
	fmt.Fprintf(b, "%s: %s\n", d.ToolName, strings.TrimSpace(d.Description))
	for _, p := range d.Parameters {
		fmt.Fprintf(b, "- %s (%s", p.Name, p.Type)
		if p.Required {
			b.WriteString(phraseRequired.in(language))
		}
		b.WriteByte(')')
		if p.Description != "" {
			b.WriteString(": " + strings.TrimSpace(p.Description))
		}
		if len(p.Enum) > 0 {
			values := make([]string, len(p.Enum))
			for i, value := range p.Enum {
				values[i] = string(value)
			}
			b.WriteString(phraseOneOf.in(language, strings.Join(values, ", ")))
		}
		if len(p.Default) > 0 {
			b.WriteString(phraseDefault.in(language, p.Default))
		}
		if len(p.Schema) > 0 {
			fmt.Fprintf(b, " Schema: %s", p.Schema)
		}
		b.WriteByte('\n')
	}
}
