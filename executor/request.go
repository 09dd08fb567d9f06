package executor

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
	"github.com/vcpgo/vcp/tool"
	"github.com/vcpgo/vcp/tool/schema"
)

// Request is one request for the executor.
type Request struct {
	// ID is the engine's own id, unique among all requests of a session. Approvals, events and logs
	// name it.
	ID string `json:"requestId"`
	// RequestID is the id of the result for the model; "" means the model's own label or, without
	// one, ID.
	RequestID string `json:"resultId,omitempty"`
	protocol.ToolRequest
	// ReadID is the id by which the model reads the rest of a long result; "" means ID.
	ReadID string `json:"-"`
	// Whole asks for all of the result's text, because a program reads it and not a model: it is
	// neither excerpted nor summarized.
	Whole bool `json:"-"`
	// CallID is the API's id of a native call; "" means a request in text.
	CallID string `json:"callId,omitempty"`
	// Approved is the digest of the call that a person has approved; "" means none. That call runs
	// without a question, unless the policy denies it. A request that means another call is
	// refused.
	Approved Digest `json:"approved,omitempty"`
	// Masked says that Arguments lack secrets, because the request was kept without them. It does
	// not run.
	Masked bool `json:"masked,omitempty"`
	// Err marks a request that could not be read. Its result is malformed_request; it does not run.
	Err *scan.RequestError `json:"error,omitempty"`
}

// Result is the outcome of one request.
type Result struct {
	// ToolResult is what the model reads. ToolName is the method's full name or, if no method was
	// found, up to 4 KB of what the model wrote. Result is valid UTF-8.
	protocol.ToolResult
	// ID, Label and CallID are the request's; Label is shortened to 4 KB.
	ID     string
	Label  string
	CallID string
	// Method is the method's full name; "" means that none was found.
	Method string
	// Arguments are the typed arguments; nil if the request was refused before they were read.
	// Edited says that a person changed them.
	Arguments json.RawMessage
	Edited    bool
	// Decision is policy.Allow or policy.Deny, DecidedBy who or what decided so; both are "" if the
	// request was refused before. Why names the rule or the setting that denied the call, or says
	// what a person said.
	Decision  policy.Decision
	DecidedBy DecidedBy
	Why       string
	// Provenance says that the request occurs in foreign text; nil if it does not, or if the
	// request was refused before that was known.
	Provenance *Provenance
	// Problems are what is wrong with the arguments, up to schema.MaxProblems; nil unless ErrorType
	// is invalid_arguments.
	Problems []schema.Problem
	// Repaired lists the repairs that made the arguments fit their schema.
	Repaired []schema.Repaired
	// Details and Files are for people and never reach the model. Details are ArgumentsDetails if
	// ErrorType is invalid_arguments.
	Details any
	Files   []tool.File
	// RawBytes is the length of the tool's text, or of the message of an error, before anything was
	// repaired, shortened or added. Tokens is the estimated cost of the text for the model.
	RawBytes int
	Tokens   int
	// Excerpted says that the model reads an excerpt of the text, Summarized that it reads a
	// summary.
	Excerpted, Summarized bool
	// Retries is how often the method ran again after it failed. Cached says that the result is
	// that of an earlier call.
	Retries int
	Cached  bool
	// Started is when the tool began to run or, if it did not run, when the executor took the
	// request.
	Started time.Time
	// Duration is how long the tool ran; 0 if it did not run.
	Duration time.Duration

	entry  *tool.Entry // of Method
	digest Digest      // of the call, if Arguments are masked
}

// Result returns the result of a request that the application carried out itself.
func (r Request) Result(output string) Result {
	res := r.pending()
	res.Status, res.ToolResult.Result = protocol.StatusSuccess, text.Valid(output)
	return res
}

// Deny returns the result of a request that the application does not allow. The model reads the
// reason, which may be "".
func (r Request) Deny(reason string) Result {
	res := r.pending()
	res.Decision, res.DecidedBy, res.Why = policy.Deny, ByPerson, text.Valid(short(strings.TrimSpace(reason)))
	res.fail(denied(reason), "")
	return res
}

