package engine

import (
	"context"
	"iter"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// A Model writes text. It is safe for concurrent use by several sessions.
type Model interface {
	// Stream returns one reply as it is written. Building the sequence does nothing; ranging over it sends the request, and a
	// sequence is ranged over once. An error is the last item. Breaking off, or the end of ctx, ends the request: the sequence
	// returns soon after, with nothing left running.
	//
	// A sequence that ends without a Delta that is Finished is a reply that was cut, whatever else it looks like.
	Stream(ctx context.Context, req ModelRequest) iter.Seq2[Delta, error]
}

// ModelRequest is what a model is asked to go on from.
type ModelRequest struct {
	// Messages is the conversation so far, oldest first. The model does not change it.
	Messages []protocol.Message
	// Stop are texts at which the model should end its reply, where its server can do that. They are not part of the reply. The model does not
	// change the list.
	Stop []string
	// Tools are the methods that the model may call by its API, sorted by full name. Only a NativeModel that says so is told of any;
	// all others are told in Messages.
	Tools []*tool.Entry
	// NoCalls: no more calls are allowed. Tools are told of all the same, since Messages may hold calls of them.
	NoCalls bool
}

// A NativeModel can call tools by its API rather than in the text of its replies.
type NativeModel interface {
	Model
	// Native reports whether the model calls tools by its API. It is asked once a run, and may ask the model's server to find out. An
	// error ends the run.
	Native(ctx context.Context) (bool, error)
}

// Delta is a piece of a reply. Any of its parts may be empty.
type Delta struct {
	// Text is a piece of the reply. It may be cut inside a character.
	Text string
	// Reasoning is a piece of what the server sends as reasoning apart from the reply. It is shown and never read for requests.
	Reasoning string
	// CallPart is a piece of a native call, for display.
	CallPart *CallPart
	// Call is a whole native call. It comes with or before the Delta that is Finished, and only once the reply is known to be over.
	// Whether it may run and whether its arguments are sound is the engine's to see.
	Call *protocol.ToolCall
	// Finish says why the model stopped, in the words of protocol or of the server; protocol.ParseFinishReason reads them. It has meaning
	// only if Finished is true.
	Finish protocol.FinishReason
	// Finished is true once the server has said that the reply is over. Text after it is not part of the reply. Only a reply whose Finish
	// is complete runs anything. If a reply has two Deltas that are Finished, for different reasons, it is not complete.
	Finished bool
	// Usage is what the reply cost, where the server tells; it may come after Finished, and the last one counts.
	Usage *Usage
}

// CallPart is a piece of a native call.
type CallPart struct {
	// Index says which call of the reply, from 0. Pieces of one call come in order; those of several may be mixed.
	Index int
	// Name is the method's name, with the first piece.
	Name string
	// Arguments is the next piece of the JSON text.
	Arguments string
}

// Usage is what one reply cost, in the model's own tokens.
type Usage struct {
	PromptTokens     int
	CompletionTokens int
}
