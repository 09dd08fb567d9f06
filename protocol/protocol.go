// Package protocol defines what a tool-calling text protocol and its users share: requests,
// results, definitions, messages, and the interfaces that a protocol implements. It imports no
// particular protocol.
//
// A Protocol has two directions. It writes definitions and results as text for the model. It reads
// the model's reply through a scanner, which decides syntax token by token. Package parser drives
// the scanner and decides meaning. Package protocol/scan defines the contract between the two.
//
// In the text, a definition, a request and a result are each a block. A mark is a piece of text
// that has a meaning in the protocol, such as the start or the end of a block or of a value.
// Foreign text comes from a tool, a file or another person: its marks must mean nothing.
package protocol

import "github.com/vcpgo/vcp/protocol/scan"

// A Protocol is one text form of tool calling. It is stateless and safe for concurrent use: all
// state of a reply is in the scanner.
type Protocol interface {
	// ID names the protocol in configuration: lower-case letters and digits.
	ID() string

	// Repairs lists the repairs that may be applied to damaged requests, at most 64. A
	// scan.TokenRepair names one by its index. The caller does not change the slice.
	Repairs() []scan.Repair

	// ErrorMessage returns a sentence that tells a model how to correct a request with that error,
	// in the words of the protocol and the language of its prompt. It is never empty.
	ErrorMessage(scan.ErrorCode, PromptOptions) string

	// NewScanner returns a scanner for one reply.
	NewScanner(scan.Options) scan.Scanner

	// GenerateToolDefinitions returns the usage instructions followed by the definitions, in the
	// order given. The same input gives the same text. The text is "" if there are no definitions.
	GenerateToolDefinitions([]ToolDefinition, PromptOptions) string

	// FormatToolRequests returns text that reads back as these requests, or a *FormatError that
	// names what cannot be written. The Form of a value may change if the protocol has only one.
	// Then plain text may read back as a JSON string that means this text, and a JSON string as the
	// plain text that it means. Any JSON value may read back as plain text of the same bytes. JSON
	// may read back without the white space around its parts.
	FormatToolRequests([]ToolRequest) (string, error)

	// FormatToolResults returns the results as text, in order. Nothing in a result can open, close
	// or forge a block.
	FormatToolResults([]ToolResult) string

	// Neutralize returns foreign text in a form that a model may see outside of a result. Nothing
	// in it opens, closes or forges a block, even if the model repeats it, a part of it, or two
	// such texts in a row. The exception is a request without marks: only a repair reads it, and
	// scan.Repair.Bare is set for that repair. Text is returned unchanged if it contains no mark,
	// does not end with the beginning of one, and does not begin with the end of one. If text is
	// JSON, so is the returned text.
	Neutralize(text string) string
}

// A Fencer is a Protocol with its own info strings of fenced code: a model writes one of them to
// mark requests in the fence as meant to run.
type Fencer interface {
	// FenceInfo lists the first words of these info strings. Requests in such a fence run only if
	// parser.Options.Quoted allows it. The caller does not change the slice.
	FenceInfo() []string
}

// A Reader is the inverse of a Protocol's formatters, for tests, stored conversations and programs
// that take the place of a model. Its errors are *ReadError.
type Reader interface {
	// ParseToolDefinitions returns the definitions found in text that may contain other things.
	ParseToolDefinitions(string) ([]ToolDefinition, error)
	// ParseToolResults returns the results found in text that may contain other things.
	ParseToolResults(string) ([]ToolResult, error)
}

// A Stopper is a Protocol with stop sequences: the texts that begin results, which only the engine
// may write. A server that knows them ends a reply there.
type Stopper interface {
	// StopSequences returns at most 4 texts.
	StopSequences() []string
}

// A ResultNoter is a Protocol that cannot write every result as it is.
type ResultNoter interface {
	// ResultNote returns a sentence for the model on how FormatToolResults alters the text of a
	// result, or "" if the text stays as it is. The sentence contains no mark.
	ResultNote(text string, o PromptOptions) string
}

// A Restorer is a Protocol that can undo Neutralize.
type Restorer interface {
	// Restore removes one level of what Neutralize adds to each mark. It keeps the line breaks at
	// the ends of the text, and returns text without neutralized marks unchanged. The result may
	// contain requests, so it must never be shown to a model.
	Restore(text string) string
}

// A Diagnoser is a Protocol that can say where a request is wrong.
type Diagnoser interface {
	// Diagnose returns a sentence that tells the model where in the text of its request the error
	// is. It returns "" if the place is unclear. The sentence contains no mark, and at most 200
	// bytes of the request.
	Diagnose(code scan.ErrorCode, text string, o PromptOptions) string
}

// An ArgumentCarrier is a Protocol that cannot carry arguments of every name: some names are
// reserved, or its grammar does not allow them. An argument that it does not carry never reaches a
// method. Other protocols carry every name of 1 to scan.MaxKeyBytes bytes.
type ArgumentCarrier interface {
	// CarriesArgument reports whether a request can carry an argument of that name to a method that
	// declares it. It is false for a name of more than scan.MaxKeyBytes.
	CarriesArgument(name string) bool
}

// PromptOptions shape what a protocol writes for the model: definitions, and sentences about errors
// and results.
type PromptOptions struct {
	// Language is "en" or "zh". Any other word means "en".
	Language string
}

// Choose returns the text in Language.
func (o PromptOptions) Choose(english, chinese string) string {
	if o.Language == "zh" {
		return chinese
	}
	return english
}