// Unknown returns the result of a request whose call had started when the program was interrupted.
// It was the call of the method with that full name and that digest. Secrets in the arguments are
// masked.
func (r Request) Unknown(method string, arguments json.RawMessage, digest Digest) Result {
	res := r.pending()
	res.Method, res.ToolName, res.Arguments, res.digest = method, short(method), arguments, digest
	res.fail(interrupted(res.ToolName), "")
	return res
}

// Canceled returns the result of a request that did not run because its run was over.
func (r Request) Canceled() Result {
	res := r.pending()
	res.fail(canceled(false), "")
	return res
}

// pending returns a result that contains only its request.
func (r Request) pending() Result {
	shown := r.RequestID
	if shown == "" {
		shown = short(r.Label)
	}
	if shown == "" {
		shown = r.ID
	}
	return Result{
		ID:         r.ID,
		Label:      short(r.Label),
		CallID:     r.CallID,
		ToolResult: protocol.ToolResult{RequestID: shown, ToolName: short(r.ToolName)},
		Started:    time.Now(),
	}
}

func (r *Result) fail(f *failure, language string) {
	r.Status = protocol.StatusError
	r.ErrorType, r.Suggestion, r.ToolResult.Result = f.kind, f.suggestion.in(language), text.Valid(short(f.message.in(language)))
	r.Details = f.details
}

// Digest returns the digest of the call, with the arguments that it ran with. ok is false if the
// request was refused before its arguments were read.
func (r *Result) Digest() (d Digest, ok bool) {
	if r.Method == "" || r.Arguments == nil {
		return "", false
	}
	if r.digest != "" {
		return r.digest, true
	}
	return digestOf(r.Method, r.Arguments), true
}

// Observer receives events while Execute runs. Its functions run on the goroutine that called
// Execute, so never concurrently. They may be nil. They own their arguments.
type Observer struct {
	// Commit is called before each effect, with the calls that are about to start and the question
	// that is about to be asked, and, with neither, before Execute waits. It is for a record that
	// must be ahead of what it records. Calls that can start together are in one Commit. After an
	// error nothing more starts and nobody is asked: what has not started is canceled.
	Commit func(starting []Start, asking *Question) error
	// Asked is called before each question to the Approver.
	Asked func(req Request, q Question)
	// Answered is called with the decision about a question, before it has an effect. It is not
	// called if there is none, as after a timeout.
	Answered func(req Request, q Question, d Decision)
	// Started is called before a tool runs. It is not called for a request that is refused.
	Started func(req Request, method *tool.Entry, arguments json.RawMessage)
	// Dispatched is called after Started for a host-run call. From then on the application can call
	// Conversation.Complete.
	Dispatched func(req Request, method *tool.Entry, arguments json.RawMessage)
	// Progress is called with what a running tool reports, at most 64 KiB of each text. Updates are
	// dropped while those that wait take 1 MiB.
	Progress func(id, text string)
	// Done is called once for each request, when its result is settled. With parallel execution
	// that is not in request order. The result is the one that Execute returns, and does not change
	// any more.
	Done func(*Result)
}

// Start is a call that is about to start.
type Start struct {
	Request Request
	Method  *tool.Entry
	// Arguments are those that the method runs with. They must not be changed.
	Arguments json.RawMessage
}

// Digest identifies the call.
func (s *Start) Digest() Digest { return digestOf(s.Method.FullName, s.Arguments) }

func (o *Observer) commit(starting []Start, asking *Question) error {
	if o.Commit == nil {
		return nil
	}
	return o.Commit(starting, asking)
}

func (o *Observer) answered(req Request, q Question, d Decision) {
	if o.Answered != nil {
		o.Answered(req, q, d)
	}
}

func (o *Observer) asked(req Request, q Question) {
	if o.Asked != nil {
		q.Arguments = bytes.Clone(q.Arguments)
		o.Asked(req, q)
	}
}

func (o *Observer) started(req Request, method *tool.Entry, arguments json.RawMessage) {
	if o.Started != nil {
		o.Started(req, method, bytes.Clone(arguments))
	}
}

func (o *Observer) dispatched(req Request, method *tool.Entry, arguments json.RawMessage) {
	if o.Dispatched != nil {
		o.Dispatched(req, method, bytes.Clone(arguments))
	}
}

func (o *Observer) progress(id, text string) {
	if o.Progress != nil {
		o.Progress(id, text)
	}
}

func (o *Observer) done(r *Result) {
	if o.Done != nil {
		o.Done(r)
	}
}
