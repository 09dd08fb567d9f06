package vcp

import (
	_ "embed"
	"strings"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

const (
	// keyName differs from keyToolName, so that a part of a definition that a model repeats is not
	// a request of bare fields (B12).
	keyName        = "name"
	keyDescription = "description"
	keyParameters  = "parameters"
	keyExample     = "example"
)

// The instructions before the definitions (section 7 of the dialect).
var (
	//go:embed usage_en.txt
	usageEnglish string
	//go:embed usage_zh.txt
	usageChinese string
)

// GenerateToolDefinitions writes the usage instructions and then one block per method. Names,
// descriptions and parameters are neutralized. Examples are requests as the model should write
// them. If one of them cannot be written, all examples of its definition are omitted.
func (p Protocol) GenerateToolDefinitions(definitions []protocol.ToolDefinition, o protocol.PromptOptions) string {
	if len(definitions) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(o.Choose(usageEnglish, usageChinese))
	var tags tagger
	for i := range definitions {
		b.WriteByte('\n')
		p.writeDefinition(&b, &tags, &definitions[i])
		b.WriteByte('\n')
	}
	return b.String()
}

func (p Protocol) writeDefinition(b *strings.Builder, tags *tagger, d *protocol.ToolDefinition) {
	fields := []scan.Field{{Name: keyName, Value: neutralize(d.ToolName)}}
	add := func(name, value string) {
		if value != "" {
			fields = append(fields, scan.Field{Name: name, Value: value})
		}
	}
	add(keyDescription, neutralize(d.Description))
	add(keyParameters, neutralize(parametersJSON(d.Parameters)))
	end := defEnd
	if example, err := p.FormatToolRequests(d.Examples); err == nil && example != "" {
		end = exampleStart + strings.TrimPrefix(example, requestStart) + "\n" + defEnd
	}
	writeBlock(b, tags, defStart, fields, end)
}

// exampleStart begins the examples of a definition. No field contains it, because fields are
// neutralized.
const exampleStart = keyExample + ":\n" + requestStart

// parametersJSON returns the parameters as a JSON list, one per line.
func parametersJSON(parameters []protocol.Parameter) string {
	if len(parameters) == 0 {
		return "[]"
	}
	var b strings.Builder
	b.WriteByte('[')
	for i := range parameters {
		if i > 0 {
			b.WriteByte(',')
		}
		p := &parameters[i]
		line, err := orderedjson.Encode(p)
		if err != nil { // a default, an enum or a schema is not JSON
			line, _ = orderedjson.Encode(&protocol.Parameter{Name: p.Name, Type: p.Type, Required: p.Required})
		}
		b.WriteString("\n" + string(line))
	}
	return b.String() + "\n]"
}
