package executor

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/text"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/protocol/scan"
)

// Request is one request for the executor.
type Request struct {
	// ID is the engine's own id, unique among all requests of a session. Approvals, events and logs
	// name it.
	ID string `json:"requestId"`
	// ResultID is the id under which the model sees the result; "" means the model's own label or,
	// without one, ID.
	ResultID string `json:"resultId,omitempty"`
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
	// Masked says that Arguments lack secrets, because the request was stored without them. The
	// request does not run.
	Masked bool `json:"masked,omitempty"`
	// Err marks a request that could not be read, or that exceeds a limit on one reply. It does not
	// run.
	Err *scan.RequestError `json:"error,omitempty"`
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
	res.Decision, res.DecidedBy, res.Why = policy.Deny, ByPerson, short(text.Valid(strings.TrimSpace(reason)))
	res.fail(denied(reason), "")
	return res
}

// Unknown returns the result of a request whose call had started when the program was interrupted.
// method is the full name of the method of that call, and digest the digest of the call. The
// arguments are those of the call; whoever calls Unknown masks the secrets in them.
func (r Request) Unknown(method string, arguments json.RawMessage, digest Digest) Result {
	res := r.pending()
	res.Method, res.ToolName, res.Arguments, res.digest = method, short(method), arguments, digest
	res.fail(interrupted(res.ToolName), "")
	return res
}

// Canceled returns the result of a request that did not run because its turn ended first.
func (r Request) Canceled() Result {
	res := r.pending()
	res.fail(canceledBeforeRun(), "")
	return res
}

// pending returns a result with only Started and the fields that are known from the request.
func (r Request) pending() Result {
	shown := r.ResultID
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
		ToolResult: protocol.ToolResult{ResultID: shown, ToolName: short(r.ToolName)},
		Started:    time.Now(),
	}
}
