// Package mcpserver offers the methods of an engine to any MCP client, over standard streams or
// streamable HTTP.
//
// A client sees the methods that models may call. Its calls pass through the engine like calls of a
// model: the same schema checks the arguments, the same policy decides, and the same audit records
// them. If a call needs approval, the client shows the call to a person by an elicitation. If the
// client does not support elicitations, the call is denied, and the reason says so.
//
// The server supports the protocol versions with a handshake, up to 2025-11-25. Clients of newer
// versions fall back to these.
package mcpserver
