package qwencoder

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// GenerateToolDefinitions writes the definitions as the models of this form were trained on them,
// with the instructions around them. It omits what a call cannot express: the alias of a method
// (Command), and examples that cannot be written.
func (Protocol) GenerateToolDefinitions(definitions []protocol.ToolDefinition, o protocol.PromptOptions) string {
	if len(definitions) == 0 {
		return ""
	}
	before, after := usage(o.Language)
	b := []byte(before + toolsStart + "\n")
	for i := range definitions {
		b = appendDefinition(b, &definitions[i])
	}
	return string(b) + toolsEnd + "\n" + after
}

func appendDefinition(b []byte, d *protocol.ToolDefinition) []byte {
	b = append(b, "<function>\n"...)
	b = appendElement(b, "name", d.ToolName)
	b = appendUnlessEmpty(b, "title", d.Title)
	b = appendUnlessEmpty(b, "description", d.Description)
	b = append(b, "<parameters>\n"...)
	var required []string
	for i := range d.Parameters {
		p := &d.Parameters[i]
		b = append(b, "<parameter>\n"...)
		b = appendElement(b, "name", p.Name)
		b = appendUnlessEmpty(b, "type", p.Type)
		b = appendUnlessEmpty(b, "description", p.Description)
		b = appendUnlessEmpty(b, "default", string(p.Default))
		if enum, err := marshal(p.Enum); err == nil && len(p.Enum) > 0 {
			b = appendElement(b, "enum", enum)
		}
		b = appendUnlessEmpty(b, "schema", string(p.Schema))
		b = append(b, "</parameter>\n"...)
		if p.Required {
			required = append(required, p.Name)
		}
	}
	if list, err := marshal(required); err == nil && required != nil {
		b = appendElement(b, "required", list)
	}
	b = append(b, "</parameters>\n"...)
	for i := range d.Examples {
		if call, err := (Protocol{}).FormatToolRequests(d.Examples[i : i+1]); err == nil {
			b = append(b, exampleStart+call[len(callStart):]+exampleRest...)
		}
	}
	return append(b, "</function>\n"...)
}

const (
	exampleStart = "<example>\n" + callStart
	exampleEnd   = callEnd + exampleRest
	exampleRest  = "\n</example>\n"
)

func appendUnlessEmpty(b []byte, name, text string) []byte {
	if text == "" {
		return b
	}
	return appendElement(b, name, text)
}

// marshal returns v as JSON, without escapes for angle brackets.
func marshal(v any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// ParseToolDefinitions reads what GenerateToolDefinitions wrote, and ignores other text. A malformed
// definition is a *protocol.ReadError.
func (Protocol) ParseToolDefinitions(text string) ([]protocol.ToolDefinition, error) {
	var definitions []protocol.ToolDefinition
	const start, end = "\n<function>\n", "\n</function>\n"
	_, rest, ok := strings.Cut("\n"+text, "\n"+toolsStart)
	for ok {
		var body string
		if _, rest, ok = strings.Cut(rest, start); !ok {
			break
		}
		at := len(text) - len(rest)
		parameters, after, whole := strings.Cut(rest, "</parameters>\n")
		d, err := readDefinition(parameters)
		if !whole {
			err = fmt.Errorf("it has no end")
		}
		for err == nil && strings.HasPrefix(after, exampleStart) {
			var example protocol.ToolRequest
			body, after, _ = strings.Cut(after, exampleEnd)
			if example, err = readExample(body[len(exampleStart)-len(callStart):] + callEnd); err == nil {
				d.Examples = append(d.Examples, example)
			}
		}
		if err != nil {
			return definitions, &protocol.ReadError{Protocol: protocolID, Block: "definition", Offset: at, Reason: err.Error(), Err: err}
		}
		definitions = append(definitions, d)
		rest = strings.TrimPrefix("\n"+after, end[:len(end)-1])
	}
	return definitions, nil
}

// readDefinition reads a definition up to the end of its parameters.
func readDefinition(text string) (protocol.ToolDefinition, error) {
	var d protocol.ToolDefinition
	head, rest, ok := strings.Cut(text, "<parameters>\n")
	if !ok {
		return d, fmt.Errorf("it has no parameters")
	}
	d.ToolName, head, _ = element(head, "name")
	d.Title, _, _ = element(head, "title")
	d.Description, _, _ = element(head, "description")
	required := map[string]bool{}
	for {
		one, after, ok := strings.Cut(rest, "</parameter>\n")
		if !ok {
			break
		}
		p, err := readParameter(one)
		if err != nil {
			return d, err
		}
		d.Parameters = append(d.Parameters, p)
		rest = after
	}
	if list, _, ok := element(rest, "required"); ok {
		var names []string
		if err := json.Unmarshal([]byte(list), &names); err != nil {
			return d, fmt.Errorf("its required parameters are no list of names: %w", err)
		}
		for _, name := range names {
			required[name] = true
		}
	}
	for i := range d.Parameters {
		d.Parameters[i].Required = required[d.Parameters[i].Name]
	}
	return d, nil
}

func readParameter(text string) (p protocol.Parameter, err error) {
	p.Name, text, _ = element(text, "name")
	p.Type, _, _ = element(text, "type")
	p.Description, _, _ = element(text, "description")
	for name, to := range map[string]*json.RawMessage{"default": &p.Default, "schema": &p.Schema} {
		if value, _, ok := element(text, name); ok {
			*to = json.RawMessage(value)
		}
	}
	if list, _, ok := element(text, "enum"); ok {
		if err := json.Unmarshal([]byte(list), &p.Enum); err != nil {
			return p, fmt.Errorf("the values of parameter %q are no list: %w", p.Name, err)
		}
	}
	return p, nil
}

// readExample reads a request that FormatToolRequests wrote.
func readExample(text string) (protocol.ToolRequest, error) {
	src := []byte(text)
	s := Protocol{}.NewScanner(scan.Options{Tolerance: scan.Strict})
	var fields []scan.Field
	for from := 0; ; {
		n, tok, err := s.Scan(src, from, true)
		switch {
		case err != nil:
			return protocol.ToolRequest{}, err
		case tok.Code != "" || tok.Kind == scan.TokenNone || tok.Kind == scan.TokenText:
			return protocol.ToolRequest{}, fmt.Errorf("its example cannot be read")
		case tok.Kind == scan.TokenField:
			fields = append(fields, scan.Field{Name: string(tok.Name), Role: tok.Role})
		case tok.Kind == scan.TokenValue && tok.Replaced:
			fields[len(fields)-1].Value += string(tok.Instead)
		case tok.Kind == scan.TokenValue || tok.Kind == scan.TokenEvidence:
			fields[len(fields)-1].Value += text[from : from+n]
		case tok.Kind == scan.TokenRequestEnd:
			return protocol.RequestOf(&s.Requests(fields)[0]), nil
		}
		from += n
	}
}
