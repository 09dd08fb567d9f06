package executor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"github.com/vcpgo/vcp/executor/policy"
	"github.com/vcpgo/vcp/internal/orderedjson"
	"github.com/vcpgo/vcp/protocol"
	"github.com/vcpgo/vcp/tool/schema"
)

// AuditRecord says what one request asked for, who approved it, and what its result was. Values of
// secret arguments are masked. It contains no text that models or tools wrote, except names,
// labels, commands, arguments and sources. AuditJSON writes its JSON form.
type AuditRecord struct {
	// Session and Owner are those of the Conversation: its id and the user to whom it belongs, as
	// the application names them.
	Session string `json:"session,omitempty"`
	Owner   string `json:"owner,omitempty"`
	// RequestID is the engine's own id, Label the model's. Other requests may have the same label.
	RequestID string `json:"requestId"`
	Label     string `json:"label,omitempty"`
	// ToolName and Command are what the model wrote, up to 4 KB of each. Method is the full name
	// that they mean, or "" if no method was found.
	ToolName string `json:"toolName"`
	Command  string `json:"command,omitempty"`
	Method   string `json:"method,omitempty"`
	// Arguments is a JSON object: the typed arguments or, if the request was refused before they
	// were read, those that the model wrote. Edited says that a person changed them.
	Arguments json.RawMessage `json:"arguments"`
	Edited    bool            `json:"edited,omitempty"`
	// Decision is policy.Allow or policy.Deny (package github.com/vcpgo/vcp/executor/policy), and
	// DecidedBy who or what made the decision. Why names the rule or the setting, repeats the
	// person's reason, or says why nobody could approve. All are "" if the request was refused
	// before a decision.
	Decision  policy.Decision `json:"decision,omitempty"`
	DecidedBy DecidedBy       `json:"decidedBy,omitempty"`
	Why       string          `json:"why,omitempty"`
	// Provenance names the foreign text that the request occurs in. It is nil if the request occurs
	// in none, or was refused before that was known.
	Provenance *Provenance `json:"provenance,omitempty"`
	// Status and ErrorType are those of the result.
	Status    protocol.ResultStatus `json:"status"`
	ErrorType string                `json:"errorType,omitempty"`
	// Asked is when the executor received the request, and Decided when the call was allowed or
	// denied. Started is when the tool began, and Done when the result was settled. The time of an
	// event that did not happen is zero. Duration is how long the tool ran.
	Asked    time.Time     `json:"asked"`
	Decided  time.Time     `json:"decided,omitzero"`
	Started  time.Time     `json:"started,omitzero"`
	Done     time.Time     `json:"done"`
	Duration time.Duration `json:"-"`
	// Repaired, Retries and Cached are those of the result.
	Repaired []schema.Repaired `json:"repaired,omitempty"`
	Retries  int               `json:"retries,omitempty"`
	Cached   bool              `json:"cached,omitempty"`
	// RawBytes, Tokens, Excerpted and Summarized are those of the result. Bytes is the length of
	// the text that the model reads.
	RawBytes   int  `json:"rawBytes"`
	Bytes      int  `json:"bytes"`
	Tokens     int  `json:"tokens"`
	Excerpted  bool `json:"excerpted,omitempty"`
	Summarized bool `json:"summarized,omitempty"`
}

// DecidedBy says who or what allowed or denied a call.
type DecidedBy string

const (
	// ByRule is a rule of the policy.
	ByRule DecidedBy = "rule"
	// BySetting is another setting: the policy's Approve, or one that hides the method.
	BySetting DecidedBy = "setting"
	// ByGrant is an earlier approval for the conversation.
	ByGrant DecidedBy = "grant"
	// ByPerson is an answer of an Approver or of Conversation.Decide, Request.Approved, or
	// Request.Deny.
	ByPerson DecidedBy = "person"
	// ByTimeout means that no answer came in time.
	ByTimeout DecidedBy = "timeout"
	// ByNoApprover is a missing Approver, or one that has nobody to ask.
	ByNoApprover DecidedBy = "no_approver"
	// ByProvenance denies a call that the policy allows, because its request occurs in foreign text
	// and nobody can be asked. There is no Approver, it has nobody to ask, or the policy's Approve
	// is policy.ApproveNever.
	ByProvenance DecidedBy = "provenance"
	// ByApprover is an Approver that failed, or gave an answer that cannot be used.
	ByApprover DecidedBy = "approver"
)

// MarshalJSON writes Duration as durationMs, in milliseconds with fractions.
func (r AuditRecord) MarshalJSON() ([]byte, error) {
	type plain AuditRecord
	return orderedjson.Encode(struct {
		plain
		DurationMs float64 `json:"durationMs"`
	}{plain(r), milliseconds(r.Duration)})
}

// AuditFunc takes one record for each request when its result is settled. Several goroutines may
// call it at once. ctx is not canceled with the run. The run waits until the function returns. An
// error or a panic is logged and changes no call.
type AuditFunc func(ctx context.Context, r AuditRecord) error

// AuditJSON returns an AuditFunc that writes each record as one line of JSON, in one Write. Nothing
// else may write to w.
func AuditJSON(w io.Writer) AuditFunc {
	var mu sync.Mutex
	return func(_ context.Context, r AuditRecord) error {
		line, err := r.MarshalJSON()
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		_, err = w.Write(append(line, '\n'))
		return err
	}
}

// call calls f and returns a panic as an error.
func (f AuditFunc) call(ctx context.Context, r AuditRecord) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return f(ctx, r)
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
