// Package protocol holds the vocabulary that a tool-calling text protocol and its users share:
// requests, results, definitions and messages, and the interfaces that a protocol implements. It
// knows no particular protocol and imports none.
//
// A Protocol has two directions. It writes definitions and results as text for the model. It reads
// the model's reply through a scanner, which settles syntax token by token; package parser drives
// the scanner and settles meaning. The contract between the two is package protocol/scan.
package protocol

import "github.com/vcpgo/vcp/protocol/scan"

// A Protocol is one text form of tool calling. It is stateless and safe for concurrent use: all
// state of a reply is in the scanner.
type Protocol interface {
	// ID names the protocol in configuration: lower-case letters and digits.
	ID() string

	// Repairs lists the tolerances that the scanner may apply, at most 64. Tokens name them by
	// index. The caller does not change the slice.
	Repairs() []scan.Repair

	// ErrorMessage returns a sentence that tells a model how to write a request with that error
	// right, in the words of the protocol. It is never empty.
	ErrorMessage(scan.ErrorCode) string

	// NewScanner returns a scanner for one reply.
	NewScanner(scan.Options) scan.Scanner

	// GenerateToolDefinitions returns the usage instructions followed by the definitions, in the
	// order given. The same input gives the same text. No definitions give "".
	GenerateToolDefinitions([]ToolDefinition, PromptOptions) string

	// FormatToolRequests returns text that reads back as these requests, or a *FormatError that
	// names what cannot be written. A protocol that has only one form of value may read a plain one
	// back as the JSON string that means the same, a JSON string as the plain text that it means, or
	// JSON as plain text.
	FormatToolRequests([]ToolRequest) (string, error)

	// FormatToolResults returns the results as text, in order. Nothing in a result can open, close
	// or forge a block.
	FormatToolResults([]ToolResult) string

	// Neutralize returns foreign text as a model may be shown it outside a result. Nothing in it
	// opens, closes or forges a block, even if the model repeats it, or a part of it, or two such
	// texts without a break between them. Text is returned as it is if it has no marks, no
	// beginning of one at its end, and no rest of one at its start. Neutralize of JSON is JSON.
	Neutralize(text string) string
}

// A Fencer is a Protocol with words for fenced code whose requests are meant to run.
type Fencer interface {
	// FenceInfo lists the first words of info strings that ask for the requests in fenced code to
	// run. They do so only if the reader's policy lets fenced code run at all. The caller does not
	// change the slice.
	FenceInfo() []string
}

// A Reader is the inverse of a Protocol's formatters. Models never need it; tests, imports and
// stand-ins for models do. The error for what cannot be read is a *ReadError.
type Reader interface {
	// ParseToolDefinitions returns the definitions found in text that may contain other things.
	ParseToolDefinitions(string) ([]ToolDefinition, error)
	// ParseToolResults returns the results found in text that may contain other things.
	ParseToolResults(string) ([]ToolResult, error)
}

// A Stopper is a Protocol that knows texts that begin results, which only the engine may write. A
// server that is told of them ends a reply there, which saves what would be dropped.
type Stopper interface {
	// StopSequences returns at most 4 texts.
	StopSequences() []string
}

// An ArgumentCarrier is a Protocol whose requests cannot carry an argument of every name: some
// names are its own, or its grammar does not allow them. An argument that it does not carry never
// reaches a method. Other protocols carry every name.
type ArgumentCarrier interface {
	// CarriesArgument reports whether a request can carry an argument of that name to a method that
	// declares it.
	CarriesArgument(name string) bool
}

// PromptOptions shape the text of GenerateToolDefinitions.
type PromptOptions struct {
	// Language is "en" or "zh"; "" is "en".
	Language string
}
