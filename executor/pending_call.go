package executor

import (
	"encoding/json"

	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/tool"
)

// PendingCall is a call that waits for a decision, as it may be shown to whoever decides: values of
// secret arguments are masked.
type PendingCall struct {
	// RequestID is the engine's own id, and Digest identifies the call. A decision names both.
	RequestID string `json:"requestId"`
	Digest    Digest `json:"digest"`
	// ToolName is Method or, if no method was found, what the model wrote. Method is the full name,
	// and Risk what a call may do.
	ToolName string    `json:"toolName"`
	Method   string    `json:"method,omitempty"`
	Risk     tool.Risk `json:"risk,omitempty"`
	// Arguments is a JSON object: the typed arguments or, if the arguments could not be read, those
	// that the model wrote.
	Arguments json.RawMessage `json:"arguments"`
	// GrantsMethod and Preview are as in Question. Only a call with an open question has a Preview.
	GrantsMethod bool   `json:"grantsMethod,omitempty"`
	Preview      string `json:"preview,omitempty"`
	// Change and Provenance are as in Question.
	Change     string      `json:"change,omitempty"`
	Provenance *Provenance `json:"provenance,omitempty"`
	// Problem says why the call cannot run as it is; "" means that it can. In a call with an open
	// question, it is Question.Problem. Unreadable says that there is no call: the request could
	// not be read, and needs no decision.
	Problem    string `json:"problem,omitempty"`
	Unreadable bool   `json:"unreadable,omitempty"`
}

// Pending returns the call that the question is about, with secret arguments masked.
func (q Question) Pending() PendingCall {
	return PendingCall{
		RequestID: q.ID, Digest: q.Digest, ToolName: q.Method.FullName,
		Method: q.Method.FullName, Risk: q.Method.Risk(),
		Arguments:    q.Method.MaskArguments(q.Arguments),
		GrantsMethod: q.GrantsMethod, Preview: q.Preview, Problem: q.Problem,
		Change: q.Change, Provenance: q.Provenance,
	}
}

// MarshalJSON writes what Pending returns.
func (q Question) MarshalJSON() ([]byte, error) { return orderedjson.Encode(q.Pending()) }
