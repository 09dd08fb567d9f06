// Package chat gives applications conversations with a model that calls tools.
//
// A Conversation keeps the history and tells the model about its tools. It runs what the model
// requests, sends the results back and records what people want to see. Applications that keep the
// history and call the model themselves use Tools instead. With either type, a decision about a
// call names its request ID and its digest, as Pending shows them.
//
// Package sqlitestore stores conversations, server serves them over HTTP, and markdown renders them
// as HTML. docs/embedding.md in the repository builds an HTTP chat with them. Neither Conversation
// nor Tools knows a particular protocol or model; the engine.Engine determines both.
package chat
