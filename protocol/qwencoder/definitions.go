package qwencoder

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/vcpgo/vcp/protocol"
)

// The instructions, with a word in the place of the definitions.
var (
	//go:embed usage_en.txt
	usageEnglish string
	//go:embed usage_zh.txt
	usageChinese string
)

// GenerateToolDefinitions writes the definitions as the models of this form were trained on them,
// with the instructions around them. It omits what a call cannot express: the alias of a method
// (Command), and examples that cannot be written.
func (Protocol) GenerateToolDefinitions(definitions []protocol.ToolDefinition, o protocol.PromptOptions) string {
	if len(definitions) == 0 {
		return ""
	}
	before, after, _ := strings.Cut(o.Choose(usageEnglish, usageChinese), "DEFINITIONS")
	b := []byte(before + toolsStart + "\n")
	for i := range definitions {
		b = appendDefinition(b, &definitions[i])
	}
	return string(b) + toolsEnd + "\n" + after
}

const (
	definitionStart = "<function>\n"
	definitionEnd   = "</function>\n"
	parametersStart = "<parameters>\n"
	parametersEnd   = "</parameters>\n"
	parameterEnd    = "</parameter>\n"
	exampleStart    = "<example>\n"
	exampleEnd      = callEnd + "\n</example>\n" // END is escaped in the values of the example
)

func appendDefinition(b []byte, d *protocol.ToolDefinition) []byte {
	b = append(b, definitionStart...)
	b = appendElements(b, "name", d.ToolName, "description", d.Description)
	b = append(b, parametersStart...)
	var required []string
	for i := range d.Parameters {
		p := &d.Parameters[i]
		b = append(b, "<parameter>\n"...)
		nullable := strings.TrimPrefix(strconv.FormatBool(p.Nullable), "false")
		b = appendElements(b, "name", p.Name, "type", p.Type, "nullable", nullable, "description", p.Description)
		b = appendElements(b, "default", string(p.Default), "enum", listOf(p.Enum), "schema", string(p.Schema))
		b = append(b, parameterEnd...)
		if p.Required {
			required = append(required, p.Name)
		}
	}
	b = appendElements(b, "required", listOf(required))
	b = append(b, parametersEnd...)
	for i := range d.Examples {
		if call, err := (Protocol{}).FormatToolRequests(d.Examples[i : i+1]); err == nil {
			b = append(b, exampleStart+strings.TrimSuffix(call, callEnd)+exampleEnd...)
		}
	}
	return append(b, definitionEnd...)
}

// listOf returns a list as JSON, "" for an empty one or one that is not JSON.
func listOf[T any](list []T) string {
	text, err := json.Marshal(list)
	if err != nil || len(list) == 0 {
		return ""
	}
	return string(text)
}

// ParseToolDefinitions reads what GenerateToolDefinitions wrote, and ignores other text. A
// malformed definition is a *protocol.ReadError.
func (Protocol) ParseToolDefinitions(text string) (definitions []protocol.ToolDefinition, err error) {
	before, rest, _ := strings.Cut(text, toolsStart+"\n")
	rest, _, _ = strings.Cut(rest, toolsEnd)
	for size := len(rest); strings.HasPrefix(rest, definitionStart); {
		head, after, found := strings.Cut(rest, parametersStart)
		list, after, ended := strings.Cut(after, parametersEnd)
		d := protocol.ToolDefinition{ToolName: element(head, "name"), Description: element(head, "description")}
		reason := "it has no list of parameters"
		if found && ended {
			reason = readParameters(&d, list)
		}
		if reason != "" {
			at := len(before) + len(toolsStart) + 1 + size - len(rest)
			return definitions, &protocol.ReadError{Protocol: protocolID, Block: "definition", Offset: at, Reason: reason}
		}
		for strings.HasPrefix(after, exampleStart) {
			var call string
			call, after, _ = strings.Cut(after, exampleEnd)
			d.Examples = append(d.Examples, readExample(call))
		}
		definitions = append(definitions, d)
		rest = strings.TrimPrefix(after, definitionEnd)
	}
	return definitions, nil
}

// readParameters adds the parameters to a definition. It returns what is wrong with them.
func readParameters(d *protocol.ToolDefinition, list string) (reason string) {
	var required []string
	for {
		one, after, ok := strings.Cut(list, parameterEnd)
		if !ok {
			break
		}
		list = after
		p := protocol.Parameter{Name: element(one, "name"), Type: element(one, "type"), Description: element(one, "description")}
		p.Nullable = element(one, "nullable") == "true"
		if text := element(one, "default"); text != "" {
			p.Default = json.RawMessage(text)
		}
		if text := element(one, "schema"); text != "" {
			p.Schema = json.RawMessage(text)
		}
		if text := element(one, "enum"); text != "" && json.Unmarshal([]byte(text), &p.Enum) != nil {
			return "the values of a parameter are not a list"
		}
		d.Parameters = append(d.Parameters, p)
	}
	if text := element(list, "required"); text != "" && json.Unmarshal([]byte(text), &required) != nil {
		return "the required parameters are not a list of names"
	}
	for i := range d.Parameters {
		d.Parameters[i].Required = slices.Contains(required, d.Parameters[i].Name)
	}
	return ""
}

// readExample reads a request that FormatToolRequests wrote.
func readExample(call string) (r protocol.ToolRequest) {
	_, rest, _ := strings.Cut(call, "<function=")
	r.ToolName, rest, _ = strings.Cut(rest, ">")
	for {
		_, after, ok := strings.Cut(rest, "<parameter=")
		if !ok {
			return r
		}
		var a protocol.Argument
		a.Name, after, _ = strings.Cut(after, ">\n")
		a.Value, rest, _ = strings.Cut(after, "\n</parameter>")
		a.Value = string(rescape(nil, a.Value, true, -1))
		r.Arguments = append(r.Arguments, a)
	}
}
