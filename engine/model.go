package engine

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
)

// A Model writes text. It is safe for concurrent use by several sessions.
type Model interface {
	// Stream returns one reply as the model writes it. Stream itself only returns the sequence;
	// ranging over it sends the request. A sequence is ranged over once. An error is the last item.
	// A break or the end of ctx ends the request: the sequence returns soon after, with nothing
	// left running. A panic before the reply is finished ends the run with a *ModelPanicError.
	//
	// If a sequence ends without a Delta that is Finished, the reply is truncated, whatever it
	// contains.
	Stream(ctx context.Context, req ModelRequest) iter.Seq2[Delta, error]
}

// ModelPanicError is a panic of Model.Stream, or of the sequence that it returned.
type ModelPanicError struct {
	// Value is the value of the panic.
	Value any
	// Stack is the stack of the goroutine at the panic.
	Stack []byte
}

// Error names the value of the panic.
func (e *ModelPanicError) Error() string {
	return fmt.Sprintf("engine: the model panicked: %v", e.Value)
}

// ModelRequest is the request that makes a model write its next reply.
type ModelRequest struct {
	// Messages is the conversation so far, oldest first. Foreign text is neutralized. Results and
	// examples are part of Content; the fields Origin, Protocol, Results and Examples are empty.
	// The model must not change Messages.
	Messages []protocol.Message
	// Stop are texts at which the model should end its reply, if its server supports that. They are
	// not part of the reply. The model must not change the list.
	Stop []string
	// Tools are the methods that the model is offered for calls by its API, sorted by full name.
	// They are set only if NativeModel.Native returned true; otherwise Messages describe the tools.
	Tools []*tool.Entry
	// Language is the language of the definitions of Tools, as protocol.PromptOptions names it.
	Language string
	// NoCalls forbids further calls. Tools is set nevertheless, because Messages may contain calls
	// of them.
	NoCalls bool
	// Protocol is set if the model calls tools by its API. Descriptions and all other text of Tools
	// are foreign: Stream must pass them through Protocol.Neutralize. Otherwise Protocol is nil,
	// although the model writes its requests in a protocol.
	Protocol protocol.Protocol
}

// A NativeModel can call tools by its API rather than in the text of its replies.
type NativeModel interface {
	Model
	// Native reports whether the model calls tools by its API. The engine asks once per run, and
	// Native may query the model's server. An error ends the run.
	Native(ctx context.Context) (bool, error)
}

// Delta is a piece of a reply. Each field may be empty.
type Delta struct {
	// Text is a piece of the reply. It may end within a character.
	Text string
	// Reasoning is a piece of reasoning that the server sends apart from the text of the reply. It
	// is shown to people, and requests in it do not run.
	Reasoning string
	// CallPart is a piece of a native call, for display.
	CallPart *CallPart
	// Call is a whole native call. It comes with or before the Delta that is Finished, once the
	// reply is known to be over. The engine checks whether the call may run and whether its
	// arguments are valid.
	Call *protocol.ToolCall
	// Finish is the finish reason: a constant of package protocol, or the server's own word, which
	// protocol.ParseFinishReason can read. It has meaning only if Finished is true.
	Finish protocol.FinishReason
	// Finished is true once the server has said that the reply is over. Later text is not part of
	// the reply. A reply runs something only if its Finish is complete. If two Deltas are Finished
	// for different reasons, the reply is not complete.
	Finished bool
	// Usage is the cost of the reply, if the server reports it. It may come after Finished. If
	// there are several, the last one counts.
	Usage *Usage
}

// CallPart is a piece of a native call.
type CallPart struct {
	// Index numbers the calls of the reply, from 0. Pieces of one call come in order. Pieces of
	// other calls may come between them.
	Index int
	// Name is the method's name in the first piece of a call, and "" in the others.
	Name string
	// Arguments is the next piece of the JSON text.
	Arguments string
}

// Usage is the cost of one reply, in the model's own tokens.
type Usage struct {
	PromptTokens     int `json:"promptTokens"`
	CompletionTokens int `json:"completionTokens"`
}

// addUsage returns the sum of two usages. Nil means that a usage is not known; it counts as zero.
func addUsage(a, b *Usage) *Usage {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	return &Usage{
		PromptTokens: a.PromptTokens + b.PromptTokens, CompletionTokens: a.CompletionTokens + b.CompletionTokens,
	}
}
