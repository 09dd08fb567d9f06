// Package chat is the face of tool calling for applications.
//
// A Conversation does it all: it keeps the history, tells the model of its tools, runs what it asks for, sends the results back and
// records what people want to see of it. Tools is for applications that keep their conversations and call their model themselves:
// six verbs around one reply.
//
// Neither knows a particular protocol or model; both come with the engine.Engine.
package chat
