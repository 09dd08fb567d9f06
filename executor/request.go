package executor

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// Request is one request as the executor takes it.
type Request struct {
	// ID is the engine's own id, unique among all requests of a session. Approvals, events and logs name it.
	ID string
	// RequestID is what the result calls the request towards the model; "" is the model's own label or, without one, ID.
	RequestID string
	protocol.ToolRequest
	// CallID is the API's id of a native call; "" for a request in text.
	CallID string
	// Err marks a request that could not be read: it is answered with malformed_request and not run.
	Err *protocol.RequestError
}

// Result is the outcome of one request.
type Result struct {
	// ToolResult is what the model is told. ToolName is the method's full name or, if no method was found, what the model wrote, of
	// which 4 KB are kept. Result is valid UTF-8.
	protocol.ToolResult
	// ID, Label and CallID are the request's; 4 KB of the label are kept.
	ID     string
	Label  string
	CallID string
	// Method is the full name of the method; "" where none was found.
	Method string
	// Arguments are the typed arguments; nil where the request did not get so far. Edited says that a person has changed them.
	Arguments json.RawMessage
	Edited    bool
	// Problems are what is wrong with the arguments, up to schema.MaxProblems; nil if ErrorType is not invalid_arguments.
	Problems []schema.Problem
	// Repaired is what was mended to read the arguments as their schema wants them.
	Repaired []schema.Repaired
	// Details and Files are for people and never reach the model. Where ErrorType is invalid_arguments, Details are ArgumentsDetails.
	Details any
	Files   []tool.File
	// RawBytes is how long the text was that the tool returned, or the message of an error, before anything was mended, cut or added,
	// and Reduced how it was made shorter; "" where it was not. Tokens is what the text costs that the model is given, as estimated.
	RawBytes int
	Reduced  Reduction
	Tokens   int
	// Retries is how often the method was run again after it had failed. Cached says that the result is that of an earlier call.
	Retries int
	Cached  bool
	// Started is when the tool began to run or, where it did not run, when the request was taken up.
	Started time.Time
	// Duration is how long the tool ran; 0 where it did not run.
	Duration time.Duration
}

// Scope says what the caller of a tool may use. It is asked again right before each run. It is safe for concurrent use.
type Scope interface {
	// Visible reports whether the method is enabled for this caller.
	Visible(*tool.Entry) bool
}

// A Decider is a Scope with a policy of its own, in place of Options.Policy. It is asked for it again right before each run: where the
// policy denies by then, or asks for what nobody was asked, the call does not run.
type Decider interface {
	Scope
	Policy() Policy
}

// Observer is told what happens while Execute runs, on the goroutine that called Execute and so never twice at once. Functions may
// be nil.
type Observer struct {
	// Asked is called before the Approver is asked for leave, once for each question.
	Asked func(req Request, question Approval)
	// Started is called before a tool runs. It is not called for a request that is refused.
	Started func(req Request, method *tool.Entry, arguments json.RawMessage)
	// HandedOut is called after Started where the application is to run the method and to answer with Memory.Answer.
	HandedOut func(req Request, method *tool.Entry, arguments json.RawMessage)
	// Progress is called with what a running tool tells of itself, at most 64 KiB of each text. Texts are dropped while those that
	// wait take 1 MiB.
	Progress func(id, text string)
	// Done is called once for each request, as it is settled: with parallel execution not in request order. The result is the one that
	// Execute returns, and stays as it is.
	Done func(*Result)
}

func (o Observer) asked(c *call, question Approval) {
	if o.Asked != nil {
		question.Arguments = bytes.Clone(question.Arguments)
		o.Asked(c.req, question)
	}
}

func (o Observer) started(c *call) {
	if o.Started != nil {
		o.Started(c.req, c.method, bytes.Clone(c.result.Arguments)) // the call runs with what its result will show
	}
}

func (o Observer) handedOut(c *call) {
	if o.HandedOut != nil {
		o.HandedOut(c.req, c.method, bytes.Clone(c.result.Arguments))
	}
}

func (o Observer) progress(id, text string) {
	if o.Progress != nil {
		o.Progress(id, text)
	}
}

func (o Observer) done(r *Result) {
	if o.Done != nil {
		o.Done(r)
	}
}

// Answer returns the result of a request that the application has carried out itself.
func (r Request) Answer(text string) Result {
	res := r.result()
	res.Status, res.Result = protocol.StatusSuccess, validText(text)
	return res
}

// Deny returns the result of a request that the application does not allow. The model reads the reason, which may be "".
func (r Request) Deny(reason string) Result {
	res := r.result()
	res.fail(*denied(reason))
	return res
}

// result returns an outcome that knows nothing but its request.
func (r Request) result() Result {
	shown := r.RequestID
	if shown == "" {
		shown = cut(r.Label)
	}
	if shown == "" {
		shown = r.ID
	}
	return Result{
		ID:         r.ID,
		Label:      cut(r.Label),
		CallID:     r.CallID,
		ToolResult: protocol.ToolResult{RequestID: shown, ToolName: cut(r.ToolName)},
		Started:    time.Now(),
	}
}

func (r *Result) fail(f failure) {
	r.Status = protocol.StatusError
	r.ErrorType, r.Suggestion, r.ToolResult.Result = f.kind, f.suggestion, validText(cut(f.message))
	r.Details = f.details
}
