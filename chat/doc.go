// Package chat gives applications conversations with a model that calls tools.
//
// A Conversation does everything. It keeps the history and tells the model about its tools. It runs
// what the model requests, sends the results back and records what people want to see. Tools is for
// applications that keep their conversations and call their model themselves. In both, a decision
// about a call names its request ID and its digest, as Pending shows them.
//
// Packages sqlitestore and server keep and serve conversations, and markdown draws them.
// docs/embedding.md in the repository builds an HTTP chat with them. Neither Conversation nor Tools
// knows a particular protocol or model; both come with the engine.Engine.
package chat
