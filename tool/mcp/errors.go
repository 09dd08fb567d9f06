package mcp

import "github.com/vcpgo/vcp/internal/chinese"

// The errors of calls have a method In, which returns the text in a language: "zh" is Chinese, any
// other is English.

// DownError is a call of a server that cannot be reached now. The call was not sent.
type DownError struct {
	Server string
	Reason string // for people; without secrets
}

func (e *DownError) Error() string { return e.In("en") }

// In returns the text in a language.
func (e *DownError) In(language string) string {
	return say(language, "The MCP server %s cannot be reached now, so nothing was done: %v.", e.Server, known(e.Reason))
}

// LostError is a call that was under way when the connection was lost. It is not sent again, since
// the server may have carried it out.
type LostError struct {
	Server string
	// Refused says that the server answered that it does not take the request, so nothing was done.
	Refused bool
	Reason  string // for people; without secrets
}

func (e *LostError) Error() string { return e.In("en") }

// In returns the text in a language.
func (e *LostError) In(language string) string {
	if e.Refused {
		return say(language, "The MCP server %s did not take the call, so nothing was done: %s. "+
			"Send it again if it is still needed.", e.Server, e.Reason)
	}
	return say(language, "The connection to the MCP server %s was lost while the call was under way: %s. "+
		"It may or may not have been carried out, and was not sent again. Find out what happened before you repeat it.", e.Server, e.Reason)
}

// ServerError is the server's own error about a call.
type ServerError struct {
	Server  string
	Code    int64  // of JSON-RPC
	Message string // the server's text, bounded
}

func (e *ServerError) Error() string { return e.In("en") }

// In returns the text in a language. The server's own text has one.
func (e *ServerError) In(language string) string {
	return say(language, "The MCP server %s answered with the error %d: %s", e.Server, e.Code, e.Message)
}

// AnswerError is an answer of the server that cannot be used. The call may have been carried out.
type AnswerError struct {
	Server string
	Reason string
}

func (e *AnswerError) Error() string { return e.In("en") }

// In returns the text in a language.
func (e *AnswerError) In(language string) string {
	return say(language, "The MCP server %s gave no usable answer: %v. The call may have been carried out.", e.Server, known(e.Reason))
}

// say writes a text of the catalog.
func say(language, format string, values ...any) string {
	return chinese.MCP.Printer(language).Say(format, values...)
}

// Reasons that this package wrote. All other reasons contain text of servers or of other packages.
const (
	reasonRemoved    = "the source was removed"
	reasonNotBack    = "the connection was lost and is not back yet"
	reasonEnded      = "the call ended while the connection was being made"
	reasonWantsInput = "it asks for input from a person, which is not offered to it"
)

// known is a text that the catalog may contain. If it does not, the text stays as it is.
type known string

// In returns the text in a language.
func (k known) In(language string) string {
	if translated := chinese.MCP[string(k)]; language == "zh" && translated != "" {
		return translated
	}
	return string(k)
}
