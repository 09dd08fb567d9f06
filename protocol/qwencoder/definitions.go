package qwencoder

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/internal/tags"
	"github.com/vcpgo/vcp/protocol/scan"
)

// The instructions. They contain the word DEFINITIONS, which tags.Prompt replaces.
var (
	//go:embed usage_en.txt
	usageEnglish string
	//go:embed usage_zh.txt
	usageChinese string
)

// GenerateToolDefinitions writes the definitions in the form on which the models were trained, with
// the instructions around them. It omits examples that cannot be written as calls.
func (Protocol) GenerateToolDefinitions(definitions []protocol.ToolDefinition, o protocol.PromptOptions) string {
	return tags.Prompt(o.Choose(usageEnglish, usageChinese), definitions, appendDefinition)
}

const (
	definitionStart = "<function>\n"
	definitionEnd   = "</function>\n"
	parametersStart = "<parameters>\n"
	parametersEnd   = "</parameters>\n"
	parameterEnd    = "</parameter>\n"
	exampleStart    = "<example>\n" + tags.CallStart
	exampleEnd      = tags.CallEnd + "\n</example>\n" // END is escaped in the values of the example
)

func appendDefinition(b []byte, d *protocol.ToolDefinition) []byte {
	b = appendElements(append(b, definitionStart...), "name", d.ToolName, "description", d.Description)
	b = append(b, parametersStart...)
	var required []string
	for i := range d.Parameters {
		p := &d.Parameters[i]
		nullable := "" // means no element
		if p.Nullable {
			nullable = "true"
		}
		b = appendElements(append(b, "<parameter>\n"...), "name", p.Name, "type", p.Type, "nullable", nullable,
			"description", p.Description, "default", string(p.Default), "enum", listOf(p.Enum), "schema", string(p.Schema))
		b = append(b, parameterEnd...)
		if p.Required {
			required = append(required, p.Name)
		}
	}
	b = append(appendElements(b, "required", listOf(required)), parametersEnd...)
	for i := range d.Examples {
		if call, err := (Protocol{}).FormatToolRequests(d.Examples[i : i+1]); err == nil {
			b = append(b, exampleStart+call[len(tags.CallStart):len(call)-len(tags.CallEnd)]+exampleEnd...)
		}
	}
	return append(b, definitionEnd...)
}

// listOf returns a list as JSON, or "" if the list is empty or an element is not JSON.
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
	_, rest, _ := strings.Cut(text, tags.ToolsStart+"\n")
	at := len(text) - len(rest)
	rest, _, _ = strings.Cut(rest, tags.ToolsEnd)
	whole, src := rest, []byte(rest)
	for strings.HasPrefix(rest, definitionStart) {
		head, after, found := strings.Cut(rest, parametersStart)
		parameters, after, ended := strings.Cut(after, parametersEnd)
		d := protocol.ToolDefinition{ToolName: element(head, "name"), Description: element(head, "description")}
		if !found || !ended || !readParameters(&d, parameters) {
			reason := "its parameters are missing, or a value in them is not JSON of the right kind"
			return definitions, &protocol.ReadError{
				Protocol: protocolID, Block: "definition", Offset: at, Reason: reason,
			}
		}
		for strings.HasPrefix(after, exampleStart) {
			s := &scanner{o: scan.Options{}.WithDefaults(), mode: modeBody, body: bodyState{white: white}}
			fields, end, _ := scan.ReadFields(s, src, len(src)-len(after)+len(exampleStart))
			d.Examples = append(d.Examples, protocol.RequestOf(&s.Requests(fields)[0]))
			after = strings.TrimPrefix(whole[end:], exampleEnd[len(tags.CallEnd):])
		}
		definitions = append(definitions, d)
		after = strings.TrimPrefix(after, definitionEnd)
		at += len(rest) - len(after)
		rest = after
	}
	return definitions, nil
}

// readParameters adds the parameters to a definition. ok is false if a list is malformed.
func readParameters(d *protocol.ToolDefinition, text string) (ok bool) {
	ok = true
	readList := func(list any, text string) {
		ok = ok && (text == "" || json.Unmarshal([]byte(text), list) == nil)
	}
	var required []string
	list := strings.Split(text, parameterEnd)
	last := len(list) - 1
	readList(&required, element(list[last], "required"))
	for _, one := range list[:last] {
		p := protocol.Parameter{
			Name: element(one, "name"), Type: element(one, "type"), Description: element(one, "description"),
			Nullable: element(one, "nullable") == "true", Required: slices.Contains(required, element(one, "name")),
		}
		p.Default = append(p.Default, element(one, "default")...)
		p.Schema = append(p.Schema, element(one, "schema")...)
		readList(&p.Enum, element(one, "enum"))
		d.Parameters = append(d.Parameters, p)
	}
	return ok
}
