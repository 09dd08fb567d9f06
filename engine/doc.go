// Package engine runs the loop between a model that writes text and tools. It reads a reply while
// it streams and runs its requests once the reply is complete. It returns the results to the model
// and repeats, until the model requests nothing more or a limit is reached.
//
// In a reply, one request or a batch of several is a block of text. A mark is a piece of text that
// has a meaning in the protocol, such as the start or the end of a block. Foreign text is text of
// tools, files and other people, in which marks must mean nothing: the engine neutralizes it, which
// means that it escapes the marks. A native call is one that the model makes by the tool-calling
// API of its server, and not in the text of its reply.
package engine
