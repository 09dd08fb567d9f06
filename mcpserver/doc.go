// Package mcpserver offers the methods of an engine to any MCP client, over standard streams or
// streamable HTTP.
//
// A client sees the methods that models may call. Its calls pass through the engine like those of a
// model: the same schema checks the arguments, the same policy decides, and the same audit records
// them. A call that needs approval is shown to the person at the client by an elicitation. If the
// client has none, the call is denied, and the reason says so.
//
// The server speaks the protocol versions that begin with a handshake, up to 2025-11-25. Clients of
// newer versions fall back to them.
package mcpserver
