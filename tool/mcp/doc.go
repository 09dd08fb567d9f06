// Package mcp makes the tools of MCP servers callable: a Source connects to one server, over the
// standard streams of a child process or over streamable HTTP, and offers its tools as methods.
//
// What a server sends is foreign text. Names become full names "server/tool" that are stable and
// unique. Descriptions and results have limits in bytes, and the engine neutralizes both as it does
// for all tools. A server's annotations are hints: they may raise the risk of a method, and never
// lower it. Pins record the definitions of tools. If a definition differs from the recorded one,
// tool.Method.Changed is set: then no rule allows the method until a person has approved a call.
//
// A source that lost its connection connects again, with growing pauses between its attempts. A
// call that was under way fails with a *LostError and is not sent again, because the server may
// have carried it out.
package mcp
