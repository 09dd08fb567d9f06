package mcp

import "fmt"

// DownError is a call of a server that cannot be reached now. The call was not sent.
type DownError struct {
	Server string
	Reason string // for people; without secrets
}

func (e *DownError) Error() string {
	return fmt.Sprintf("The MCP server %s cannot be reached now, so nothing was done: %s.", e.Server, e.Reason)
}

// LostError is a call that was under way when the connection was lost. It is not sent again, since
// the server may have carried it out.
type LostError struct {
	Server string
	// Refused says that the server answered that it does not take the request, so nothing was done.
	Refused bool
	Reason  string // for people; without secrets
}

func (e *LostError) Error() string {
	if e.Refused {
		return fmt.Sprintf("The MCP server %s did not take the call, so nothing was done: %s. "+
			"Send it again if it is still needed.", e.Server, e.Reason)
	}
	return fmt.Sprintf("The connection to the MCP server %s was lost while the call was under way: %s. "+
		"It may or may not have been carried out, and was not sent again. Find out what happened before you repeat it.", e.Server, e.Reason)
}

// ServerError is the server's own error about a call.
type ServerError struct {
	Server  string
	Code    int64  // of JSON-RPC
	Message string // the server's text, bounded
}

func (e *ServerError) Error() string {
	return fmt.Sprintf("The MCP server %s answered with the error %d: %s", e.Server, e.Code, e.Message)
}

// AnswerError is an answer of the server that cannot be used. The call may have been carried out.
type AnswerError struct {
	Server string
	Reason string
}

func (e *AnswerError) Error() string {
	return fmt.Sprintf("The MCP server %s gave no usable answer: %s. The call may have been carried out.", e.Server, e.Reason)
}
