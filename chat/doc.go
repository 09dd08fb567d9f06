// Package chat gives applications conversations with a model that calls tools.
//
// A Conversation keeps the history and tells the model about its tools. It runs what the model
// requests, sends the results back and records what people want to see. A turn lasts from a user's
// message to the model's last reply; each reply of a turn, with its results, is an iteration.
// Applications that keep the history and call the model themselves use Tools instead.
//
// In mode manual (engine.ModeManual), a Conversation and Tools dispatch requests instead of running
// them: the application decides about each request. A decision names the request's ID and the
// digest of its call, as Pending shows them.
//
// A Store keeps a conversation as entries, which only the holder of a lease may append. Package
// sqlitestore stores conversations in a file, server serves them over HTTP, and markdown renders
// them as HTML. docs/embedding.md in the repository builds an HTTP chat with these packages.
// Neither Conversation nor Tools knows a particular protocol or model; the engine.Engine determines
// both.
package chat
