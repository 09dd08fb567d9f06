package mcp

// The errors of calls have a method In, which returns the text in a language: Chinese for "zh", and
// otherwise English. Their reasons contain no secrets. If a reason has a method In as well, it is
// written in the same language.

// DownError is the error for a call to a server that cannot be reached now. The call was not sent.
type DownError struct {
	Server string
	Reason error
}

func (e *DownError) Error() string { return e.In("en") }

// Unwrap returns Reason.
func (e *DownError) Unwrap() error { return e.Reason }

// In returns the text in a language.
func (e *DownError) In(language string) string {
	return say(language, "The MCP server %s cannot be reached now, so nothing was done: %v.", e.Server, e.Reason)
}

// LostError is the error for a call during which the connection was lost. The call is not sent
// again. Unless Refused is set, the server may have carried it out.
type LostError struct {
	Server string
	// Refused reports that the server refused the request, so nothing was done.
	Refused bool
	Reason  error
}

func (e *LostError) Error() string { return e.In("en") }

// Unwrap returns Reason.
func (e *LostError) Unwrap() error { return e.Reason }

// In returns the text in a language.
func (e *LostError) In(language string) string {
	if e.Refused {
		return say(language, "The MCP server %s did not take the call, so nothing was done: %v. "+
			"Send it again if it is still needed.", e.Server, e.Reason)
	}
	return say(language, "The connection to the MCP server %s was lost while the call was under way: %v. "+
		"The call may or may not have been carried out, and was not sent again. Find out what happened before you repeat it.", e.Server, e.Reason)
}

// ServerError is the error with which the server responded to a call.
type ServerError struct {
	Server  string
	Code    int64  // the JSON-RPC error code
	Message string // the server's text, truncated after 4 KiB
}

func (e *ServerError) Error() string { return e.In("en") }

// In returns the text in a language. Message keeps the server's language.
func (e *ServerError) In(language string) string {
	return say(language, "The MCP server %s answered with the error %d: %s", e.Server, e.Code, e.Message)
}

// ResponseError is the error for a response that cannot be used. The server may have carried out
// the call.
type ResponseError struct {
	Server string
	Reason error
}

func (e *ResponseError) Error() string { return e.In("en") }

// Unwrap returns Reason.
func (e *ResponseError) Unwrap() error { return e.Reason }

// In returns the text in a language.
func (e *ResponseError) In(language string) string {
	return say(language, "The MCP server %s gave no usable answer: %v. The call may have been carried out.",
		e.Server, e.Reason)
}

var (
	errRemoved    = errorf("the source was removed")
	errNotBack    = errorf("the connection was lost and is not back yet")
	errEnded      = errorf("the call ended while the connection was being made")
	errWantsInput = errorf("it asks for input from a person, which this program does not support")
)
