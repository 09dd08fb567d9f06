package engine

import (
	"context"
	"iter"

	"github.com/vcpgo/vcp/protocol"
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
	// Stop are texts at which the model should end its reply, where its server can do that. They are not part of the reply.
	Stop []string
}

// Delta is a piece of a reply. Any of its parts may be empty.
type Delta struct {
	// Text is a piece of the reply. It may be cut inside a character.
	Text string
	// Reasoning is a piece of what the server sends as reasoning apart from the reply. It is shown and never read for requests.
	Reasoning string
	// Finish says why the model stopped; it has meaning only where Finished is true.
	Finish protocol.FinishReason
	// Finished is true once the server has said that the reply is complete. Text after it is not part of the reply.
	Finished bool
	// Usage is what the reply cost, where the server tells; it may come after Finished, and the last one counts.
	Usage *Usage
}

// Usage is what one reply cost, in the model's own tokens.
type Usage struct {
	PromptTokens     int
	CompletionTokens int
}
